#include "document.h"

#include <librsvg/rsvg.h>
#include <poppler.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Messages

/* Joins the lines of a library's message into one line. */
static void straighten(char *text) {
    size_t length = strlen(text);
    while (length && (unsigned char)text[length - 1] <= ' ') text[--length] = 0;
    for (; *text; text++)
        if ((unsigned char)*text < ' ') *text = ' ';
}

cd_status cd_fail(cd_message *message, cd_status status, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    free(message->text);
    if (vasprintf(&message->text, format, arguments) < 0) message->text = NULL;
    va_end(arguments);
    if (message->text) straighten(message->text);
    return status;
}

// Documents

cd_status cd_document_make(
    const cd_library *library, void *page, const cd_page *description, cd_document **result,
    cd_message *message) {
    cd_document *document = calloc(1, sizeof *document);
    if (!document) {
        library->close(page);
        return cd_fail(message, CD_OUT_OF_MEMORY, "there is not enough memory for a page");
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

// Libraries

const char *cd_libraries(void) {
    static char text[128];
    snprintf(
        text, sizeof text, "poppler %s, cairo %s, librsvg %u.%u.%u", poppler_get_version(),
        cairo_version_string(), rsvg_major_version, rsvg_minor_version, rsvg_micro_version);
    return text;
}

static void discard(const gchar *domain, GLogLevelFlags level, const gchar *text, gpointer data) {
    (void)domain, (void)level, (void)text, (void)data;
}

static GLogWriterOutput discard_fields(
    GLogLevelFlags level, const GLogField *fields, gsize count, gpointer data) {
    (void)level, (void)fields, (void)count, (void)data;
    return G_LOG_WRITER_HANDLED;
}

void cd_be_silent(void) {
    g_log_set_default_handler(discard, 0);
    g_log_set_writer_func(discard_fields, 0, 0);
}
