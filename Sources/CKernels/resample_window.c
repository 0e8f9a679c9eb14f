/* Resamples windows of upright images: a loop that calls kernels for each row. It is in C because windows are
 * small, and a call from Swift for each row would be slow. */
#include "rounding.h"

#include "elements.h"
#include "kernels.h"

#include <string.h>

/* The arguments and the state of resampling a window. */
typedef struct {
    const cr_kernels *kernels;
    const cr_source *source;
    const cr_upright_weights *weights;
    cr_upright_scratch scratch;
    cr_span reach; /* source columns that are read, padding included */
    cr_planes planes;
    cr_span gathered; /* columns of gathered rows, whole blocks */
    ptrdiff_t stride; /* of gathered rows */
} window;

static cr_span reach_of(const cr_upright_weights *weights) {
    cr_span reach = {weights->starts[0], weights->starts[0]};
    for (size_t i = 1; i < weights->columns; i++) {
        reach.first = lesser(reach.first, weights->starts[i]);
        reach.end = greater(reach.end, weights->starts[i]);
    }
    reach.end += weights->taps;
    return reach;
}

static int is_compact(const cr_source *source, int32_t row) {
    const cr_block_ring *blocks = &source->blocks;
    return blocks->compact != NULL && blocks->compact[row / CR_BLOCK_ROWS % blocks->rows];
}

/* A row of the gathered rows. Rows of a window are used in order. */
static const uint8_t *gathered(const window *window, int32_t row) {
    const cr_upright_scratch *scratch = &window->scratch;
    const ptrdiff_t place = row % CR_BLOCK_ROWS * window->stride;
    if (*scratch->gathered_row != row / CR_BLOCK_ROWS) {
        const cr_span rows = {row, (row / CR_BLOCK_ROWS + 1) * CR_BLOCK_ROWS};
        cr_gather_blocks(window->source, rows, window->gathered, scratch->gathered + place, window->stride);
        *scratch->gathered_row = row / CR_BLOCK_ROWS;
    }
    return scratch->gathered + place;
}

static const uint8_t *samples(const window *window, int32_t row, int32_t column) {
    const cr_source *source = window->source;
    if (is_compact(source, row))
        return gathered(window, row) + (ptrdiff_t)(column - window->gathered.first) * source->bytes_per_pixel;
    return (uint8_t *)row_of(source->rows, row)
        + (ptrdiff_t)(column - source->first_column) * source->bytes_per_pixel;
}

/* Prefetches a part of the row below `row`, unless `row` is compact. The row below may not be in memory yet,
 * so it is not examined. */
static void fetch_below(const window *window, int32_t row, cr_span columns) {
    const cr_source *source = window->source;
    if (row + 1 >= source->height || is_compact(source, row)) return;
    const size_t size = (size_t)source->bytes_per_pixel;
    const uint8_t *first = row_of(source->rows, row + 1);
    cr_fetch(
        first + (size_t)(columns.first - source->first_column) * size,
        (size_t)(columns.end - columns.first) * size);
}

static void unpack(const window *window, int32_t row, cr_span columns, int16_t *result) {
    const uint8_t *pixels = samples(window, row, columns.first);
    const size_t count = (size_t)(columns.end - columns.first);
    switch (window->source->bytes_per_pixel) {
    case 1: window->kernels->unpack_gray8(pixels, result, count); return;
    case 3: window->kernels->unpack_rgb8(pixels, result, count); return;
    default: window->kernels->unpack_rgba8(pixels, result, count); return;
    }
}

/* Deep pixels of all columns that are read; those outside the image are transparent. */
static void unpack_reach(const window *window, int32_t row, cr_span inside) {
    const cr_span reach = window->reach;
    int16_t *pixels = window->scratch.unpacked;
    const size_t before = (size_t)(inside.first - reach.first), behind = (size_t)(reach.end - inside.end);
    memset(pixels, 0, before * 4 * sizeof *pixels);
    unpack(window, row, inside, pixels + 4 * before);
    memset(pixels + 4 * (inside.end - reach.first), 0, behind * 4 * sizeof *pixels);
}

/* A row of the source, resampled along itself. */
static void resample_line(const window *window, int32_t row, int16_t *line) {
    const cr_upright_weights *weights = window->weights;
    const cr_span reach = window->reach;
    const cr_span inside = {greater(reach.first, 0), lesser(reach.end, window->source->width)};
    if (inside.first >= inside.end) {
        memset(line, 0, weights->columns * 4 * sizeof *line);
        return;
    }
    fetch_below(window, row, inside);
    if (weights->grouped.pairs > 0) {
        const uint8_t *origin = samples(window, row, 0);
        if (window->planes.count > 0)
            window->kernels->resample_planes(
                origin, window->planes.count, weights->grouped, line, window->planes.step, weights->columns);
        else if (window->source->bytes_per_pixel == 1)
            window->kernels->resample_gray8(origin, weights->grouped, line, weights->columns);
        else
            window->kernels->resample_rgb8(origin, weights->grouped, line, weights->columns);
        return;
    }
    unpack_reach(window, row, inside);
    window->kernels->resample_row(
        window->scratch.unpacked - 4 * (ptrdiff_t)reach.first, weights->starts, weights->weights,
        weights->taps, line, weights->columns);
}

/* The size of a line, in pixels of four samples. */
static size_t line_size(const window *window) {
    const cr_planes planes = window->planes;
    return planes.count > 0 ? (size_t)planes.count * (size_t)planes.step / 4 : window->weights->columns;
}

/* The line of a row. It is computed if its slot contains a different row. */
static const int16_t *line_of(const window *window, int32_t row) {
    if (row < 0 || row >= window->source->height) return window->scratch.zeros;
    const int32_t slot = row % window->weights->row_taps;
    int16_t *line = window->scratch.lines + 4 * (size_t)slot * line_size(window);
    if (window->scratch.slots[slot] != row) {
        resample_line(window, row, line);
        window->scratch.slots[slot] = row;
    }
    return line;
}

static void resample_row(const window *window, size_t index, int16_t *result) {
    const cr_upright_weights *weights = window->weights;
    const cr_span reads = weights->reads[index];
    // For a sliver at the image's edge, all weights may round to zero: then no row is read.
    if (reads.first == reads.end) {
        memset(result, 0, weights->columns * 4 * sizeof *result);
        return;
    }
    for (int32_t row = reads.first; row < reads.end; row++)
        window->scratch.pointers[row - reads.first] = line_of(window, row);
    window->kernels->combine_rows(
        window->scratch.pointers, weights->row_weights + index * (size_t)weights->row_taps,
        reads.end - reads.first, result, line_size(window));
}

/* The stride of rows with `columns` columns, extended to whole blocks: whole cache lines. */
static size_t gathered_stride(size_t columns, size_t bytes_per_pixel) {
    enum { LINE = 64 };
    return ((columns + 2 * CR_BLOCK_COLUMNS) * bytes_per_pixel + LINE - 1) / LINE * LINE;
}

size_t cr_gathered_bytes(size_t columns, size_t bytes_per_pixel) {
    return CR_BLOCK_ROWS * gathered_stride(columns, bytes_per_pixel);
}

void cr_resample_window(
    const cr_kernels *kernels, cr_source source, const cr_upright_weights *weights,
    cr_upright_scratch scratch, cr_row_ring result, int32_t first_row, cr_planes planes) {
    const cr_span reach = reach_of(weights);
    const cr_span gathered = {
        greater(reach.first, 0) / CR_BLOCK_COLUMNS * CR_BLOCK_COLUMNS, lesser(reach.end, source.width)};
    const size_t columns = (size_t)(reach.end - reach.first), size = (size_t)source.bytes_per_pixel;
    const window window = {kernels, &source, weights,  scratch,
                           reach,   planes,  gathered, (ptrdiff_t)gathered_stride(columns, size)};
    for (size_t i = 0; i < weights->rows; i++)
        resample_row(&window, i, row_of(result, first_row + (int32_t)i));
}
