#include "grid.h"

#include <math.h>

cairo_matrix_t cd_matrix_from(const double m[6], double column, double row) {
    cairo_matrix_t matrix;
    cairo_matrix_init(&matrix, m[0], m[3], m[1], m[4], m[2] - column, m[5] - row);
    return matrix;
}

cd_box cd_pixels_of(const double m[6], double left, double top, double right, double bottom) {
    cairo_matrix_t matrix = cd_matrix_from(m, 0, 0);
    cd_box result = {HUGE_VAL, HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    for (int corner = 0; corner < 4; corner++) {
        double x = corner & 1 ? right : left, y = corner & 2 ? bottom : top;
        cairo_matrix_transform_point(&matrix, &x, &y);
        result.left = fmin(result.left, floor(x));
        result.top = fmin(result.top, floor(y));
        result.right = fmax(result.right, ceil(x));
        result.bottom = fmax(result.bottom, ceil(y));
    }
    return result;
}

cd_box cd_intersection(cd_box a, cd_box b) {
    return (cd_box){
        fmax(a.left, b.left), fmax(a.top, b.top), fmin(a.right, b.right), fmin(a.bottom, b.bottom)};
}

bool cd_is_empty(cd_box box) { return !(box.left < box.right && box.top < box.bottom); }

cd_box cd_box_of(const cd_window *window) {
    double column = (double)window->column, row = (double)window->row;
    return (cd_box){column, row, column + window->width, row + window->height};
}

bool cd_is_inside_clip(const cd_window *window) {
    cairo_matrix_t matrix = cd_matrix_from(window->matrix, (double)window->column, (double)window->row);
    if (cairo_matrix_invert(&matrix)) return false;
    const double *clip = window->clip;
    for (int corner = 0; corner < 4; corner++) {
        double x = corner & 1 ? window->width : 0, y = corner & 2 ? window->height : 0;
        cairo_matrix_transform_point(&matrix, &x, &y);
        if (x < clip[0] || y < clip[1] || x > clip[2] || y > clip[3]) return false;
    }
    return true;
}
