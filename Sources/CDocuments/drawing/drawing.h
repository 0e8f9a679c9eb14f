#ifndef TILEWRIGHT_CD_DRAWING_H
#define TILEWRIGHT_CD_DRAWING_H

#include "CDocuments.h"

#include <cairo.h>
#include <stdbool.h>

// The grid

/// Whole pixels of the grid.
typedef struct cd_box {
    double left, top, right, bottom;
} cd_box;

/// A matrix from points to pixels, with (column, row) as the first pixel.
cairo_matrix_t cd_matrix_from(const double matrix[6], double column, double row);

/// The pixels that a rectangle of the page, in points, touches with a matrix.
cd_box cd_pixels_of(const double matrix[6], double left, double top, double right, double bottom);

// Cells: Cairo's coverage of a pixel by a slanted edge depends a little, by up to 16 of 255, on where the
// surface ends. So that a pixel does not depend on the requested window, pages are drawn in cells: squares
// that are fixed to the grid.

/// The side of a cell in pixels. A page that cannot be recorded is interpreted again for each cell, so its
/// cells are larger.
enum { CD_CELL = 512, CD_CELL_OF_DIRECT_PAGE = 2048 };

/// The limit for the pixels of all cached cells: 64 MB. Bands of rows need each cell many times. If memory is
/// limited, fewer cells are cached.
enum { CD_MOST_CELL_PIXELS = 1 << 24 };
enum { CD_MOST_CELLS = CD_MOST_CELL_PIXELS / (CD_CELL * CD_CELL) };

/// A cell that was drawn.
typedef struct cd_cell {
    /// NULL if the slot is empty.
    cairo_surface_t *pixels;
    int column, row;
    /// When it was last used.
    uint64_t turn;
} cd_cell;

/// The last cells that were drawn, all for one kind of window.
typedef struct cd_cells {
    cd_cell cells[CD_MOST_CELLS];
    cd_window window;
    uint64_t turn;
} cd_cells;

/// Limits the cached cells to a quarter of the process's memory limit, but at least one cell.
void cd_cells_bound(int64_t bytes);

/// Removes all cells.
void cd_cells_clear(cd_cells *cells);

// Pages

/// The recorded drawing of a page with a matrix, which is replayed for many windows.
typedef struct cd_recording {
    /// NULL if there is none.
    cairo_surface_t *surface;
    /// The window for which it was made: matrix, line width and antialiasing.
    cd_window window;
    /// Its first pixel in the grid.
    double column, row;
} cd_recording;

/// Removes the recording.
void cd_recording_clear(cd_recording *recording);

/// Draws a window of the page onto transparent pixels, and clips it. Optionally uses a recording.
cd_status cd_draw_page(
    cd_document *document, const cd_window *window, bool is_recorded, cairo_surface_t *pixels,
    cd_message *message);

/// Whether two windows differ at most in their position.
bool cd_are_alike(const cd_window *a, const cd_window *b);

// Rules for the functions that this program defines in place of cairo's. An executable's symbols take
// precedence over a library's, so poppler, librsvg and pango call these functions. On systems that bind
// symbols differently, they are not called, and documents are drawn as by the libraries alone.

/// The rules of the current drawing.
typedef struct cd_rules {
    bool is_drawing;
    /// Whether poppler draws.
    bool is_pdf;
    bool is_aliased;
    /// The minimum width of a line in pixels: thinner lines are drawn with this width, and paler.
    double thinnest_line;
    /// The smallest share of its opacity to which a line is paled.
    double palest_line;
    /// Whether memory for pixels was refused: libraries then silently leave out objects.
    bool lacked_memory;
    /// The number of nested glyph procedures.
    int procedures;
} cd_rules;

extern cd_rules cd_current_rules;

/// Cairo's version of a function that is also defined here; looked up once.
#define CD_CAIRO(function)                                               \
    (__extension__({                                                     \
        static __typeof__(&function) own;                                \
        if (!own) own = (__typeof__(&function))cd_cairos_own(#function); \
        own;                                                             \
    }))

/// The address of a function in libcairo.
void *cd_cairos_own(const char *name);

/// Fills the path with the source if that is an image; otherwise returns false. When poppler draws for
/// display rather than for print, it paints an image by filling the unit square with it.
bool cd_fill_with_image(cairo_t *context);

/// Whether an area of some thickness, in pixels, is drawn as a line.
bool cd_is_thin(double thickness);

/// Strokes the path as a line of some width in pixels, by the rules. The matrix must be that of pixels.
void cd_stroke_line(cairo_t *context, double width);

/// Strokes around an area of some thickness, in pixels, so that both together are a line by the rules.
void cd_stroke_around(cairo_t *context, double thickness);

/// The smallest and the largest scale of a matrix.
void cd_scales(const cairo_matrix_t *matrix, double *least, double *most);

#endif
