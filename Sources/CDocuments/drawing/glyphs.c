#include "rules.h"

#include <cairo-ft.h>
#include FT_FREETYPE_H

// Letters: cairo 1.16 draws pictures of glyphs at whole pixels, which moves each letter by up to half a
// pixel, and so differently at each zoom. Here outlines are filled where they belong.

/* Whether a font is made of outlines: pictures and fonts that draw for themselves are left to cairo. */
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
    cairo_fill(context);
    cairo_set_fill_rule(context, rule);
    cairo_append_path(context, path);
    cairo_path_destroy(path);
}

void cairo_show_glyphs(cairo_t *context, const cairo_glyph_t *glyphs, int count) {
    if (cd_current_rules.is_drawing && has_outlines(context))
        fill_outlines(context, glyphs, count);
    else
        CD_CAIRO(cairo_show_glyphs)(context, glyphs, count);
}

void cairo_show_text_glyphs(
    cairo_t *context, const char *text, int bytes, const cairo_glyph_t *glyphs, int count,
    const cairo_text_cluster_t *clusters, int cluster_count, cairo_text_cluster_flags_t flags) {
    if (cd_current_rules.is_drawing && has_outlines(context))
        fill_outlines(context, glyphs, count);
    else
        CD_CAIRO(cairo_show_text_glyphs)
    (context, text, bytes, glyphs, count, clusters, cluster_count, flags);
}
