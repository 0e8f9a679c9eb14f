#include "drawing.h"

#include <cairo-ft.h>
#include FT_FREETYPE_H

// Letters: cairo 1.16 draws images of glyphs at whole pixels, which moves each letter by up to half a pixel,
// differently at each zoom. Here, outlines are filled at their exact position.

/* Whether a font consists of outlines. Cairo draws bitmap fonts and user fonts. */
static bool has_outlines(cairo_t *context) {
    if (cairo_font_face_get_type(cairo_get_font_face(context)) != CAIRO_FONT_TYPE_FT) return false;
    cairo_scaled_font_t *font = cairo_get_scaled_font(context);
    if (cairo_scaled_font_status(font)) return false;
    FT_Face face = cairo_ft_scaled_font_lock_face(font);
    if (!face) return false;
    bool result = FT_IS_SCALABLE(face) && !FT_HAS_COLOR(face);
    cairo_ft_scaled_font_unlock_face(font);
    return result;
}

/* Fills the outlines, and leaves the current path as it was. */
static void fill_outlines(cairo_t *context, const cairo_glyph_t *glyphs, int count) {
    cairo_path_t *path = cairo_copy_path(context);
    cairo_fill_rule_t rule = cairo_get_fill_rule(context);
    cairo_new_path(context);
    cairo_glyph_path(context, glyphs, count);
    cairo_set_fill_rule(context, CAIRO_FILL_RULE_WINDING);
    CD_CAIRO(cairo_fill)(context);
    cairo_set_fill_rule(context, rule);
    CD_CAIRO(cairo_append_path)(context, path);
    cairo_path_destroy(path);
}

// Glyph procedures may show glyphs with procedures. No document nests them deeper, and the limit ends loops.
enum { MOST_PROCEDURES = 3 };

/* The render function of a font whose glyphs are procedures, such as a type 3 font in a PDF; NULL for other
 * fonts. */
static cairo_user_scaled_font_render_glyph_func_t procedure_of(cairo_font_face_t *face) {
    if (cairo_font_face_get_type(face) != CAIRO_FONT_TYPE_USER) return 0;
    return cairo_user_font_face_get_render_glyph_func(face);
}

/* Runs the procedure of a glyph at its position, instead of once for a cached image. */
static void run_procedure(
    cairo_t *context, cairo_user_scaled_font_render_glyph_func_t procedure, const cairo_glyph_t *glyph) {
    cairo_matrix_t font;
    cairo_get_font_matrix(context, &font);
    cairo_save(context);
    cairo_translate(context, glyph->x, glyph->y);
    cairo_transform(context, &font);
    cairo_text_extents_t extents = {0};
    procedure(cairo_get_scaled_font(context), glyph->index, context, &extents);
    cairo_restore(context);
}

/* Runs the procedures of the glyphs, as a group if overlapping parts would show through. */
static void run_procedures(
    cairo_t *context, cairo_user_scaled_font_render_glyph_func_t procedure, const cairo_glyph_t *glyphs,
    int count) {
    double red, green, blue, alpha;
    bool shines =
        !cairo_pattern_get_rgba(cairo_get_source(context), &red, &green, &blue, &alpha) && alpha < 1;
    cairo_path_t *path = cairo_copy_path(context);
    cairo_save(context);
    if (shines) {
        cairo_push_group(context);
        cairo_set_source_rgb(context, red, green, blue);
    }
    for (int index = 0; index < count; index++) {
        cairo_new_path(context);
        run_procedure(context, procedure, &glyphs[index]);
    }
    if (shines) {
        cairo_pop_group_to_source(context);
        cairo_paint_with_alpha(context, alpha);
    }
    cairo_restore(context);
    cairo_new_path(context);
    CD_CAIRO(cairo_append_path)(context, path);
    cairo_path_destroy(path);
}

/* Draws glyphs in one of these ways; false if cairo must draw them. */
static bool show(cairo_t *context, const cairo_glyph_t *glyphs, int count) {
    if (!cd_current_rules.is_drawing || cairo_status(context)) return false;
    cairo_user_scaled_font_render_glyph_func_t procedure = procedure_of(cairo_get_font_face(context));
    if (procedure) {
        if (cd_current_rules.procedures < MOST_PROCEDURES) {
            cd_current_rules.procedures++;
            run_procedures(context, procedure, glyphs, count);
            cd_current_rules.procedures--;
        }
    } else if (has_outlines(context)) {
        fill_outlines(context, glyphs, count);
    } else {
        return false;
    }
    return true;
}

void cairo_show_glyphs(cairo_t *context, const cairo_glyph_t *glyphs, int count) {
    if (!show(context, glyphs, count)) CD_CAIRO(cairo_show_glyphs)(context, glyphs, count);
}

void cairo_show_text_glyphs(
    cairo_t *context, const char *text, int bytes, const cairo_glyph_t *glyphs, int count,
    const cairo_text_cluster_t *clusters, int cluster_count, cairo_text_cluster_flags_t flags) {
    if (!show(context, glyphs, count)) CD_CAIRO(cairo_show_text_glyphs)
    (context, text, bytes, glyphs, count, clusters, cluster_count, flags);
}
