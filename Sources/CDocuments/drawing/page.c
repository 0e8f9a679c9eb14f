#include "../document.h"

#include <math.h>
#include <string.h>

static void prepare_context(cairo_t *context, const cd_window *window) {
    cairo_set_antialias(context, window->is_aliased ? CAIRO_ANTIALIAS_NONE : CAIRO_ANTIALIAS_DEFAULT);
    cairo_font_options_t *options = cairo_font_options_create();
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
    cairo_font_options_set_antialias(options, cairo_get_antialias(context));
    cairo_set_font_options(context, options);
    cairo_font_options_destroy(options);
}

static cd_status check(cairo_status_t status, cd_message *message) {
    if (!status) return CD_OK;
    cd_status result = status == CAIRO_STATUS_NO_MEMORY ? CD_OUT_OF_MEMORY : CD_DAMAGED;
    return cd_fail(message, result, "it cannot be drawn: %s", cairo_status_to_string(status));
}

/* Lets the library draw the page on a surface whose first pixel is (column, row). */
static cd_status draw(
    cd_document *document, const cd_window *window, cairo_matrix_t matrix, cairo_surface_t *surface,
    cd_message *message) {
    cairo_t *context = cairo_create(surface);
    prepare_context(context, window);
    cairo_set_matrix(context, &matrix);
    cd_current_rules = (cd_rules){
        .is_drawing = true,
        .is_pdf = document->library->is_pdf,
        .is_aliased = window->is_aliased,
        .thinnest_line = window->thinnest_line,
        .palest_line = window->palest_line,
    };
    cd_status status = document->library->draw(document->page, context, message);
    cd_current_rules.is_drawing = false;
    if (!status) status = check(cairo_status(context), message);
    if (cd_current_rules.lacked_memory)
        status = cd_fail(message, CD_OUT_OF_MEMORY, "not enough memory for a picture, filter or group on it");
    cairo_destroy(context);
    return status;
}

void cd_recording_clear(cd_recording *recording) {
    if (recording->surface) cairo_surface_destroy(recording->surface);
    memset(recording, 0, sizeof *recording);
}

/* Whether both windows can use the same recording. */
static bool have_same_recording(const cd_window *a, const cd_window *b) {
    return !memcmp(a->base, b->base, sizeof a->base) && a->thinnest_line == b->thinnest_line
        && a->palest_line == b->palest_line && a->is_aliased == b->is_aliased;
}

bool cd_are_alike(const cd_window *a, const cd_window *b) {
    return have_same_recording(a, b) && !memcmp(a->matrix, b->matrix, sizeof a->matrix)
        && !memcmp(a->clip, b->clip, sizeof a->clip);
}

static cd_status record(cd_document *document, const cd_window *window, cd_message *message) {
    cd_recording *recording = &document->recording;
    cd_recording_clear(recording);
    const cd_page *description = &document->description;
    cd_box page = cd_pixels_of(window->base, 0, 0, description->width, description->height);
    cairo_rectangle_t extents = {0, 0, page.right - page.left, page.bottom - page.top};
    cairo_surface_t *surface = cairo_recording_surface_create(CAIRO_CONTENT_COLOR_ALPHA, &extents);
    cd_status status = check(cairo_surface_status(surface), message);
    cairo_matrix_t matrix = cd_matrix_from(window->base, page.left, page.top);
    if (!status) status = draw(document, window, matrix, surface, message);
    *recording = (cd_recording){surface, *window, page.left, page.top};
    if (status) cd_recording_clear(recording);
    return status;
}

static bool has_own_matrix(const cd_window *window) {
    return memcmp(window->matrix, window->base, sizeof window->base);
}

/* The matrix from pixels of a recording to pixels of a window: a shift by whole pixels if the window's matrix
 * is its base. */
static cairo_matrix_t matrix_to(const cd_recording *recording, const cd_window *window) {
    double column = (double)window->column, row = (double)window->row;
    cairo_matrix_t result;
    cairo_matrix_init_translate(&result, recording->column - column, recording->row - row);
    if (!has_own_matrix(window)) return result;
    cairo_matrix_t points = cd_matrix_from(window->base, recording->column, recording->row);
    cairo_matrix_t pixels = cd_matrix_from(window->matrix, column, row);
    // Its determinant was checked.
    if (!cairo_matrix_invert(&points)) cairo_matrix_multiply(&result, &points, &pixels);
    // If a matrix only shifts, cairo clips at whole pixels. A change of less than a thousandth of a pixel,
    // over the widest page, avoids this.
    if (fabs(result.xx - 1) < 1e-11) result.xx = 1 + 1e-11;
    return result;
}

static cd_status play(
    const cd_recording *recording, const cd_window *window, cairo_surface_t *pixels, cd_message *message) {
    // If cairo knows that pixels are clear, it replays commands directly into them, and clips each command to
    // them. But cairo 1.16 stops at the first command of which nothing is left, and drops all later commands.
    cairo_surface_mark_dirty(pixels);
    cairo_t *context = cairo_create(pixels);
    cairo_matrix_t matrix = matrix_to(recording, window);
    cairo_set_matrix(context, &matrix);
    cairo_set_source_surface(context, recording->surface, 0, 0);
    // A recording is not an image, so nothing is resampled. But with the filter for the nearest pixel, cairo
    // would round a shift to whole pixels.
    cairo_filter_t filter = has_own_matrix(window) ? CAIRO_FILTER_GOOD : CAIRO_FILTER_NEAREST;
    cairo_pattern_set_filter(cairo_get_source(context), filter);
    cairo_paint(context);
    cd_status status = check(cairo_status(context), message);
    cairo_destroy(context);
    return status;
}

/* Whether the whole window is inside the clip. */
static bool is_inside_clip(const cd_window *window) {
    cairo_matrix_t matrix = cd_matrix_from(window->matrix, (double)window->column, (double)window->row);
    if (cairo_matrix_invert(&matrix)) return false;
    const double *clip = window->clip;
    for (int corner = 0; corner < 4; corner++) {
        double x = corner & 1 ? window->width : 0, y = corner & 2 ? window->height : 0;
        cairo_matrix_transform_point(&matrix, &x, &y);
        if (x < clip[0] || y < clip[1] || x > clip[2] || y > clip[3]) return false;
    }
    return true;
}

/* Clips the finished drawing, so that overlapping objects at the edge are clipped only once. */
static cd_status cut(const cd_window *window, cairo_surface_t *pixels, cd_message *message) {
    if (is_inside_clip(window)) return CD_OK;
    cairo_t *context = cairo_create(pixels);
    prepare_context(context, window);
    cairo_matrix_t matrix = cd_matrix_from(window->matrix, (double)window->column, (double)window->row);
    cairo_set_matrix(context, &matrix);
    const double *clip = window->clip;
    cairo_rectangle(context, clip[0], clip[1], clip[2] - clip[0], clip[3] - clip[1]);
    cairo_set_operator(context, CAIRO_OPERATOR_DEST_IN);
    cairo_set_source_rgb(context, 0, 0, 0);
    cairo_fill(context);
    cd_status status = check(cairo_status(context), message);
    cairo_destroy(context);
    return status;
}

cd_status cd_draw_page(
    cd_document *document, const cd_window *window, bool is_recorded, cairo_surface_t *pixels,
    cd_message *message) {
    cd_status status = CD_OK;
    if (is_recorded) {
        const cd_recording *recording = &document->recording;
        if (!recording->surface || !have_same_recording(&recording->window, window))
            status = record(document, window, message);
        if (!status) status = play(recording, window, pixels, message);
    } else {
        cairo_matrix_t matrix = cd_matrix_from(window->matrix, (double)window->column, (double)window->row);
        status = draw(document, window, matrix, pixels, message);
    }
    return status ? status : cut(window, pixels, message);
}
