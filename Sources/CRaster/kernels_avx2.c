/*
 * The kernels for x86-64 with AVX2. Products of neighbouring taps are added in pairs by
 * `vpmaddwd`: 16-bit values times 16-bit weights into 32-bit sums, the reference's arithmetic.
 */
#include "kernels.h"

#if CR_HAS_AVX2
#include <immintrin.h>
#include <string.h>

#define SUFFIX avx2
#define TARGET __attribute__((target("avx2")))
#include "kernels_portable.h"

/* Inside each half of 128 bits: r0 g0 b0 a0 r1 g1 b1 a1 to r0 r1 g0 g1 b0 b1 a0 a1. */
TARGET static inline __m256i pair_channels(__m256i pixels)
{
    const __m256i order = _mm256_setr_epi8(
        0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15,
        0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15);
    return _mm256_shuffle_epi8(pixels, order);
}

/* Four weights to w0 w1 four times, then w2 w3 four times. */
TARGET static inline __m256i pair_weights(const int16_t *weights)
{
    int64_t four;
    memcpy(&four, weights, sizeof four);
    const __m256i order = _mm256_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1);
    return _mm256_permutevar8x32_epi32(_mm256_castsi128_si256(_mm_cvtsi64_si128(four)), order);
}

/* The sums of `taps` neighbouring pixels with their weights: one 32-bit lane a channel. */
TARGET static inline __m128i weigh_taps(const int16_t *pixel, const int16_t *weight, int taps)
{
    __m256i sum = _mm256_setzero_si256();
    for (int k = 0; k < taps; k += 4) {
        __m256i pixels = pair_channels(_mm256_loadu_si256((const __m256i *)(pixel + 4 * k)));
        sum = _mm256_add_epi32(sum, _mm256_madd_epi16(pixels, pair_weights(weight + k)));
    }
    return _mm_add_epi32(_mm256_castsi256_si128(sum), _mm256_extracti128_si256(sum, 1));
}

TARGET static inline __m128i scale_down_lanes(__m128i sums)
{
    const __m128i half = _mm_set1_epi32(CR_WEIGHT_ONE >> 1);
    return _mm_srai_epi32(_mm_add_epi32(sums, half), CR_WEIGHT_BITS);
}

/* Rounds, saturates and stores one pixel. */
TARGET static inline void store_pixel(int16_t *result, __m128i sums)
{
    __m128i scaled = scale_down_lanes(sums);
    _mm_storel_epi64((__m128i *)result, _mm_packs_epi32(scaled, scaled));
}

TARGET static void resample_row(const int16_t *restrict source, const int32_t *restrict starts,
                                const int16_t *restrict weights, size_t weight_stride, int taps,
                                int16_t *restrict result, size_t count)
{
    for (size_t i = 0; i < count; i++)
        store_pixel(result + 4 * i, weigh_taps(source + 4 * (ptrdiff_t)starts[i],
                                               weights + i * weight_stride, taps));
}

/* Two rows' weighted sums are added to `low` and `high`, 16 samples. */
TARGET static inline void add_row_pair(__m256i *low, __m256i *high, __m256i upper, __m256i lower,
                                       __m256i weights)
{
    __m256i a = _mm256_unpacklo_epi16(upper, lower), b = _mm256_unpackhi_epi16(upper, lower);
    *low = _mm256_add_epi32(*low, _mm256_madd_epi16(a, weights));
    *high = _mm256_add_epi32(*high, _mm256_madd_epi16(b, weights));
}

TARGET static inline __m256i pair_of(int16_t first, int16_t second)
{
    return _mm256_set1_epi32((int32_t)((uint32_t)(uint16_t)first |
                                       (uint32_t)(uint16_t)second << 16));
}

/* 16 samples, from `at` on, of all rows. */
TARGET static inline __m256i combine_16(const int16_t *const *rows, const int16_t *weights,
                                        int taps, size_t at)
{
    const __m256i half = _mm256_set1_epi32(CR_WEIGHT_ONE >> 1);
    __m256i low = half, high = half;
    int k = 0;
    for (; k + 1 < taps; k += 2) {
        __m256i upper = _mm256_loadu_si256((const __m256i *)(rows[k] + at));
        __m256i lower = _mm256_loadu_si256((const __m256i *)(rows[k + 1] + at));
        add_row_pair(&low, &high, upper, lower, pair_of(weights[k], weights[k + 1]));
    }
    if (k < taps) {
        __m256i last = _mm256_loadu_si256((const __m256i *)(rows[k] + at));
        add_row_pair(&low, &high, last, _mm256_setzero_si256(), pair_of(weights[k], 0));
    }
    return _mm256_packs_epi32(_mm256_srai_epi32(low, CR_WEIGHT_BITS),
                              _mm256_srai_epi32(high, CR_WEIGHT_BITS));
}

TARGET static void combine_rows(const int16_t *const *rows, const int16_t *weights, int taps,
                                int16_t *restrict result, size_t count)
{
    size_t samples = 4 * count, i = 0;
    for (; i + 16 <= samples; i += 16)
        _mm256_storeu_si256((__m256i *)(result + i), combine_16(rows, weights, taps, i));
    for (; i < samples; i++) {
        int32_t sum = 0;
        for (int k = 0; k < taps; k++) sum += weights[k] * rows[k][i];
        result[i] = scale_down_avx2(sum);
    }
}

TARGET static void warp_row(cr_window window, const int32_t *restrict x, const int32_t *restrict y,
                            cr_phases across, cr_phases down, int16_t *restrict result,
                            size_t count)
{
    for (size_t i = 0; i < count; i++, result += 4) {
        if (x[i] == INT32_MIN) {
            memset(result, 0, 4 * sizeof *result);
            continue;
        }
        const int16_t *pixel = warp_first_tap(window, x[i], y[i], across.taps, down.taps);
        const int16_t *weights_x = across.weights + warp_phase(x[i]) * across.taps;
        const int16_t *weights_y = down.weights + warp_phase(y[i]) * down.taps;
        __m128i sum = _mm_setzero_si128();
        for (int r = 0; r < down.taps; r++, pixel += 4 * window.pixels_per_row) {
            __m128i row = scale_down_lanes(weigh_taps(pixel, weights_x, across.taps));
            __m128i samples = _mm_packs_epi32(row, row);
            __m128i zipped = _mm_unpacklo_epi16(samples, _mm_setzero_si128());
            sum = _mm_add_epi32(sum, _mm_madd_epi16(zipped, _mm_set1_epi32(weights_y[r] & 0xffff)));
        }
        store_pixel(result, sum);
    }
}

TARGET static void warp_row_footprint(cr_window window, const int32_t *restrict x,
                                      const int32_t *restrict y, cr_footprint footprint,
                                      int16_t *restrict result, size_t count)
{
    for (size_t i = 0; i < count; i++, result += 4) {
        __m128i sum = _mm_setzero_si128();
        if (x[i] != INT32_MIN) {
            const int16_t *pixel = footprint_first_tap(window, x[i], y[i], footprint);
            const int16_t *weight = footprint_weights(x[i], y[i], footprint);
            for (int r = 0; r < footprint.rows; r++, pixel += 4 * window.pixels_per_row,
                     weight += footprint.columns)
                sum = _mm_add_epi32(sum, weigh_taps(pixel, weight, footprint.columns));
        }
        store_pixel(result, sum);
    }
}

const cr_kernels cr_avx2_kernels = {
    .level = CR_LEVEL_AVX2,
    .unpack_gray8 = unpack_gray8_avx2,
    .unpack_rgb8 = unpack_rgb8_avx2,
    .unpack_rgba8 = unpack_rgba8_avx2,
    .resample_row = resample_row,
    .combine_rows = combine_rows,
    .warp_row = warp_row,
    .warp_row_footprint = warp_row_footprint,
    .pack_rgba8 = pack_rgba8_avx2,
    .pack_rgba8_over = pack_rgba8_over_avx2,
};

#endif
