#include "drawing.h"

#include <math.h>
#include <stdlib.h>

// Areas are drawn at least as thick as the thinnest line. Many programs write lines as areas, and a wall of a
// twentieth of a pixel would vanish, but ISO 32000 (10.7.4) says that no shape may vanish.

/// A part of a path.
typedef struct shape {
    /// The range of its elements in the path's data, without `end`.
    int first, end;
    /// In pixels: signed area, perimeter, and bounding box.
    double area, perimeter, left, top, right, bottom;
    /// The number of points, of which the first four are stored, in pixels.
    int count;
    double x[4], y[4];
    bool is_thin;
} shape;

static void add_point(shape *shape, double x, double y, double *last_x, double *last_y) {
    if (shape->count < 4) shape->x[shape->count] = x, shape->y[shape->count] = y;
    if (shape->count == 0) {
        shape->left = shape->right = x;
        shape->top = shape->bottom = y;
    } else {
        shape->area += (*last_x * y - x * *last_y) / 2;
        shape->perimeter += hypot(x - *last_x, y - *last_y);
        shape->left = fmin(shape->left, x), shape->right = fmax(shape->right, x);
        shape->top = fmin(shape->top, y), shape->bottom = fmax(shape->bottom, y);
    }
    // A repetition of the first point at the end is not a corner.
    if (shape->count < 4 || x != shape->x[0] || y != shape->y[0]) shape->count++;
    *last_x = x, *last_y = y;
}

/* Closes a shape after the point that was added last. */
static void close_shape(shape *shape, int end, double last_x, double last_y) {
    shape->end = end;
    if (shape->count == 0) return;
    shape->area += (last_x * shape->y[0] - shape->x[0] * last_y) / 2;
    shape->perimeter += hypot(shape->x[0] - last_x, shape->y[0] - last_y);
}

/* Finds the parts of a path, each of which begins with a move. Curves are replaced by their control points.
 * Returns the number of parts. */
static int shapes_of(const cairo_path_t *path, const cairo_matrix_t *matrix, shape *shapes) {
    int count = 0;
    double last_x = 0, last_y = 0;
    for (int index = 0; index < path->num_data; index += path->data[index].header.length) {
        const cairo_path_data_t *data = &path->data[index];
        if (data->header.type == CAIRO_PATH_MOVE_TO) {
            if (count) close_shape(&shapes[count - 1], index, last_x, last_y);
            shapes[count++] = (shape){.first = index};
        }
        for (int point = 1; count && point < data->header.length; point++) {
            double x = data[point].point.x, y = data[point].point.y;
            cairo_matrix_transform_point(matrix, &x, &y);
            add_point(&shapes[count - 1], x, y, &last_x, &last_y);
        }
    }
    if (count) close_shape(&shapes[count - 1], path->num_data, last_x, last_y);
    return count;
}

static int moves_in(const cairo_path_t *path) {
    int count = 0;
    for (int index = 0; index < path->num_data; index += path->data[index].header.length)
        count += path->data[index].header.type == CAIRO_PATH_MOVE_TO;
    return count;
}

/* The thickness of a shape that is much longer than thick. */
static double thickness(double area, double perimeter) {
    return perimeter > 0 ? 2 * fabs(area) / perimeter : 0;
}

/* Whether a shape touches no thick shape, in which it might be a hole. */
static bool is_alone(const shape *shape, const struct shape *shapes, int count) {
    for (int index = 0; index < count; index++) {
        const struct shape *other = &shapes[index];
        if (!other->is_thin && other->count > 2 && other->left <= shape->right && shape->left <= other->right
            && other->top <= shape->bottom && shape->top <= other->bottom)
            return false;
    }
    return true;
}

/* Each thin shape is compared with each thick one. With more pairs than this, cairo fills all shapes. */
static const double most_pairs = 1e6;

/* Marks the thin shapes; returns their number. */
static int mark_thin(shape *shapes, int count) {
    int thin = 0;
    for (int index = 0; index < count; index++) {
        shape *shape = &shapes[index];
        // A point is not drawn, and cairo draws infinite shapes.
        shape->is_thin = shape->count > 1 && shape->perimeter > 0 && isfinite(shape->perimeter)
            && cd_is_thin(thickness(shape->area, shape->perimeter));
        thin += shape->is_thin;
    }
    if (thin == count) return thin;
    bool are_many = (double)thin * (count - thin) > most_pairs;
    for (int index = 0; index < count; index++)
        if (shapes[index].is_thin && (are_many || !is_alone(&shapes[index], shapes, count)))
            shapes[index].is_thin = false, thin--;
    return thin;
}

static void stroke_line(cairo_t *context, double x1, double y1, double x2, double y2, double width) {
    cairo_new_path(context);
    cairo_move_to(context, x1, y1);
    cairo_line_to(context, x2, y2);
    cd_stroke_line(context, width);
}

/* Strokes a quadrilateral as a line, from the middle of one short side to the middle of the other. */
static void stroke_quadrilateral(cairo_t *context, const shape *shape) {
    const double *x = shape->x, *y = shape->y;
    double first = hypot(x[1] - x[0], y[1] - y[0]) + hypot(x[3] - x[2], y[3] - y[2]);
    double second = hypot(x[2] - x[1], y[2] - y[1]) + hypot(x[0] - x[3], y[0] - y[3]);
    int side = first >= second ? 1 : 0;
    double x1 = (x[side] + x[side + 1]) / 2, y1 = (y[side] + y[side + 1]) / 2;
    double x2 = (x[side + 2] + x[(side + 3) % 4]) / 2, y2 = (y[side + 2] + y[(side + 3) % 4]) / 2;
    double length = hypot(x2 - x1, y2 - y1);
    stroke_line(context, x1, y1, x2, y2, length > 0 ? fabs(shape->area) / length : 0);
}

/* Draws a thin shape as a line. A shape with four corners is stroked along its middle. Others are stroked
 * around, so that shape and stroke together have the line's thickness. The current path is the shape. */
static void stroke_shape(cairo_t *context, const shape *shape) {
    cairo_save(context);
    cairo_identity_matrix(context);
    cairo_set_dash(context, 0, 0, 0);
    cairo_set_line_cap(context, CAIRO_LINE_CAP_BUTT);
    cairo_set_line_join(context, CAIRO_LINE_JOIN_BEVEL);
    if (shape->count == 4)
        stroke_quadrilateral(context, shape);
    else if (shape->count == 2)
        stroke_line(context, shape->x[0], shape->y[0], shape->x[1], shape->y[1], 0);
    else
        cd_stroke_around(context, thickness(shape->area, shape->perimeter));
    cairo_restore(context);
}

static void append(cairo_t *context, const cairo_path_t *path, const shape *shape) {
    cairo_path_t part = {CAIRO_STATUS_SUCCESS, path->data + shape->first, shape->end - shape->first};
    CD_CAIRO(cairo_append_path)(context, &part);
}

static void fill_shapes(cairo_t *context, const cairo_path_t *path, const shape *shapes, int count) {
    cairo_new_path(context);
    for (int index = 0; index < count; index++)
        if (!shapes[index].is_thin) append(context, path, &shapes[index]);
    CD_CAIRO(cairo_fill)(context);
    for (int index = 0; index < count; index++)
        if (shapes[index].is_thin) {
            cairo_new_path(context);
            append(context, path, &shapes[index]);
            stroke_shape(context, &shapes[index]);
        }
    cairo_new_path(context);
}

/* Whether areas are letters: tilewright-cad sets this miter limit for them. Letters whose thin parts became
 * lines would be bolder than letters with holes. */
static bool are_letters(cairo_t *context) { return cairo_get_miter_limit(context) == 12.5; }

/* Fills the path, and clears it unless `keeps_path`; false if cairo can fill it alone. */
static bool fill(cairo_t *context, bool keeps_path) {
    if (!cd_current_rules.is_drawing || cairo_status(context) || are_letters(context)) return false;
    cairo_path_t *path = cairo_copy_path(context);
    int count = path->status ? 0 : moves_in(path);
    shape *shapes = count ? calloc((size_t)count, sizeof *shapes) : 0;
    bool has_thin = false;
    if (shapes) {
        cairo_matrix_t matrix;
        cairo_get_matrix(context, &matrix);
        count = shapes_of(path, &matrix, shapes);
        has_thin = mark_thin(shapes, count) > 0;
    }
    if (has_thin) fill_shapes(context, path, shapes, count);
    if (has_thin && keeps_path) CD_CAIRO(cairo_append_path)(context, path);
    free(shapes);
    cairo_path_destroy(path);
    return has_thin;
}

void cairo_fill(cairo_t *context) {
    if (!cd_fill_with_image(context) && !fill(context, false)) CD_CAIRO(cairo_fill)(context);
}

void cairo_fill_preserve(cairo_t *context) {
    if (!fill(context, true)) CD_CAIRO(cairo_fill_preserve)(context);
}
