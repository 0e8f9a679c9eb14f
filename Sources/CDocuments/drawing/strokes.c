#include "rules.h"

#include <math.h>

// Lines: none is thinner than the rules say.

// Poppler gives a line of width 0 this part of a device's pixel if it prints, as if there were 600 of them to
// the inch of a device that counts in points. The number is found nowhere else.
static const double printers_pixel = 72.0 / 600;

/* Such a line gets the width 0 instead, by which it is known below. */
void cairo_device_to_user_distance(cairo_t *context, double *x, double *y) {
    if (cd_current_rules.is_drawing && cd_current_rules.is_pdf && *x == printers_pixel
        && *y == printers_pixel)
        *x = *y = 0;
    else
        CD_CAIRO(cairo_device_to_user_distance)(context, x, y);
}

// What poppler looks at before it widens and moves lines for a screen: whether one is at most a pixel wide.
/* Lines stay where they are. */
void cairo_user_to_device_distance(cairo_t *context, double *x, double *y) {
    CD_CAIRO(cairo_user_to_device_distance)(context, x, y);
    if (cd_current_rules.is_drawing && cd_current_rules.is_pdf) *x = *y = HUGE_VAL;
}

/* The width for a line of some width, in the units of the context. A PDF's line of width 0 is the thinnest
 * that a device draws: a pixel. */
static double width_for(cairo_t *context, double width) {
    double least = cd_current_rules.thinnest_line;
    if (cd_current_rules.is_pdf && width == 0) least = fmax(1, least);
    if (!least) return width;
    cairo_matrix_t matrix;
    double scale, most;
    cairo_get_matrix(context, &matrix);
    cd_scales(&matrix, &scale, &most);
    // A scale of nothing draws nothing.
    return scale > 0 ? fmax(width, least / scale) : width;
}

static void stroke(cairo_t *context, void (*stroke)(cairo_t *)) {
    double width = cairo_get_line_width(context);
    if (cd_current_rules.is_drawing) cairo_set_line_width(context, width_for(context, width));
    stroke(context);
    cairo_set_line_width(context, width);
}

void cairo_stroke(cairo_t *context) { stroke(context, CD_CAIRO(cairo_stroke)); }

void cairo_stroke_preserve(cairo_t *context) { stroke(context, CD_CAIRO(cairo_stroke_preserve)); }
