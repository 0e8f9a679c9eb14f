#include "cells.h"

#include <string.h>

static int most_pixels = CD_MOST_CELL_PIXELS;

void cd_cells_bound(int64_t bytes) {
    int64_t pixels = bytes / 4 / (int64_t)sizeof(uint32_t);
    most_pixels = pixels < CD_MOST_CELL_PIXELS ? (int)pixels : CD_MOST_CELL_PIXELS;
}

static int most_cells(int size) {
    int count = most_pixels / (size * size);
    return count > 1 ? count : 1;
}

static void forget(cd_cell *cell) {
    if (cell->pixels) cairo_surface_destroy(cell->pixels);
    memset(cell, 0, sizeof *cell);
}

void cd_cells_clear(cd_cells *cells) {
    for (int index = 0; index < CD_MOST_CELLS; index++) forget(&cells->cells[index]);
}

cd_cell *cd_cells_find(cd_cells *cells, int column, int row, int size) {
    cd_cell *oldest = cells->cells;
    for (int index = 0; index < most_cells(size); index++) {
        cd_cell *cell = &cells->cells[index];
        if (cell->pixels && cell->column == column && cell->row == row) {
            cell->turn = ++cells->turn;
            return cell;
        }
        if (cell->turn < oldest->turn) oldest = cell;
    }
    forget(oldest);
    *oldest = (cd_cell){0, column, row, ++cells->turn};
    return oldest;
}
