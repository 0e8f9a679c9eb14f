#include "rules.h"

#include <math.h>

// Patterns of tiles, as hatches are: poppler draws a tile's pixels and repeats them, which blurs a tile that
// is no whole number of pixels wide. If it gets no surface for the pixels, it draws each tile by itself: so
// it does unless there are too many, or so small ones that nobody sees the difference.

// Some 0.2 s and 40 MB for what such tiles hold: a line or two.
static const double most_tiles = 20000;
// In pixels.
enum { LEAST_TILE = 4 };

/* The pixels that the last clip spans: poppler clips to what it is about to fill with a pattern. */
static double clipped_pixels;
/* Whether the path was appended, as poppler does with outlines of letters: it draws tiles of all the page
 * then. */
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
