#include "CDocuments.h"

#include <cairo.h>
#include <librsvg/rsvg.h>
#include <poppler.h>
#include <stdio.h>

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
