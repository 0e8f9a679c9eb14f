#ifndef TILEWRIGHT_CD_GRID_H
#define TILEWRIGHT_CD_GRID_H

#include "CDocuments.h"

#include <cairo.h>

/// Whole pixels of the grid.
typedef struct cd_box {
    double left, top, right, bottom;
} cd_box;

/// A matrix from points to pixels, of which (column, row) is the first.
cairo_matrix_t cd_matrix_from(const double matrix[6], double column, double row);

/// The pixels that a rectangle of the page, in points, touches by a matrix.
cd_box cd_pixels_of(const double matrix[6], double left, double top, double right, double bottom);

cd_box cd_intersection(cd_box a, cd_box b);
bool cd_is_empty(cd_box box);

/// The pixels of a window.
cd_box cd_box_of(const cd_window *window);

/// Whether all of a window is inside the part of the page that counts.
bool cd_is_inside_clip(const cd_window *window);

#endif
