/*
 * The kernels for x86-64 with AVX2. Products of neighbouring taps are added in pairs by
 * `vpmaddwd`: 16-bit values times 16-bit weights into 32-bit sums, the reference's arithmetic.
 */
#include "kernels.h"

#if defined(__x86_64__)

#include "elements.h"

#include <immintrin.h>
#include <string.h>

#define TARGET __attribute__((target("avx2")))
/* A function that is compiled once for each common number of taps. */
#define BODY TARGET static inline __attribute__((always_inline))

TARGET static inline __m256i load_four(const int16_t *pixels) {
    return _mm256_loadu_si256((const __m256i *)pixels);
}

/* Inside each half of 128 bits: r0 g0 b0 a0 r1 g1 b1 a1 to r0 r1 g0 g1 b0 b1 a0 a1. */
TARGET static inline __m256i pair_channels(__m256i pixels) {
    const __m256i order = _mm256_setr_epi8(
        0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15,  // lower half
        0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15);
    return _mm256_shuffle_epi8(pixels, order);
}

/* Repeats four weights: w0 w1 four times, then w2 w3 four times. */
TARGET static inline __m256i pair_weights(const int16_t *weights) {
    const __m256i order = _mm256_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1);
    __m128i four = _mm_loadl_epi64((const __m128i *)weights);
    return _mm256_permutevar8x32_epi32(_mm256_castsi128_si256(four), order);
}

/* Four pixels times four weights: the sums of the first two, then of the last two. */
TARGET static inline __m256i weigh_four(__m256i pixels, const int16_t *weights) {
    return _mm256_madd_epi16(pair_channels(pixels), pair_weights(weights));
}

/* The sums of neighbouring pixels with their weights, in two halves. */
BODY __m256i weigh_taps(const int16_t *pixel, const int16_t *weight, int taps) {
    __m256i sum = _mm256_setzero_si256();
    int k = 0;
    do {
        sum = _mm256_add_epi32(sum, weigh_four(load_four(pixel + 4 * k), weight + k));
    } while ((k += 4) < taps);
    return sum;
}

TARGET static inline __m256i scale_down_lanes(__m256i sums) {
    const __m256i half = _mm256_set1_epi32(CR_WEIGHT_ONE >> 1);
    return _mm256_srai_epi32(_mm256_add_epi32(sums, half), CR_WEIGHT_BITS);
}

/* Adds the halves of two pixels' sums: one pixel, then the other. */
TARGET static inline __m256i add_halves(__m256i first, __m256i second) {
    __m256i inner = _mm256_permute2x128_si256(first, second, 0x21);
    __m256i outer = _mm256_blend_epi32(first, second, 0xf0);
    return _mm256_add_epi32(inner, outer);
}

/* Adds the halves, rounds, saturates and stores one pixel. */
TARGET static inline void store_one(int16_t *result, __m256i sums) {
    __m256i scaled = scale_down_lanes(add_halves(sums, sums));
    __m256i samples = _mm256_packs_epi32(scaled, scaled);
    _mm_storel_epi64((__m128i *)result, _mm256_castsi256_si128(samples));
}

/* The same for four pixels. */
TARGET static inline void store_four(int16_t *result, const __m256i sums[4]) {
    __m256i even = scale_down_lanes(add_halves(sums[0], sums[2]));
    __m256i odd = scale_down_lanes(add_halves(sums[1], sums[3]));
    _mm256_storeu_si256((__m256i *)result, _mm256_packs_epi32(even, odd));
}

BODY void resample_row_of(
    int taps, const int16_t *restrict source, const int32_t *restrict starts, const int16_t *restrict weights,
    int16_t *restrict result, size_t count) {
    size_t i = 0;
    for (; i + 4 <= count; i += 4, weights += 4 * taps) {
        __m256i sums[4];
        for (int j = 0; j < 4; j++)
            sums[j] = weigh_taps(source + 4 * (ptrdiff_t)starts[i + (size_t)j], weights + j * taps, taps);
        store_four(result + 4 * i, sums);
    }
    for (; i < count; i++, weights += taps)
        store_one(result + 4 * i, weigh_taps(source + 4 * (ptrdiff_t)starts[i], weights, taps));
}

TARGET void cr_resample_row_avx2(
    const int16_t *source, const int32_t *starts, const int16_t *weights, int taps, int16_t *result,
    size_t count) {
    switch (taps) {
    case 4: return resample_row_of(4, source, starts, weights, result, count);
    case 8: return resample_row_of(8, source, starts, weights, result, count);
    case 12: return resample_row_of(12, source, starts, weights, result, count);
    case 16: return resample_row_of(16, source, starts, weights, result, count);
    default: return resample_row_of(taps, source, starts, weights, result, count);
    }
}

/* The taps of neighbouring results are two pixels apart, so each half of a register is a pixel of the result.
 * Two results share pixels with the next two, which are read again. */
BODY void halve_row_of(
    int taps, const int16_t *restrict source, const int16_t *restrict weights, int16_t *restrict result,
    size_t count) {
    size_t i = 0;
    for (; i + 4 <= count; i += 4) {
        __m256i first = _mm256_setzero_si256(), second = first;
        int k = 0;
        do {
            int32_t pair;
            memcpy(&pair, weights + k, sizeof pair);
            __m256i weight = _mm256_set1_epi32(pair);
            const int16_t *pixel = source + 8 * i + 4 * k;
            __m256i low = pair_channels(load_four(pixel));
            __m256i high = pair_channels(load_four(pixel + 16));
            first = _mm256_add_epi32(first, _mm256_madd_epi16(low, weight));
            second = _mm256_add_epi32(second, _mm256_madd_epi16(high, weight));
        } while ((k += 2) < taps);
        __m256i samples = _mm256_packs_epi32(scale_down_lanes(first), scale_down_lanes(second));
        samples = _mm256_permute4x64_epi64(samples, _MM_SHUFFLE(3, 1, 2, 0));
        _mm256_storeu_si256((__m256i *)(result + 4 * i), samples);
    }
    for (; i < count; i++) store_one(result + 4 * i, weigh_taps(source + 8 * i, weights, taps));
}

TARGET void cr_halve_row_avx2(
    const int16_t *source, const int16_t *weights, int taps, int16_t *result, size_t count) {
    switch (taps) {
    case 4: return halve_row_of(4, source, weights, result, count);
    case 8: return halve_row_of(8, source, weights, result, count);
    case 12: return halve_row_of(12, source, weights, result, count);
    default: return halve_row_of(taps, source, weights, result, count);
    }
}

/* `vpavgw` rounds half up, but is unsigned: an offset is added, and then subtracted. */
TARGET void cr_halve_box_avx2(
    const int16_t *restrict upper, const int16_t *restrict lower, int16_t *restrict result, size_t count) {
    const __m256i sign = _mm256_set1_epi16(INT16_MIN);
    size_t i = 0;
    for (; i + 4 <= count; i += 4) {
        __m256i columns[2];
        for (int j = 0; j < 2; j++)
            columns[j] = _mm256_avg_epu16(
                _mm256_xor_si256(load_four(upper + 8 * i + 16 * j), sign),
                _mm256_xor_si256(load_four(lower + 8 * i + 16 * j), sign));
        __m256i even = _mm256_unpacklo_epi64(columns[0], columns[1]);
        __m256i odd = _mm256_unpackhi_epi64(columns[0], columns[1]);
        __m256i samples = _mm256_xor_si256(_mm256_avg_epu16(even, odd), sign);
        samples = _mm256_permute4x64_epi64(samples, _MM_SHUFFLE(3, 1, 2, 0));
        _mm256_storeu_si256((__m256i *)(result + 4 * i), samples);
    }
    halve_box_elements(upper + 8 * i, lower + 8 * i, result + 4 * i, count - i);
}

TARGET static inline __m256i pair_of(int16_t first, int16_t second) {
    return _mm256_set1_epi32((int32_t)((uint32_t)(uint16_t)first | (uint32_t)(uint16_t)second << 16));
}

/* Adds the weighted sums of two rows, 16 samples, to `low` and `high`. */
TARGET static inline void add_row_pair(
    __m256i *low, __m256i *high, __m256i upper, __m256i lower, __m256i weights) {
    __m256i a = _mm256_unpacklo_epi16(upper, lower), b = _mm256_unpackhi_epi16(upper, lower);
    *low = _mm256_add_epi32(*low, _mm256_madd_epi16(a, weights));
    *high = _mm256_add_epi32(*high, _mm256_madd_epi16(b, weights));
}

/* 16 samples, from `at` on, of all rows. */
BODY __m256i combine_16(const int16_t *const *rows, const int16_t *weights, int taps, size_t at) {
    __m256i low = _mm256_setzero_si256(), high = low;
    int k = 0;
    for (; k + 1 < taps; k += 2)
        add_row_pair(
            &low, &high, load_four(rows[k] + at), load_four(rows[k + 1] + at),
            pair_of(weights[k], weights[k + 1]));
    if (k < taps)
        add_row_pair(&low, &high, load_four(rows[k] + at), _mm256_setzero_si256(), pair_of(weights[k], 0));
    return _mm256_packs_epi32(scale_down_lanes(low), scale_down_lanes(high));
}

BODY void combine_rows_of(
    int taps, const int16_t *const *rows, const int16_t *weights, int16_t *restrict result, size_t count) {
    size_t samples = 4 * count, i = 0;
    for (; i + 16 <= samples; i += 16)
        _mm256_storeu_si256((__m256i *)(result + i), combine_16(rows, weights, taps, i));
    combine_rows_elements(rows, weights, taps, result, i, samples);
}

/* The compiler unrolls the loop for the usual numbers of rows; cubic halving reads 8. */
TARGET void cr_combine_rows_avx2(
    const int16_t *const *rows, const int16_t *weights, int taps, int16_t *result, size_t count) {
    switch (taps) {
    case 2: return combine_rows_of(2, rows, weights, result, count);
    case 3: return combine_rows_of(3, rows, weights, result, count);
    case 4: return combine_rows_of(4, rows, weights, result, count);
    case 8: return combine_rows_of(8, rows, weights, result, count);
    default: return combine_rows_of(taps, rows, weights, result, count);
    }
}

TARGET static void interpolate_row(double start, double step, double first, double *result, size_t count) {
    interpolate_row_elements(start, step, first, result, count);
}

TARGET static void fix_block(
    cr_position_block block, cr_position_grid grid, cr_position_limits limits, cr_position_extent *extent) {
    fix_block_elements(block, grid, limits, extent);
}

/* Combines four columns of an even number of rows. */
BODY __m256i combine_four(const int16_t *pixel, ptrdiff_t samples_per_row, const int16_t *weights, int taps) {
    __m256i low = _mm256_setzero_si256(), high = low;
    int r = 0;
    do {
        int32_t pair;
        memcpy(&pair, weights + r, sizeof pair);
        add_row_pair(
            &low, &high, load_four(pixel), load_four(pixel + samples_per_row), _mm256_set1_epi32(pair));
        pixel += 2 * samples_per_row;
    } while ((r += 2) < taps);
    return _mm256_packs_epi32(scale_down_lanes(low), scale_down_lanes(high));
}

/* The input of the warping kernels; either `across` and `down`, or the footprint. */
typedef struct {
    cr_window window;
    cr_phases across;
    cr_phases down;
    cr_footprint footprint;
} warp_source;

/* The sums of a pixel of the result, in two halves. */
typedef __m256i (*warp_sum)(const warp_source *source, int32_t x, int32_t y);

BODY __m256i warp_taps(const warp_source *source, int32_t x, int32_t y, int columns, int rows) {
    ptrdiff_t samples_per_row = 4 * source->window.pixels_per_row;
    const int16_t *pixel = warp_first_tap(source->window, x, y, columns, rows);
    const int16_t *weights_x = source->across.weights + warp_phase(x) * columns;
    const int16_t *weights_y = source->down.weights + warp_phase(y) * rows;
    __m256i sum = _mm256_setzero_si256();
    int k = 0;
    do {
        __m256i line = combine_four(pixel + 4 * k, samples_per_row, weights_y, rows);
        sum = _mm256_add_epi32(sum, weigh_four(line, weights_x + k));
    } while ((k += 4) < columns);
    return sum;
}

BODY __m256i warp_4_4(const warp_source *source, int32_t x, int32_t y) {
    return warp_taps(source, x, y, 4, 4);
}

BODY __m256i warp_4_2(const warp_source *source, int32_t x, int32_t y) {
    return warp_taps(source, x, y, 4, 2);
}

BODY __m256i warp_8_6(const warp_source *source, int32_t x, int32_t y) {
    return warp_taps(source, x, y, 8, 6);
}

BODY __m256i warp_8_8(const warp_source *source, int32_t x, int32_t y) {
    return warp_taps(source, x, y, 8, 8);
}

BODY __m256i warp_any(const warp_source *source, int32_t x, int32_t y) {
    return warp_taps(source, x, y, source->across.taps, source->down.taps);
}

BODY __m256i footprint_taps(const warp_source *source, int32_t x, int32_t y, int columns, int rows) {
    const int16_t *pixel = footprint_first_tap(source->window, x, y, source->footprint);
    const int16_t *weight = footprint_weights(x, y, source->footprint);
    __m256i sum = _mm256_setzero_si256();
    int r = 0;
    do {
        sum = _mm256_add_epi32(sum, weigh_taps(pixel, weight, columns));
        pixel += 4 * source->window.pixels_per_row;
        weight += columns;
    } while (++r < rows);
    return sum;
}

BODY __m256i footprint_4_3(const warp_source *source, int32_t x, int32_t y) {
    return footprint_taps(source, x, y, 4, 3);
}

BODY __m256i footprint_8_5(const warp_source *source, int32_t x, int32_t y) {
    return footprint_taps(source, x, y, 8, 5);
}

BODY __m256i footprint_any(const warp_source *source, int32_t x, int32_t y) {
    return footprint_taps(source, x, y, source->footprint.columns, source->footprint.rows);
}

/* A row of any warping kernel; the sums of four pixels are finished together. */
BODY void warp(
    const warp_source *source, warp_sum sum, const int32_t *restrict x, const int32_t *restrict y,
    int16_t *restrict result, size_t count) {
    size_t i = 0;
    for (; i + 4 <= count; i += 4) {
        __m256i sums[4];
        for (size_t j = i; j < i + 4; j++)
            sums[j - i] = x[j] == INT32_MIN ? _mm256_setzero_si256() : sum(source, x[j], y[j]);
        store_four(result + 4 * i, sums);
    }
    for (; i < count; i++)
        store_one(result + 4 * i, x[i] == INT32_MIN ? _mm256_setzero_si256() : sum(source, x[i], y[i]));
}

TARGET void cr_warp_row_avx2(
    cr_window window, const int32_t *x, const int32_t *y, cr_phases across, cr_phases down, int16_t *result,
    size_t count) {
    const warp_source source = {.window = window, .across = across, .down = down};
    if (across.taps == 4 && down.taps == 4)
        warp(&source, warp_4_4, x, y, result, count);
    else if (across.taps == 4 && down.taps == 2)
        warp(&source, warp_4_2, x, y, result, count);
    else if (across.taps == 8 && down.taps == 6)
        warp(&source, warp_8_6, x, y, result, count);
    else if (across.taps == 8 && down.taps == 8)
        warp(&source, warp_8_8, x, y, result, count);
    else
        warp(&source, warp_any, x, y, result, count);
}

TARGET void cr_warp_row_footprint_avx2(
    cr_window window, const int32_t *x, const int32_t *y, cr_footprint footprint, int16_t *result,
    size_t count) {
    const warp_source source = {.window = window, .footprint = footprint};
    if (footprint.columns == 4 && footprint.rows == 3)
        warp(&source, footprint_4_3, x, y, result, count);
    else if (footprint.columns == 8 && footprint.rows == 5)
        warp(&source, footprint_8_5, x, y, result, count);
    else
        warp(&source, footprint_any, x, y, result, count);
}

const cr_kernels cr_avx2_kernels = {
    .level = CR_LEVEL_AVX2,
    .name = "avx2",
    .unpack_gray8 = cr_unpack_gray8_avx2,
    .unpack_rgb8 = cr_unpack_rgb8_avx2,
    .unpack_rgba8 = cr_unpack_rgba8_avx2,
    .resample_row = cr_resample_row_avx2,
    .combine_rows = cr_combine_rows_avx2,
    .halve_row = cr_halve_row_avx2,
    .halve_box = cr_halve_box_avx2,
    .interpolate_row = interpolate_row,
    .fix_block = fix_block,
    .warp_row = cr_warp_row_avx2,
    .warp_row_footprint = cr_warp_row_footprint_avx2,
    .pack_rgba8 = cr_pack_rgba8_avx2,
    .pack_rgba8_over = cr_pack_rgba8_over_avx2,
};

#endif
