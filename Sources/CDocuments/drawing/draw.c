#include "../document.h"
#include "../message.h"
#include "grid.h"
#include "rules.h"

#include <math.h>
#include <string.h>

// Cairo counts pixels in 24 bits; half of them leave room for what lies beside the page.
static const double most_extent = 1 << 22;
// Where projections differ more, a plan is not drawn as one.
static const double most_stretch = 2;

/* New pixels, all transparent. */
static cd_status make_pixels(int width, int height, cairo_surface_t **pixels, cd_message *message) {
    *pixels = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, width, height);
    if (!cairo_surface_status(*pixels)) return CD_OK;
    cairo_surface_destroy(*pixels);
    *pixels = 0;
    return cd_fail(message, CD_OUT_OF_MEMORY, "there is no memory for %d x %d pixels", width, height);
}

/* Draws a cell, of which a window is a copy. */
static cd_status draw_cell(
    cd_document *document, cd_cell *cell, const cd_window *window, bool is_recorded, cd_message *message) {
    cairo_surface_t *pixels;
    cd_status status = make_pixels(window->width, window->height, &pixels, message);
    if (status) return status;
    status = cd_draw_page(document, window, is_recorded, pixels, message);
    cairo_surface_flush(pixels);
    if (status)
        cairo_surface_destroy(pixels);
    else
        cell->pixels = pixels;
    return status;
}

static uint8_t *pixel_at(cairo_surface_t *surface, double column, double row) {
    return cairo_image_surface_get_data(surface) + (size_t)row * cairo_image_surface_get_stride(surface)
        + (size_t)column * 4;
}

/* Copies what a cell holds of a window. */
static void copy(const cd_cell *cell, int size, const cd_window *window, cairo_surface_t *pixels) {
    double left = (double)cell->column * size, top = (double)cell->row * size;
    cd_box part = cd_intersection((cd_box){left, top, left + size, top + size}, cd_box_of(window));
    for (double row = part.top; row < part.bottom; row++)
        memcpy(
            pixel_at(pixels, part.left - window->column, row - window->row),
            pixel_at(cell->pixels, part.left - left, row - top), (size_t)(part.right - part.left) * 4);
}

/* Draws the cells of a part of a window that are not there, and copies them. */
static cd_status draw_part(
    cd_document *document, const cd_window *window, cd_box part, cairo_surface_t *pixels,
    cd_message *message) {
    int size = document->is_drawn_directly ? CD_CELL_OF_DIRECT_PAGE : CD_CELL;
    int left = (int)floor(part.left / size), right = (int)ceil(part.right / size);
    int top = (int)floor(part.top / size), bottom = (int)ceil(part.bottom / size);
    cd_status status = CD_OK;
    for (int row = top; row < bottom; row++)
        for (int column = left; column < right && !status; column++) {
            cd_window place = *window;
            place.column = (int64_t)column * size, place.row = (int64_t)row * size;
            place.width = place.height = size;
            cd_cell *cell = cd_cells_find(&document->cells, column, row, size);
            if (!cell->pixels)
                status = draw_cell(document, cell, &place, !document->is_drawn_directly, message);
            if (!status) copy(cell, size, window, pixels);
        }
    return status;
}

/* The pixels of a page by a matrix; false if there are more than cairo counts. */
static bool has_sane_extent(const cd_document *document, const double matrix[6], cd_box *page) {
    *page = cd_pixels_of(matrix, 0, 0, document->description.width, document->description.height);
    return page->right - page->left <= most_extent && page->bottom - page->top <= most_extent;
}

/* Whether a window is nearly as its base says: lines and tiles are measured by that. */
static bool is_near_base(const cd_window *window) {
    cairo_matrix_t base = cd_matrix_from(window->base, 0, 0), matrix = cd_matrix_from(window->matrix, 0, 0);
    double least, most;
    if (cairo_matrix_invert(&base)) return false;
    cairo_matrix_multiply(&base, &base, &matrix);
    cd_scales(&base, &least, &most);
    return least >= 1 / most_stretch && most <= most_stretch;
}

static cd_status check(
    const cd_document *document, const cd_window *window, cd_box *page, cd_message *message) {
    cd_box of_base;
    if (!has_sane_extent(document, window->base, &of_base)
        || !has_sane_extent(document, window->matrix, page))
        return cd_fail(message, CD_BAD_REQUEST, "a page is drawn at up to %.0f pixels across", most_extent);
    if (!is_near_base(window))
        return cd_fail(message, CD_BAD_REQUEST, "the window is another drawing than the whole");
    return CD_OK;
}

cd_status cd_draw(
    cd_document *document, const cd_window *window, const uint32_t **pixels, cd_message *message) {
    if (document->pixels) cairo_surface_destroy(document->pixels);
    cd_status status = make_pixels(window->width, window->height, &document->pixels, message);
    cd_box page;
    if (!status) status = check(document, window, &page, message);
    if (status) return status;
    const double *clip = window->clip;
    cd_box part = cd_intersection(page, cd_pixels_of(window->matrix, clip[0], clip[1], clip[2], clip[3]));
    part = cd_intersection(part, cd_box_of(window));
    if (!cd_are_alike(&document->cells.window, window)) cd_cells_clear(&document->cells);
    document->cells.window = *window;
    if (!cd_is_empty(part)) status = draw_part(document, window, part, document->pixels, message);
    if (!window->is_one_of_many) {
        cd_cells_clear(&document->cells);
        cd_recording_clear(&document->recording);
    }
    *pixels = (const uint32_t *)(const void *)cairo_image_surface_get_data(document->pixels);
    return status;
}
