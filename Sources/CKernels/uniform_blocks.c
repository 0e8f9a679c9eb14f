/* Finds the blocks of an image that have one colour, and stores the others. */
#include "rounding.h"

#include "CKernels.h"

#include <string.h>

#define INLINE static inline __attribute__((always_inline))

INLINE uint64_t load(const uint8_t *bytes) {
    uint64_t value;
    memcpy(&value, bytes, sizeof value);
    return value;
}

/* Whether bytes differ; the count is at least 8. All callers pass a constant count, so that the compiler uses
 * a few vectors. */
INLINE int differ(const uint8_t *a, const uint8_t *b, size_t count) {
    uint64_t bits = 0;
    for (size_t i = 0; i + 8 <= count; i += 8) bits |= load(a + i) ^ load(b + i);
    if (count % 8 != 0) bits |= load(a + count - 8) ^ load(b + count - 8);
    return bits != 0;
}

INLINE uint8_t is_uniform(const uint8_t *pixels, ptrdiff_t stride, size_t rows, size_t size) {
    enum { COLUMNS = CR_BLOCK_COLUMNS };
    if (differ(pixels, pixels + size, (COLUMNS - 1) * size)) return 0;
    for (size_t y = 1; y < rows; y++)
        if (differ(pixels, pixels + (ptrdiff_t)y * stride, COLUMNS * size)) return 0;
    return 1;
}

INLINE uint32_t first_pixel(const uint8_t *bytes, size_t size) {
    uint32_t pixel = 0;
    memcpy(&pixel, bytes, size);
    return pixel;
}

/* All callers pass a constant size. */
INLINE void find_uniform(
    const uint8_t *bytes, ptrdiff_t stride, size_t size, size_t rows, uint8_t *result, uint32_t *pixels,
    size_t count) {
    for (size_t i = 0; i < count; i++, bytes += CR_BLOCK_COLUMNS * size) {
        result[i] = is_uniform(bytes, stride, rows, size);
        pixels[i] = first_pixel(bytes, size);
    }
}

void cr_find_uniform(
    const uint8_t *bytes, ptrdiff_t stride, size_t bytes_per_pixel, size_t rows, uint8_t *result,
    uint32_t *pixels, size_t count) {
    switch (bytes_per_pixel) {
    case 1: return find_uniform(bytes, stride, 1, rows, result, pixels, count);
    case 3: return find_uniform(bytes, stride, 3, rows, result, pixels, count);
    default: return find_uniform(bytes, stride, 4, rows, result, pixels, count);
    }
}

/* Copies rows of bytes: in a few vectors each, if the count is constant. */
INLINE void copy_rows(
    const uint8_t *bytes, ptrdiff_t stride, uint8_t *result, ptrdiff_t result_stride, size_t rows,
    size_t count) {
    for (size_t y = 0; y < rows; y++, bytes += stride, result += result_stride) memcpy(result, bytes, count);
}

/* Copies the rows of a block, or of the columns after the last block. For a block, the count is constant. */
INLINE void copy_block(
    const uint8_t *bytes, ptrdiff_t stride, uint8_t *result, ptrdiff_t result_stride, size_t rows,
    size_t columns, size_t size) {
    if (columns == CR_BLOCK_COLUMNS)
        copy_rows(bytes, stride, result, result_stride, rows, CR_BLOCK_COLUMNS * size);
    else
        copy_rows(bytes, stride, result, result_stride, rows, columns * size);
}

INLINE void keep_mixed(
    const uint8_t *bytes, ptrdiff_t stride, size_t size, const uint8_t *uniform, uint32_t *pixels,
    size_t count, size_t behind, uint8_t *result) {
    enum { COLUMNS = CR_BLOCK_COLUMNS, ROWS = CR_BLOCK_ROWS };
    const ptrdiff_t width = (ptrdiff_t)(COLUMNS * size), rest = (ptrdiff_t)(behind * size);
    copy_block(bytes + (ptrdiff_t)count * width, stride, result, rest, ROWS, behind, size);
    result += ROWS * rest;
    uint32_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (uniform[i]) continue;
        pixels[i] = kept++;
        copy_block(bytes + (ptrdiff_t)i * width, stride, result, width, ROWS, COLUMNS, size);
        result += ROWS * width;
    }
}

void cr_keep_mixed(
    const uint8_t *bytes, ptrdiff_t stride, size_t bytes_per_pixel, const uint8_t *uniform, uint32_t *pixels,
    size_t count, size_t behind, uint8_t *result) {
    switch (bytes_per_pixel) {
    case 1: return keep_mixed(bytes, stride, 1, uniform, pixels, count, behind, result);
    case 3: return keep_mixed(bytes, stride, 3, uniform, pixels, count, behind, result);
    default: return keep_mixed(bytes, stride, 4, uniform, pixels, count, behind, result);
    }
}

/* Writes a row of a block of one colour. */
INLINE void repeat_pixel(uint32_t pixel, size_t size, uint8_t *result) {
    for (size_t i = 0; i < CR_BLOCK_COLUMNS; i++) memcpy(result + i * size, &pixel, size);
}

INLINE void gather_blocks(
    const cr_source *source, cr_span rows, cr_span columns, uint8_t *result, ptrdiff_t stride, size_t size) {
    enum { COLUMNS = CR_BLOCK_COLUMNS, ROWS = CR_BLOCK_ROWS };
    const cr_block_ring *blocks = &source->blocks;
    const int32_t index = rows.first / ROWS, skipped = rows.first % ROWS;
    const size_t place = (size_t)(index % blocks->rows) * (size_t)blocks->per_row;
    const ptrdiff_t width = (ptrdiff_t)(COLUMNS * size);
    const size_t behind = (size_t)(source->width % COLUMNS), count = (size_t)(rows.end - rows.first);
    const uint8_t *kept =
        (const uint8_t *)source->rows.first + index * ROWS % source->rows.capacity * source->rows.stride;
    const ptrdiff_t first = ROWS * (ptrdiff_t)(behind * size);
    for (int32_t i = columns.first / COLUMNS; i * COLUMNS < columns.end; i++, result += width) {
        if (i == blocks->per_row) {
            const ptrdiff_t rest = (ptrdiff_t)(behind * size);
            copy_block(kept + skipped * rest, rest, result, stride, count, behind, size);
        } else if (blocks->uniform[place + (size_t)i]) {
            uint8_t line[COLUMNS * 4];
            repeat_pixel(blocks->pixels[place + (size_t)i], size, line);
            copy_block(line, 0, result, stride, count, COLUMNS, size);
        } else {
            const uint8_t *block = kept + first + (ptrdiff_t)blocks->pixels[place + (size_t)i] * ROWS * width;
            copy_block(block + skipped * width, width, result, stride, count, COLUMNS, size);
        }
    }
}

void cr_gather_blocks(
    const cr_source *source, cr_span rows, cr_span columns, uint8_t *result, ptrdiff_t stride) {
    switch (source->bytes_per_pixel) {
    case 1: return gather_blocks(source, rows, columns, result, stride, 1);
    case 3: return gather_blocks(source, rows, columns, result, stride, 3);
    default: return gather_blocks(source, rows, columns, result, stride, 4);
    }
}

void cr_fill(const int16_t *pixel, int16_t *result, size_t count) {
    uint64_t value;
    memcpy(&value, pixel, sizeof value);
    for (size_t i = 0; i < count; i++) memcpy(result + 4 * i, &value, sizeof value);
}
