/* Halves windows of planes: a loop around kernels. */
#include "rounding.h"

#include "kernels.h"

/* The size of a number of blocks, or of their pixels, in bytes. */
static size_t bytes_of(cr_planes planes, size_t blocks) {
    const int channels = planes.count > 0 ? planes.count : 4;
    return blocks * CR_PLANE_BLOCK * (size_t)channels * sizeof(int16_t);
}

/* Prefetches the two additional finer rows that the next row reads. */
static void fetch_next(cr_plane_rows fine, const cr_halving *how, size_t y) {
    for (int k = 0; k < 2; k++) {
        const int32_t next = 2 * (int32_t)y + how->reads + k;
        if (next < how->fine_rows)
            cr_fetch_row(fine.rows, fine.row + next, bytes_of(fine.planes, how->blocks));
    }
}

/* Halves row `y` of the window, down columns first. */
static void halve_row(
    const cr_kernels *kernels, cr_plane_rows fine, cr_plane_rows coarse, const cr_halving *how, size_t y) {
    const int16_t *rows[CR_MOST_COMBINED];
    const ptrdiff_t plane = fine.planes.count == 1 ? 0 : how->step;
    for (int k = 0; k < how->reads; k++) rows[k] = row_of(fine.rows, fine.row + 2 * (int32_t)y + k);
    kernels->combine_planes(rows, fine.planes, how->weights, how->reads, how->line, how->step, how->blocks);

    const int16_t *line = how->line + how->before;
    int16_t *result = row_of(coarse.rows, coarse.row + (int32_t)y);
    if (coarse.planes.count == 0)
        kernels->halve_planes(line, plane, how->weights, how->taps, result, how->columns);
    else
        kernels->halve_to_planes(
            line, plane, how->weights, how->taps, result, coarse.planes, how->columns / CR_PLANE_BLOCK);
}

void cr_halve_window(
    const cr_kernels *kernels, cr_plane_rows fine, cr_plane_rows coarse, const cr_halving *how) {
    const size_t bytes = bytes_of(coarse.planes, how->columns / CR_PLANE_BLOCK);
    for (size_t y = 0; y < how->rows; y++) {
        fetch_next(fine, how, y);
        cr_fetch_to_write(row_of(coarse.rows, coarse.row + (int32_t)y + 1), bytes);
        halve_row(kernels, fine, coarse, how, y);
    }
}
