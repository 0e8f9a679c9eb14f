#include "../document.h"
#include "../message.h"

static cairo_matrix_t in_window(const cd_window *window) {
    const double *m = window->matrix;
    cairo_matrix_t matrix;
    cairo_matrix_init(&matrix, m[0], m[3], m[1], m[4], m[2] - window->column, m[5] - window->row);
    return matrix;
}

static cd_status prepare_pixels(cd_document *document, const cd_window *window, cd_message *message) {
    if (document->pixels) cairo_surface_destroy(document->pixels);
    document->pixels = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, window->width, window->height);
    if (!cairo_surface_status(document->pixels)) return CD_OK;
    return cd_fail(
        message, CD_OUT_OF_MEMORY, "there is no memory for %d x %d pixels", window->width, window->height);
}

static void prepare_context(cairo_t *context, const cd_window *window) {
    cairo_matrix_t matrix = in_window(window);
    cairo_set_matrix(context, &matrix);
    cairo_set_antialias(context, window->is_aliased ? CAIRO_ANTIALIAS_NONE : CAIRO_ANTIALIAS_DEFAULT);
    const double *clip = window->clip;
    cairo_rectangle(context, clip[0], clip[1], clip[2] - clip[0], clip[3] - clip[1]);
    cairo_clip(context);
    cairo_font_options_t *options = cairo_font_options_create();
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
    cairo_set_font_options(context, options);
    cairo_font_options_destroy(options);
}

cd_status cd_draw(
    cd_document *document, const cd_window *window, const uint32_t **pixels, cd_message *message) {
    cd_status status = prepare_pixels(document, window, message);
    if (status) return status;
    cairo_t *context = cairo_create(document->pixels);
    prepare_context(context, window);
    status = document->library->draw(document->page, context, message);
    if (!status && cairo_status(context))
        status = cd_fail(
            message, CD_OUT_OF_MEMORY, "cairo could not draw the page: %s",
            cairo_status_to_string(cairo_status(context)));
    cairo_destroy(context);
    cairo_surface_flush(document->pixels);
    *pixels = (const uint32_t *)(const void *)cairo_image_surface_get_data(document->pixels);
    return status;
}
