#include "../document.h"

#include <math.h>
#include <string.h>

// The grid

cairo_matrix_t cd_matrix_from(const double m[6], double column, double row) {
    cairo_matrix_t matrix;
    cairo_matrix_init(&matrix, m[0], m[3], m[1], m[4], m[2] - column, m[5] - row);
    return matrix;
}

cd_box cd_pixels_of(const double m[6], double left, double top, double right, double bottom) {
    cairo_matrix_t matrix = cd_matrix_from(m, 0, 0);
    cd_box result = {HUGE_VAL, HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    for (int corner = 0; corner < 4; corner++) {
        double x = corner & 1 ? right : left, y = corner & 2 ? bottom : top;
        cairo_matrix_transform_point(&matrix, &x, &y);
        result.left = fmin(result.left, floor(x));
        result.top = fmin(result.top, floor(y));
        result.right = fmax(result.right, ceil(x));
        result.bottom = fmax(result.bottom, ceil(y));
    }
    return result;
}

static cd_box intersection(cd_box a, cd_box b) {
    return (cd_box){
        fmax(a.left, b.left), fmax(a.top, b.top), fmin(a.right, b.right), fmin(a.bottom, b.bottom)};
}

static bool is_empty(cd_box box) { return !(box.left < box.right && box.top < box.bottom); }

static cd_box box_of(const cd_window *window) {
    double column = (double)window->column, row = (double)window->row;
    return (cd_box){column, row, column + window->width, row + window->height};
}

// Cells

static int most_pixels = CD_MOST_CELL_PIXELS;

void cd_cells_bound(int64_t bytes) {
    int64_t pixels = bytes / 4 / (int64_t)sizeof(uint32_t);
    most_pixels = pixels < CD_MOST_CELL_PIXELS ? (int)pixels : CD_MOST_CELL_PIXELS;
}

static int most_cells(int size) {
    int count = most_pixels / (size * size);
    return count > 1 ? count : 1;
}

static void forget(cd_cell *cell) {
    if (cell->pixels) cairo_surface_destroy(cell->pixels);
    memset(cell, 0, sizeof *cell);
}

void cd_cells_clear(cd_cells *cells) {
    for (int index = 0; index < CD_MOST_CELLS; index++) forget(&cells->cells[index]);
}

/* The cell that was drawn at a position, or a cell without pixels (NULL), into which it can be drawn. */
static cd_cell *find_cell(cd_cells *cells, int column, int row, int size) {
    cd_cell *oldest = cells->cells;
    for (int index = 0; index < most_cells(size); index++) {
        cd_cell *cell = &cells->cells[index];
        if (cell->pixels && cell->column == column && cell->row == row) {
            cell->turn = ++cells->turn;
            return cell;
        }
        if (cell->turn < oldest->turn) oldest = cell;
    }
    forget(oldest);
    *oldest = (cd_cell){0, column, row, ++cells->turn};
    return oldest;
}

// Windows

// Cairo has 24 bits for pixel coordinates; half of that range leaves room for parts outside the page.
static const double most_extent = 1 << 22;
// The largest factor between the scales of a window and of its base; other windows are refused.
static const double most_stretch = 2;

/* Allocates transparent pixels. */
static cd_status make_pixels(int width, int height, cairo_surface_t **pixels, cd_message *message) {
    *pixels = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, width, height);
    if (!cairo_surface_status(*pixels)) return CD_OK;
    cairo_surface_destroy(*pixels);
    *pixels = 0;
    return cd_fail(message, CD_OUT_OF_MEMORY, "there is not enough memory for %d x %d pixels", width, height);
}

/* Draws a cell, from which windows are copied. */
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

/* Copies a cell's part of a window. */
static void copy(const cd_cell *cell, int size, const cd_window *window, cairo_surface_t *pixels) {
    double left = (double)cell->column * size, top = (double)cell->row * size;
    cd_box part = intersection((cd_box){left, top, left + size, top + size}, box_of(window));
    for (double row = part.top; row < part.bottom; row++)
        memcpy(
            pixel_at(pixels, part.left - window->column, row - window->row),
            pixel_at(cell->pixels, part.left - left, row - top), (size_t)(part.right - part.left) * 4);
}

/* Draws the missing cells of a part of a window, and copies all its cells. */
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
            cd_cell *cell = find_cell(&document->cells, column, row, size);
            if (!cell->pixels)
                status = draw_cell(document, cell, &place, !document->is_drawn_directly, message);
            if (!status) copy(cell, size, window, pixels);
        }
    return status;
}

/* Computes the pixels of a page with a matrix; false if there are more than cairo can address. */
static bool has_sane_extent(const cd_document *document, const double matrix[6], cd_box *page) {
    *page = cd_pixels_of(matrix, 0, 0, document->description.width, document->description.height);
    return page->right - page->left <= most_extent && page->bottom - page->top <= most_extent;
}

/* Whether a window's matrix is near its base, by which lines and tiles are measured. */
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
        return cd_fail(message, CD_BAD_REQUEST, "the matrix of the window differs too much from its base");
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
    cd_box part = intersection(page, cd_pixels_of(window->matrix, clip[0], clip[1], clip[2], clip[3]));
    part = intersection(part, box_of(window));
    if (!cd_are_alike(&document->cells.window, window)) cd_cells_clear(&document->cells);
    document->cells.window = *window;
    if (!is_empty(part)) status = draw_part(document, window, part, document->pixels, message);
    if (!window->is_one_of_many) {
        cd_cells_clear(&document->cells);
        cd_recording_clear(&document->recording);
    }
    *pixels = (const uint32_t *)(const void *)cairo_image_surface_get_data(document->pixels);
    return status;
}
