#include "document.h"
#include "message.h"

#include <stdlib.h>

cd_status cd_document_make(
    const cd_library *library, void *page, const cd_page *description, cd_document **result,
    cd_message *message) {
    cd_document *document = calloc(1, sizeof *document);
    if (!document) {
        library->close(page);
        return cd_fail(message, CD_OUT_OF_MEMORY, "there is no memory for a page");
    }
    document->library = library;
    document->page = page;
    document->description = *description;
    *result = document;
    return CD_OK;
}

void cd_close(cd_document *document) {
    if (!document) return;
    if (document->pixels) cairo_surface_destroy(document->pixels);
    cd_cells_clear(&document->cells);
    cd_recording_clear(&document->recording);
    document->library->close(document->page);
    free(document);
}

cd_page cd_describe(const cd_document *document) { return document->description; }
