/* Resamples windows of upright images: a loop that calls kernels for each row. It is in C because windows are
 * small, and a call from Swift for each row would be slow. At the end: the taps of a row, arranged so that
 * those of several pixels can be weighed at once. */
#include "kernels.h"

#include "elements.h"

#include <string.h>

/* The arguments and the state of resampling a window. */
typedef struct {
    const cr_kernels *kernels;
    const cr_source *source;
    const cr_upright_weights *weights;
    cr_upright_scratch scratch;
    cr_span reach;  /* source columns that are read, padding included */
    cr_span inside; /* those of them that exist */
    cr_plain_rows *plain;
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

static void unpack(const window *window, const uint8_t *pixels, size_t count, int16_t *result) {
    switch (window->source->rows->bytes_per_pixel) {
    case 1: window->kernels->unpack_gray8(pixels, result, count); return;
    case 3: window->kernels->unpack_rgb8(pixels, result, count); return;
    default: window->kernels->unpack_rgba8(pixels, result, count); return;
    }
}

/* Deep pixels of all columns that are read; those outside the image are transparent. */
static void unpack_reach(const window *window, const uint8_t *row) {
    const cr_span reach = window->reach, inside = window->inside;
    int16_t *pixels = window->scratch.unpacked;
    const size_t before = (size_t)(inside.first - reach.first), behind = (size_t)(reach.end - inside.end);
    memset(pixels, 0, before * 4 * sizeof *pixels);
    const uint8_t *first = row + (ptrdiff_t)inside.first * window->source->rows->bytes_per_pixel;
    unpack(window, first, (size_t)(inside.end - inside.first), pixels + 4 * before);
    memset(pixels + 4 * (inside.end - reach.first), 0, behind * 4 * sizeof *pixels);
}

/* A row of the source, resampled along itself. */
static void resample_line(const window *window, int32_t index, int16_t *line) {
    const cr_upright_weights *weights = window->weights;
    if (window->inside.first >= window->inside.end) {
        memset(line, 0, weights->columns * 4 * sizeof *line);
        return;
    }
    const uint8_t *row = cr_source_row(window->source->rows, index, window->plain);
    if (weights->grouped.pairs > 0) {
        if (window->source->rows->bytes_per_pixel == 1)
            window->kernels->resample_gray8(row, weights->grouped, line, weights->columns);
        else
            window->kernels->resample_rgb8(row, weights->grouped, line, weights->columns);
        return;
    }
    unpack_reach(window, row);
    window->kernels->resample_row(
        window->scratch.unpacked - 4 * (ptrdiff_t)window->reach.first, weights->starts, weights->weights,
        weights->taps, line, weights->columns);
}

/* The line of a row. It is computed if its slot contains a different row. */
static const int16_t *line_of(const window *window, int32_t row) {
    if (row < 0 || row >= window->source->rows->height) return window->scratch.zeros;
    const int32_t slot = row % window->weights->row_taps;
    int16_t *line = window->scratch.lines + 4 * (size_t)slot * window->weights->columns;
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
        reads.end - reads.first, result, weights->columns);
}

void cr_resample_window(
    const cr_kernels *kernels, cr_source source, const cr_upright_weights *weights,
    cr_upright_scratch scratch, cr_row_ring result, int32_t first_row) {
    const cr_span reach = reach_of(weights);
    const cr_span inside = {greater(reach.first, 0), lesser(reach.end, source.width)};
    cr_plain_rows plain = {scratch.plain, inside, -1};
    const window window = {kernels, &source, weights, scratch, reach, inside, &plain};
    for (size_t i = 0; i < weights->rows; i++)
        resample_row(&window, i, row_of(result, first_row + (int32_t)i));
}

/* The number of pairs of taps, without those at the end whose weights are all 0; at least 1. */
static int count_pairs(const int16_t *weights, int taps, size_t count) {
    int pairs = 1;
    for (size_t i = 0; i < count; i++, weights += taps)
        for (int k = 2 * pairs; k < taps; k++)
            if (weights[k] != 0) pairs = k / 2 + 1;
    return pairs;
}

static cr_span span_of(const int32_t *starts, int pairs) {
    cr_span span = {starts[0], starts[0]};
    for (int j = 1; j < CR_TAP_GROUP; j++) {
        if (starts[j] < span.first) span.first = starts[j];
        if (starts[j] > span.end) span.end = starts[j];
    }
    span.end += 2 * pairs;
    return span;
}

/* Writes the first two taps of each pixel; returns the beginning of the weights. */
static int16_t *put_places(const int32_t *starts, int32_t first, int16_t *group) {
    for (int j = 0; j < CR_TAP_GROUP; j++) {
        *group++ = (int16_t)(starts[j] - first);
        *group++ = (int16_t)(starts[j] - first + 1);
    }
    return group;
}

int cr_group_taps(
    const int32_t *starts, const int16_t *weights, int taps, cr_span *spans, int16_t *groups, size_t count) {
    const int pairs = count_pairs(weights, taps, count);
    for (size_t i = 0; i < count; i += CR_TAP_GROUP, spans++) {
        const size_t last = count - CR_TAP_GROUP, first = i < last ? i : last;
        *spans = span_of(starts + first, pairs);
        if (spans->end - spans->first > CR_TAP_SPAN) return 0;
        groups = put_places(starts + first, spans->first, groups);
        for (int pair = 0; pair < pairs; pair++)
            for (size_t j = 0; j < CR_TAP_GROUP; j++, groups += 2)
                memcpy(groups, weights + (first + j) * (size_t)taps + 2 * pair, 2 * sizeof *groups);
    }
    return pairs;
}
