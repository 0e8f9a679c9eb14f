#include "drawing.h"

#include <math.h>

// Images of a PDF: when printing, poppler uses the nearest pixel of an image, which drops lines of a scan
// that is drawn smaller. Here, pixels are averaged. An image ends exactly at its edges, so that strips of a
// scan have no seams between them.

/* From this enlargement on, pixels of an image are drawn as squares, as poppler does on a screen. */
static const double visible_pixels = 4;
/* An image that is drawn smaller than this is not clipped: it could vanish between the centres of pixels. */
static const double least_size = 2;

static const cairo_user_data_key_t is_image;

/* Poppler sets a filter only for images, which identifies them. */
void cairo_pattern_set_filter(cairo_pattern_t *pattern, cairo_filter_t filter) {
    if (cd_current_rules.is_drawing && cd_current_rules.is_pdf)
        cairo_pattern_set_user_data(pattern, &is_image, &cd_current_rules, 0);
    CD_CAIRO(cairo_pattern_set_filter)(pattern, filter);
}

static bool is_drawn_here(cairo_pattern_t *pattern) {
    return cd_current_rules.is_drawing && !cd_current_rules.is_aliased
        && cairo_pattern_get_user_data(pattern, &is_image);
}

/* The size of an image in its own pixels, and the matrix from them to those of the device. */
static bool measure(
    cairo_t *context, cairo_pattern_t *pattern, double *width, double *height, cairo_matrix_t *to_device) {
    cairo_surface_t *surface;
    if (cairo_pattern_get_surface(pattern, &surface)) return false;
    *width = cairo_image_surface_get_width(surface);
    *height = cairo_image_surface_get_height(surface);
    cairo_matrix_t to_user, user_to_device;
    cairo_pattern_get_matrix(pattern, &to_user);
    if (cairo_matrix_invert(&to_user)) return false;
    cairo_get_matrix(context, &user_to_device);
    cairo_matrix_multiply(to_device, &to_user, &user_to_device);
    return true;
}

static void choose_filter(cairo_t *context, cairo_pattern_t *pattern) {
    double width, height, least, most;
    cairo_matrix_t matrix;
    if (!measure(context, pattern, &width, &height, &matrix)) return;
    cd_scales(&matrix, &least, &most);
    if (least < visible_pixels && cairo_pattern_get_filter(pattern) == CAIRO_FILTER_NEAREST)
        CD_CAIRO(cairo_pattern_set_filter)(pattern, CAIRO_FILTER_GOOD);
}

/* Adds the edges of an image to the path; false if it is too small to end at whole pixels. */
static bool add_edges(cairo_t *context, cairo_pattern_t *pattern) {
    double width, height;
    cairo_matrix_t matrix;
    if (!measure(context, pattern, &width, &height, &matrix)) return false;
    if (hypot(matrix.xx, matrix.yx) * width < least_size || hypot(matrix.xy, matrix.yy) * height < least_size)
        return false;
    cairo_save(context);
    cairo_set_matrix(context, &matrix);
    cairo_rectangle(context, 0, 0, width, height);
    cairo_restore(context);
    return true;
}

/* Clips to the edges of an image. Beyond them, the filter gets its outermost pixels, not transparency. */
static void clip_to_edges(cairo_t *context, cairo_pattern_t *pattern) {
    cairo_new_path(context);
    if (!add_edges(context, pattern)) return;
    cairo_pattern_set_extend(pattern, CAIRO_EXTEND_PAD);
    cairo_antialias_t antialias = cairo_get_antialias(context);
    cairo_set_antialias(context, CAIRO_ANTIALIAS_NONE);
    cairo_clip(context);
    cairo_set_antialias(context, antialias);
}

void cairo_paint(cairo_t *context) {
    cairo_pattern_t *source = cairo_get_source(context);
    if (!is_drawn_here(source)) {
        CD_CAIRO(cairo_paint)(context);
        return;
    }
    cairo_save(context);
    choose_filter(context, source);
    clip_to_edges(context, source);
    CD_CAIRO(cairo_paint)(context);
    cairo_restore(context);
}

void cairo_mask(cairo_t *context, cairo_pattern_t *mask) {
    cairo_pattern_t *source = cairo_get_source(context);
    bool has_image = is_drawn_here(source), has_mask = is_drawn_here(mask);
    // A mask of the whole page was set in a different coordinate space than the image, so the image's edges
    // are unknown here.
    bool is_of_page = has_image && !has_mask && cairo_pattern_get_type(mask) != CAIRO_PATTERN_TYPE_SOLID;
    if ((!has_image && !has_mask) || is_of_page) {
        CD_CAIRO(cairo_mask)(context, mask);
        return;
    }
    cairo_save(context);
    if (has_image) choose_filter(context, source);
    if (has_mask) choose_filter(context, mask);
    if (has_image) clip_to_edges(context, source);
    if (has_mask) clip_to_edges(context, mask);
    CD_CAIRO(cairo_mask)(context, mask);
    cairo_restore(context);
}

bool cd_fill_with_image(cairo_t *context) {
    cairo_pattern_t *source = cairo_get_source(context);
    if (!is_drawn_here(source)) return false;
    cairo_antialias_t antialias = cairo_get_antialias(context);
    choose_filter(context, source);
    cairo_set_antialias(context, CAIRO_ANTIALIAS_NONE);
    CD_CAIRO(cairo_fill)(context);
    cairo_set_antialias(context, antialias);
    return true;
}

cairo_surface_t *cairo_image_surface_create(cairo_format_t format, int width, int height) {
    cairo_surface_t *surface = CD_CAIRO(cairo_image_surface_create)(format, width, height);
    if (cairo_surface_status(surface) == CAIRO_STATUS_NO_MEMORY) cd_current_rules.lacked_memory = true;
    return surface;
}

// Tiling patterns, such as hatches: poppler draws the pixels of one tile and repeats them, which blurs a tile
// whose width is not a whole number of pixels. If poppler gets no surface for these pixels, it draws each
// tile separately. So it gets none, unless there are too many tiles, or tiles so small that the difference is
// invisible.

// If typical tiles of one or two lines are drawn separately, this number takes some 0.2 s and 40 MB.
static const double most_tiles = 20000;
// In pixels.
enum { LEAST_TILE = 4 };

/* The pixels in the last clip: poppler clips to the area before it fills it with a pattern. */
static double clipped_pixels;
/* Whether the path was appended, as poppler does with outlines of letters: then it draws tiles for the whole
 * page. */
static bool is_path_of_letters;

void cairo_append_path(cairo_t *context, const cairo_path_t *path) {
    is_path_of_letters = true;
    CD_CAIRO(cairo_append_path)(context, path);
}

static double pixels_of_path(cairo_t *context) {
    double left, top, right, bottom;
    cairo_path_extents(context, &left, &top, &right, &bottom);
    cairo_matrix_t matrix;
    cairo_get_matrix(context, &matrix);
    return fabs((right - left) * (bottom - top) * (matrix.xx * matrix.yy - matrix.xy * matrix.yx));
}

void cairo_clip(cairo_t *context) {
    if (cd_current_rules.is_drawing && cd_current_rules.is_pdf)
        clipped_pixels = is_path_of_letters ? HUGE_VAL : pixels_of_path(context);
    is_path_of_letters = false;
    CD_CAIRO(cairo_clip)(context);
}

cairo_surface_t *cairo_surface_create_similar(
    cairo_surface_t *other, cairo_content_t content, int width, int height) {
    if (cd_current_rules.is_drawing && cd_current_rules.is_pdf && !cd_current_rules.procedures
        && content == CAIRO_CONTENT_COLOR_ALPHA && width >= LEAST_TILE && height >= LEAST_TILE
        && clipped_pixels <= most_tiles * width * height)
        return cairo_image_surface_create(CAIRO_FORMAT_INVALID, width, height);
    return CD_CAIRO(cairo_surface_create_similar)(other, content, width, height);
}
