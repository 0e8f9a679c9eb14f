#ifndef TILEWRIGHT_CD_CELLS_H
#define TILEWRIGHT_CD_CELLS_H

#include "CDocuments.h"

#include <cairo.h>

// Cairo's coverage of a pixel by a slanted edge depends a little, by up to 16 of 255, on where the surface
// ends. So that a pixel does not depend on the window in which somebody asks for it, pages are drawn in
// cells: squares of the grid that lie where they lie, whatever is asked for.

/// Pixels of a cell's side. A page that cannot be recorded is interpreted once per cell, hence larger ones.
enum { CD_CELL = 512, CD_CELL_OF_DIRECT_PAGE = 2048 };

/// The most pixels of all cells that are kept, 64 MB of them: bands of rows ask for each cell many times. If
/// memory is short, fewer are.
enum { CD_MOST_CELL_PIXELS = 1 << 24 };
enum { CD_MOST_CELLS = CD_MOST_CELL_PIXELS / (CD_CELL * CD_CELL) };

/// A cell that was drawn.
typedef struct cd_cell {
    /// NULL if there is none.
    cairo_surface_t *pixels;
    int column, row;
    /// When it was last asked for.
    uint64_t turn;
} cd_cell;

/// The last cells that were drawn, all for one kind of window.
typedef struct cd_cells {
    cd_cell cells[CD_MOST_CELLS];
    cd_window window;
    uint64_t turn;
} cd_cells;

/// Keeps so many cells that they take no more than a quarter of the memory that the process may have, but one
/// at least.
void cd_cells_bound(int64_t bytes);

/// Forgets all of them.
void cd_cells_clear(cd_cells *cells);

/// The cell that was drawn at a place, or one to draw it in: then its pixels are NULL.
cd_cell *cd_cells_find(cd_cells *cells, int column, int row, int size);

#endif
