/* Decoded rows in memory. Most blocks of a plan have one colour: only the others are stored. */
#include "kernels.h"

#include "elements.h"

#include <string.h>

enum {
    COLUMNS = CR_BLOCK_COLUMNS,
    ROWS = CR_BLOCK_ROWS,
    LINE = 64, /* a cache line */
};

#define INLINE static inline __attribute__((always_inline))

/* Calls a function with a constant number of bytes per pixel, so that the compiler uses a few vectors. */
#define WITH_SIZE(size, call, ...)            \
    do {                                      \
        switch (size) {                       \
        case 1: call(1, __VA_ARGS__); break;  \
        case 3: call(3, __VA_ARGS__); break;  \
        default: call(4, __VA_ARGS__); break; \
        }                                     \
    } while (0)

INLINE uint64_t load(const uint8_t *bytes) {
    uint64_t value;
    memcpy(&value, bytes, sizeof value);
    return value;
}

/* Whether bytes differ; the count is at least 8. */
INLINE int differ(const uint8_t *a, const uint8_t *b, size_t count) {
    uint64_t bits = 0;
    for (size_t i = 0; i + 8 <= count; i += 8) bits |= load(a + i) ^ load(b + i);
    if (count % 8 != 0) bits |= load(a + count - 8) ^ load(b + count - 8);
    return bits != 0;
}

INLINE uint8_t is_uniform(size_t size, const uint8_t *pixels, ptrdiff_t stride) {
    if (differ(pixels, pixels + size, (COLUMNS - 1) * size)) return 0;
    for (ptrdiff_t y = 1; y < ROWS; y++)
        if (differ(pixels, pixels + y * stride, COLUMNS * size)) return 0;
    return 1;
}

/* The index of a row of blocks in the tables. */
static int32_t place_of(const cr_source_rows *source, int32_t row) {
    return row / ROWS % source->rows_of_blocks;
}

/* The index of the first block of a row of blocks. */
static size_t first_block(const cr_source_rows *source, int32_t row) {
    return (size_t)place_of(source, row) * (size_t)source->blocks_per_row;
}

INLINE void survey(
    size_t size, const uint8_t *bytes, ptrdiff_t stride, uint8_t *uniform, uint32_t *pixels, int32_t count) {
    for (int32_t i = 0; i < count; i++, bytes += COLUMNS * size) {
        uniform[i] = is_uniform(size, bytes, stride);
        pixels[i] = 0;
        memcpy(pixels + i, bytes, size);
    }
}

void cr_survey_blocks(const cr_source_rows *source, int32_t row, const uint8_t *bytes, ptrdiff_t stride) {
    const size_t first = first_block(source, row);
    WITH_SIZE(
        source->bytes_per_pixel, survey, bytes, stride, source->uniform + first, source->pixels + first,
        source->blocks_per_row);
    source->compact[place_of(source, row)] = 0;
}

/* Copies the rows of a block, or of the columns after the last block. For a block, the count is constant. */
INLINE void copy_block(
    size_t size, const uint8_t *bytes, ptrdiff_t stride, uint8_t *result, ptrdiff_t result_stride,
    size_t rows, size_t columns) {
    for (size_t y = 0; y < rows; y++, bytes += stride, result += result_stride)
        if (columns == COLUMNS)
            memcpy(result, bytes, COLUMNS * size);
        else
            memcpy(result, bytes, columns * size);
}

/* The number of columns to the right of the last whole block. */
static size_t rest_of(const cr_source_rows *source) { return (size_t)(source->columns % COLUMNS); }

INLINE void keep(
    size_t size, const cr_source_rows *source, int32_t row, const uint8_t *bytes, ptrdiff_t stride) {
    const size_t rest = rest_of(source), count = (size_t)source->blocks_per_row;
    const uint8_t *uniform = source->uniform + first_block(source, row);
    uint32_t *pixels = source->pixels + first_block(source, row), kept = 0;
    const ptrdiff_t width = (ptrdiff_t)(COLUMNS * size), rest_width = (ptrdiff_t)(rest * size);
    uint8_t *result = row_of(source->rows, row);
    copy_block(size, bytes + (ptrdiff_t)count * width, stride, result, rest_width, ROWS, rest);
    result += ROWS * rest_width;
    for (size_t i = 0; i < count; i++) {
        if (uniform[i]) continue;
        pixels[i] = kept++;
        copy_block(size, bytes + (ptrdiff_t)i * width, stride, result, width, ROWS, COLUMNS);
        result += ROWS * width;
    }
}

void cr_keep_compact(const cr_source_rows *source, int32_t row, const uint8_t *bytes, ptrdiff_t stride) {
    WITH_SIZE(source->bytes_per_pixel, keep, source, row, bytes, stride);
    source->compact[place_of(source, row)] = 1;
}

/* Writes a row of a block of one colour. */
INLINE void repeat_pixel(size_t size, uint32_t pixel, uint8_t *result) {
    for (size_t i = 0; i < COLUMNS; i++) memcpy(result + i * size, &pixel, size);
}

/* Copies rows of one row of blocks, from `row` to its end, as plain rows. */
INLINE void gather(
    size_t size, const cr_source_rows *source, int32_t row, cr_span columns, uint8_t *result,
    ptrdiff_t stride) {
    const int32_t skipped = row % ROWS;
    const size_t place = first_block(source, row), rest = rest_of(source), count = (size_t)(ROWS - skipped);
    const ptrdiff_t width = (ptrdiff_t)(COLUMNS * size), rest_width = (ptrdiff_t)(rest * size);
    const uint8_t *kept = row_of(source->rows, row - skipped);
    for (int32_t i = columns.first / COLUMNS; i * COLUMNS < columns.end; i++, result += width) {
        if (i == source->blocks_per_row) {
            copy_block(size, kept + skipped * rest_width, rest_width, result, stride, count, rest);
        } else if (source->uniform[place + (size_t)i]) {
            uint8_t line[COLUMNS * 4];
            repeat_pixel(size, source->pixels[place + (size_t)i], line);
            copy_block(size, line, 0, result, stride, count, COLUMNS);
        } else {
            const uint8_t *block =
                kept + ROWS * rest_width + (ptrdiff_t)source->pixels[place + (size_t)i] * ROWS * width;
            copy_block(size, block + skipped * width, width, result, stride, count, COLUMNS);
        }
    }
}

/* The stride of plain rows: whole blocks, and whole cache lines. */
static ptrdiff_t plain_stride(cr_span columns, int bytes_per_pixel) {
    const int32_t pixels = columns.end - columns.first + 2 * COLUMNS;
    return ((ptrdiff_t)pixels * bytes_per_pixel + LINE - 1) / LINE * LINE;
}

size_t cr_plain_bytes(cr_span columns, int bytes_per_pixel) {
    return ROWS * (size_t)plain_stride(columns, bytes_per_pixel);
}

const uint8_t *cr_source_row(const cr_source_rows *source, int32_t row, cr_plain_rows *plain) {
    const int size = source->bytes_per_pixel;
    const cr_span columns = plain->columns;
    if (!source->compact[place_of(source, row)])
        return (uint8_t *)row_of(source->rows, row) - (ptrdiff_t)source->first_column * size;
    const ptrdiff_t stride = plain_stride(columns, size);
    const int32_t first = columns.first / COLUMNS * COLUMNS;
    if (plain->row != row / ROWS) {
        uint8_t *result = plain->bytes + row % ROWS * stride;
        WITH_SIZE(size, gather, source, row, columns, result, stride);
        plain->row = row / ROWS;
    }
    return plain->bytes + row % ROWS * stride - (ptrdiff_t)first * size;
}

void cr_fill(const int16_t *pixel, int16_t *result, size_t count) {
    uint64_t value;
    memcpy(&value, pixel, sizeof value);
    for (size_t i = 0; i < count; i++) memcpy(result + 4 * i, &value, sizeof value);
}
