#include "drawing.h"

#include <dlfcn.h>
#include <math.h>

cd_rules cd_current_rules;

void *cd_cairos_own(const char *name) { return dlsym(RTLD_NEXT, name); }

/* The singular values of the matrix. */
void cd_scales(const cairo_matrix_t *matrix, double *least, double *most) {
    double a = matrix->xx * matrix->xx + matrix->yx * matrix->yx;
    double b = matrix->xy * matrix->xy + matrix->yy * matrix->yy;
    double k = matrix->xx * matrix->xy + matrix->yx * matrix->yy;
    double middle = (a + b) / 2;
    double spread = hypot((a - b) / 2, k);
    *least = sqrt(fmax(0, middle - spread));
    *most = sqrt(middle + spread);
}

// Lines are not drawn thinner than the rules allow.

// When printing, poppler draws a line of width 0 with this width: a pixel of a 600 dpi device, in points. No
// other line has this width.
static const double printers_pixel = 72.0 / 600;

/* Such a line gets the width 0 instead, by which it is recognized below. */
void cairo_device_to_user_distance(cairo_t *context, double *x, double *y) {
    if (cd_current_rules.is_drawing && cd_current_rules.is_pdf && *x == printers_pixel
        && *y == printers_pixel)
        *x = *y = 0;
    else
        CD_CAIRO(cairo_device_to_user_distance)(context, x, y);
}

// Poppler calls this to find lines of at most a pixel, which it widens and moves for a screen.
/* Prevents that: lines keep their position. */
void cairo_user_to_device_distance(cairo_t *context, double *x, double *y) {
    CD_CAIRO(cairo_user_to_device_distance)(context, x, y);
    if (cd_current_rules.is_drawing && cd_current_rules.is_pdf) *x = *y = HUGE_VAL;
}

/// The width and opacity with which a line is drawn.
typedef struct pen {
    double width;
    /// The share of its opacity.
    double share;
} pen;

/* The pen for a line of some width. A thin line is drawn wider and paler. In a PDF, a line of width 0 is the
 * thinnest line of the device: a pixel by default. */
static pen pen_for(cairo_t *context, double width) {
    const cd_rules *rules = &cd_current_rules;
    bool is_hairline = rules->is_pdf && width == 0;
    double least = rules->thinnest_line;
    if (is_hairline && !least) least = 1;
    // Other formats do not draw lines of width 0.
    if (!is_hairline && width == 0) return (pen){0, 1};
    cairo_matrix_t matrix;
    double scale, most;
    cairo_get_matrix(context, &matrix);
    cd_scales(&matrix, &scale, &most);
    // With a scale of 0, nothing is drawn.
    if (width * scale >= least || !(scale > 0)) return (pen){width, 1};
    if (!rules->thinnest_line) return (pen){least / scale, 1};
    return (pen){least / scale, fmax(rules->palest_line, width * scale / least)};
}

/* Strokes with a share of the colour's opacity; false if the source is not a single colour. */
static bool stroke_paler(cairo_t *context, double share, void (*stroke)(cairo_t *)) {
    cairo_pattern_t *source = cairo_get_source(context);
    double red, green, blue, alpha;
    if (cairo_pattern_get_rgba(source, &red, &green, &blue, &alpha)) return false;
    cairo_pattern_reference(source);
    cairo_set_source_rgba(context, red, green, blue, alpha * share);
    stroke(context);
    cairo_set_source(context, source);
    cairo_pattern_destroy(source);
    return true;
}

// An area of less thickness, in pixels, is a line of width 0, except for rounding.
static const double no_width = 1e-6;

bool cd_is_thin(double thickness) {
    const cd_rules *rules = &cd_current_rules;
    // Only in a PDF, an empty area is visible.
    if (thickness < no_width) return rules->is_pdf;
    return thickness < rules->thinnest_line;
}

static void stroke(cairo_t *context, void (*stroke)(cairo_t *)) {
    if (!cd_current_rules.is_drawing) {
        stroke(context);
        return;
    }
    double width = cairo_get_line_width(context);
    pen pen = pen_for(context, width);
    cairo_set_line_width(context, pen.width);
    if (pen.share == 1)
        stroke(context);
    else if (!stroke_paler(context, pen.share, stroke)) {
        cairo_set_line_width(context, fmax(width, pen.width * cd_current_rules.palest_line));
        stroke(context);
    }
    cairo_set_line_width(context, width);
}

void cd_stroke_line(cairo_t *context, double width) {
    cairo_set_line_width(context, width < no_width ? 0 : width);
    stroke(context, CD_CAIRO(cairo_stroke));
}

void cd_stroke_around(cairo_t *context, double thickness) {
    pen pen = pen_for(context, thickness < no_width ? 0 : thickness);
    // A stroke extends equally inwards and outwards: a stroke that is thinner than the area would leave a
    // gap.
    double width = fmax(pen.width - thickness, thickness);
    double share = pen.share * pen.width / (width + thickness);
    cairo_set_line_width(context, width);
    if (!stroke_paler(context, share, CD_CAIRO(cairo_stroke))) CD_CAIRO(cairo_stroke)(context);
}

void cairo_stroke(cairo_t *context) { stroke(context, CD_CAIRO(cairo_stroke)); }

void cairo_stroke_preserve(cairo_t *context) { stroke(context, CD_CAIRO(cairo_stroke_preserve)); }
