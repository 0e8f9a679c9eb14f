#ifndef TILEWRIGHT_CD_DOCUMENT_H
#define TILEWRIGHT_CD_DOCUMENT_H

#include "CDocuments.h"
#include "drawing/drawing.h"

#include <cairo.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Writes the message like printf, and returns the status.
cd_status cd_fail(cd_message *message, cd_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#ifdef __cplusplus
}
#endif

/// The functions of a library for its document.
typedef struct cd_library {
    bool is_pdf;
    /// Draws the whole page; the context's unit is a point.
    cd_status (*draw)(void *page, cairo_t *context, cd_message *message);
    void (*close)(void *page);
} cd_library;

struct cd_document {
    const cd_library *library;
    /// The library's page.
    void *page;
    cd_page description;
    /// The pixels of the last window.
    cairo_surface_t *pixels;
    cd_recording recording;
    cd_cells cells;
    /// Whether the page must not be recorded.
    bool is_drawn_directly;
};

/// Makes a document from a library's page. If this fails, the page is closed.
cd_status cd_document_make(
    const cd_library *library, void *page, const cd_page *description, cd_document **result,
    cd_message *message);

#endif
