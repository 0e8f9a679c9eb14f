#ifndef TILEWRIGHT_CD_PAGE_H
#define TILEWRIGHT_CD_PAGE_H

#include "CDocuments.h"

#include <cairo.h>

/// What a page draws by some matrix, kept to be played into many windows.
typedef struct cd_recording {
    /// NULL if there is none.
    cairo_surface_t *surface;
    /// Of what it was made: its matrix, line width and antialiasing.
    cd_window window;
    /// Where its first pixel lies in the grid.
    double column, row;
} cd_recording;

/// Forgets it.
void cd_recording_clear(cd_recording *recording);

/// Draws what a window shows of the page onto transparent pixels, and cuts it; by way of a recording if that
/// is wanted.
cd_status cd_draw_page(
    cd_document *document, const cd_window *window, bool is_recorded, cairo_surface_t *pixels,
    cd_message *message);

/// Whether two windows differ at most in where they lie.
bool cd_are_alike(const cd_window *a, const cd_window *b);

#endif
