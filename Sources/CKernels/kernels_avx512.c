/*
 * The kernels for x86-64 with AVX-512 (F, BW, VL) and VNNI, whose `vpdpwssd` is the reference's
 * arithmetic: products of pairs of 16 bits, added to sums of 32 bits without saturation.
 * Kernels that these instructions do not speed up, and the ends of rows, use the code for AVX2.
 */
#include "rounding.h"

#if defined(__x86_64__)
#include "elements.h"
#include "kernels.h"
#include "kernels_avx2.h"
#include "kernels_avx512.h"

/* Four pixels, then four others. */
TARGET static inline __m512i load_four_twice(const int16_t *low, const int16_t *high) {
    __m512i first = _mm512_castsi256_si512(_mm256_loadu_si256((const __m256i *)low));
    return _mm512_inserti64x4(first, _mm256_loadu_si256((const __m256i *)high), 1);
}

/* Inside each quarter: r0 g0 b0 a0 r1 g1 b1 a1 to r0 r1 g0 g1 b0 b1 a0 a1. */
TARGET static inline __m512i pair_channels(__m512i pixels) {
    const __m512i order =
        _mm512_broadcast_i32x4(_mm_setr_epi8(0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15));
    return _mm512_shuffle_epi8(pixels, order);
}

/* Pairs of weights, each in a separate quarter. */
TARGET static inline __m512i spread_pairs(__m128i weights) {
    const __m512i order = _mm512_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3);
    return _mm512_permutexvar_epi32(order, _mm512_castsi128_si512(weights));
}

TARGET static inline __m512i pair_weights(const int16_t *weights) {
    return spread_pairs(_mm_loadu_si128((const __m128i *)weights));
}

/* Eight pixels times eight weights: a sum of two in each quarter. */
TARGET static inline __m512i weigh_eight(__m512i pixels, const int16_t *weights) {
    return _mm512_madd_epi16(pair_channels(pixels), pair_weights(weights));
}

/* Adds the odd quarters of two registers to the even ones. */
TARGET static inline __m512i add_quarters(__m512i first, __m512i second) {
    __m512i even = _mm512_shuffle_i64x2(first, second, _MM_SHUFFLE(2, 0, 2, 0));
    __m512i odd = _mm512_shuffle_i64x2(first, second, _MM_SHUFFLE(3, 1, 3, 1));
    return _mm512_add_epi32(even, odd);
}

/* The initial value of sums: one half, for rounding. */
TARGET static inline __m512i half_lanes(void) { return _mm512_set1_epi32(CR_WEIGHT_ONE >> 1); }

/* Scales down, saturates and stores the sums of four pixels, a quarter each. */
TARGET static inline void store_four(int16_t *result, __m512i sums) {
    __m512i scaled = _mm512_srai_epi32(sums, CR_WEIGHT_BITS);
    _mm256_storeu_si256((__m256i *)result, _mm512_cvtsepi32_epi16(scaled));
}

/* The same for sums in four quarters each, which are added and rounded first. */
TARGET static inline void store_sums(int16_t *result, const __m512i sums[4]) {
    __m512i added = add_quarters(add_quarters(sums[0], sums[1]), add_quarters(sums[2], sums[3]));
    store_four(result, _mm512_add_epi32(added, half_lanes()));
}

/* Four taps: two pixels in a register. */
TARGET static inline __m512i weigh_two(const int16_t *source, const int32_t *starts, const int16_t *weights) {
    return weigh_eight(
        load_four_twice(source + 4 * (ptrdiff_t)starts[0], source + 4 * (ptrdiff_t)starts[1]), weights);
}

TARGET static void resample_four_4(
    const int16_t *source, const int32_t *starts, const int16_t *weights, int16_t *result) {
    __m512i sums =
        add_quarters(weigh_two(source, starts, weights), weigh_two(source, starts + 2, weights + 8));
    store_four(result, _mm512_add_epi32(sums, half_lanes()));
}

TARGET static void resample_four_8(
    const int16_t *source, const int32_t *starts, const int16_t *weights, int16_t *result) {
    __m512i sums[4];
    for (int j = 0; j < 4; j++)
        sums[j] = weigh_eight(_mm512_loadu_si512(source + 4 * (ptrdiff_t)starts[j]), weights + 8 * j);
    store_sums(result, sums);
}

TARGET static void resample_row(
    const int16_t *restrict source, const int32_t *restrict starts, const int16_t *restrict weights, int taps,
    int16_t *restrict result, size_t count) {
    size_t i = 0;
    if (taps == 4)
        for (; i + 4 <= count; i += 4) resample_four_4(source, starts + i, weights + 4 * i, result + 4 * i);
    if (taps == 8)
        for (; i + 4 <= count; i += 4) resample_four_8(source, starts + i, weights + 8 * i, result + 4 * i);
    cr_resample_row_avx2(source, starts + i, weights + i * (size_t)taps, taps, result + 4 * i, count - i);
}

TARGET static inline __m512i pair_of(const int16_t *weights) {
    return _mm512_set1_epi32(weight_pair(weights));
}

/* Each quarter is a pixel of the result, since the taps of neighbouring results are two pixels apart. */
BODY void halve_row_of(
    int taps, const int16_t *restrict source, const int16_t *restrict weights, int16_t *restrict result,
    size_t count) {
    size_t i = 0;
    for (; i + 8 <= count; i += 8) {
        __m512i low = half_lanes(), high = low;
        for (int k = 0; k < taps; k += 2) {
            const int16_t *pixel = source + 8 * i + 4 * k;
            __m512i weight = pair_of(weights + k);
            low = _mm512_dpwssd_epi32(low, pair_channels(_mm512_loadu_si512(pixel)), weight);
            high = _mm512_dpwssd_epi32(high, pair_channels(_mm512_loadu_si512(pixel + 32)), weight);
        }
        store_four(result + 4 * i, low);
        store_four(result + 4 * i + 16, high);
    }
    cr_halve_row_avx2(source + 8 * i, weights, taps, result + 4 * i, count - i);
}

ROW_TARGET static void halve_row(
    const int16_t *source, const int16_t *weights, int taps, int16_t *result, size_t count) {
    switch (taps) {
    case 4: return halve_row_of(4, source, weights, result, count);
    case 8: return halve_row_of(8, source, weights, result, count);
    case 12: return halve_row_of(12, source, weights, result, count);
    default: return halve_row_of(taps, source, weights, result, count);
    }
}

/* The sums of 32 samples, including the half for rounding. */
typedef struct {
    __m512i low;
    __m512i high;
} sums_of_32;

TARGET static inline sums_of_32 no_sums(void) { return (sums_of_32){half_lanes(), half_lanes()}; }

/* Adds samples of two rows times a pair of weights. */
TARGET static inline sums_of_32 add_row_pair(sums_of_32 sums, __m512i upper, __m512i lower, __m512i weights) {
    __m512i a = _mm512_unpacklo_epi16(upper, lower), b = _mm512_unpackhi_epi16(upper, lower);
    return (sums_of_32){
        _mm512_dpwssd_epi32(sums.low, a, weights), _mm512_dpwssd_epi32(sums.high, b, weights)};
}

TARGET static inline __m512i scale_down_32(sums_of_32 sums) {
    return _mm512_packs_epi32(
        _mm512_srai_epi32(sums.low, CR_WEIGHT_BITS), _mm512_srai_epi32(sums.high, CR_WEIGHT_BITS));
}

enum {
    /* Rows whose addresses and weights fit into registers: the rows of the widest kernel that halves. */
    MOST_HELD = 12,
};

/* Pairs of rows and weights that a loop keeps in registers: the compiler must assume that stores change those
 * in memory. */
typedef struct {
    const int16_t *rows[MOST_HELD];
    __m512i weights[MOST_HELD / 2];
} held_rows;

BODY held_rows hold(const int16_t *const *rows, const int16_t *weights, int taps) {
    held_rows held;
    for (int k = 0; k < taps; k++) held.rows[k] = rows[k];
    for (int k = 0; k + 1 < taps; k += 2) held.weights[k / 2] = pair_of(weights + k);
    if (taps % 2 != 0) held.weights[taps / 2] = _mm512_set1_epi32((uint16_t)weights[taps - 1]);
    return held;
}

/* 32 samples, from `at` on, of all rows. With an odd number of rows, the last row has no partner. */
BODY __m512i combine_32(held_rows held, int taps, size_t at) {
    sums_of_32 sums = no_sums();
    for (int k = 0; k < taps; k += 2) {
        __m512i upper = _mm512_loadu_si512(held.rows[k] + at);
        __m512i lower = k + 1 < taps ? _mm512_loadu_si512(held.rows[k + 1] + at) : _mm512_setzero_si512();
        sums = add_row_pair(sums, upper, lower, held.weights[k / 2]);
    }
    return scale_down_32(sums);
}

BODY void combine_rows_of(
    int taps, const int16_t *const *rows, const int16_t *weights, int16_t *restrict result, size_t count) {
    const held_rows held = hold(rows, weights, taps);
    size_t samples = 4 * count, i = 0;
    for (; i + 32 <= samples; i += 32) _mm512_storeu_si512(result + i, combine_32(held, taps, i));
    combine_rows_elements(rows, weights, taps, result, i, samples);
}

ROW_TARGET static void combine_rows(
    const int16_t *const *rows, const int16_t *weights, int taps, int16_t *result, size_t count) {
    switch (taps) {
    case 2: return combine_rows_of(2, rows, weights, result, count);
    case 3: return combine_rows_of(3, rows, weights, result, count);
    case 4: return combine_rows_of(4, rows, weights, result, count);
    case 5: return combine_rows_of(5, rows, weights, result, count);
    case 6: return combine_rows_of(6, rows, weights, result, count);
    case 7: return combine_rows_of(7, rows, weights, result, count);
    case 8: return combine_rows_of(8, rows, weights, result, count);
    case 12: return combine_rows_of(12, rows, weights, result, count);
    default: return cr_combine_rows_avx2(rows, weights, taps, result, count);
    }
}

TARGET static void interpolate_row(double start, double step, double first, double *result, size_t count) {
    interpolate_row_elements(start, step, first, result, count);
}

TARGET static inline int32_t least(__m256i values) {
    return _mm512_mask_reduce_min_epi32(0xff, _mm512_castsi256_si512(values));
}

TARGET static inline int32_t greatest(__m256i values) {
    return _mm512_mask_reduce_max_epi32(0xff, _mm512_castsi256_si512(values));
}

/* Eight positions in fixed point. */
TARGET static inline __m256i fix_eight(__m512d position, cr_position_grid grid) {
    __m512d steps =
        _mm512_mul_pd(_mm512_sub_pd(position, _mm512_set1_pd(grid.origin)), _mm512_set1_pd(grid.steps));
    __m512d rounded = _mm512_add_pd(steps, _mm512_set1_pd(0.5));
    __m256i whole = _mm512_cvt_roundpd_epi32(rounded, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);
    return _mm256_mullo_epi32(whole, _mm256_set1_epi32(grid.unit));
}

/* A mask of those of eight positions that are between limits; NaN never is. */
TARGET static inline __mmask8 are_between(__m512d position, double low, double high) {
    return _mm512_mask_cmp_pd_mask(
        _mm512_cmp_pd_mask(position, _mm512_set1_pd(low), _CMP_GT_OQ), position, _mm512_set1_pd(high),
        _CMP_LT_OQ);
}

/* The smallest and the largest positions, separately for each lane. */
typedef struct {
    __m256i min_x, max_x, min_y, max_y;
} lane_extent;

/* Converts a row in groups of eight, and returns the number of positions converted. */
TARGET static inline size_t fix_eights(
    cr_position_block block, cr_position_grid grid, cr_position_limits limits, lane_extent *extent) {
    size_t i = 0;
    for (; i + 8 <= block.columns; i += 8) {
        __m512d x = _mm512_loadu_pd(block.x + i), y = _mm512_loadu_pd(block.y + i);
        __mmask8 inside =
            are_between(x, limits.low_x, limits.high_x) & are_between(y, limits.low_y, limits.high_y);
        __m256i fixed_x = fix_eight(x, grid), fixed_y = fix_eight(y, grid);
        extent->min_x = _mm256_mask_min_epi32(extent->min_x, inside, extent->min_x, fixed_x);
        extent->max_x = _mm256_mask_max_epi32(extent->max_x, inside, extent->max_x, fixed_x);
        extent->min_y = _mm256_mask_min_epi32(extent->min_y, inside, extent->min_y, fixed_y);
        extent->max_y = _mm256_mask_max_epi32(extent->max_y, inside, extent->max_y, fixed_y);
        fixed_x = _mm256_mask_blend_epi32(inside, _mm256_set1_epi32(INT32_MIN), fixed_x);
        _mm256_storeu_si256((__m256i *)(block.fixed_x + i), fixed_x);
        _mm256_storeu_si256((__m256i *)(block.fixed_y + i), _mm256_maskz_mov_epi32(inside, fixed_y));
    }
    return i;
}

TARGET static void fix_block(
    cr_position_block block, cr_position_grid grid, cr_position_limits limits, cr_position_extent *extent) {
    const __m256i most = _mm256_set1_epi32(INT32_MAX), least_of_all = _mm256_set1_epi32(INT32_MIN);
    lane_extent lanes = {most, least_of_all, most, least_of_all};
    for (size_t row = 0; row < block.rows; row++, block = next_row(block)) {
        size_t done = fix_eights(block, grid, limits, &lanes);
        if (done < block.columns) fix_row_elements(block, done, grid, limits, extent);
    }
    extent->min_x = lesser(extent->min_x, least(lanes.min_x));
    extent->max_x = greater(extent->max_x, greatest(lanes.max_x));
    extent->min_y = lesser(extent->min_y, least(lanes.min_y));
    extent->max_y = greater(extent->max_y, greatest(lanes.max_y));
}

/* Combines eight columns of an even number of rows. */
BODY __m512i
combine_eight(const int16_t *pixel, ptrdiff_t samples_per_row, const int16_t *weights, int rows) {
    sums_of_32 sums = no_sums();
    for (int r = 0; r < rows; r += 2, pixel += 2 * samples_per_row)
        sums = add_row_pair(
            sums, _mm512_loadu_si512(pixel), _mm512_loadu_si512(pixel + samples_per_row),
            pair_of(weights + r));
    return scale_down_32(sums);
}

/* The sums of a pixel at a position, in four quarters. */
BODY __m512i warp_taps(cr_window window, int32_t x, int32_t y, cr_phases across, cr_phases down) {
    if (x == INT32_MIN) return _mm512_setzero_si512();
    const int16_t *pixel = warp_first_tap(window, x, y, 8, down.taps);
    __m512i line = combine_eight(pixel, 4 * window.pixels_per_row, phase_weights(down, y), down.taps);
    return weigh_eight(line, across.weights + 8 * warp_phase(x));
}

BODY void warp_row_of(
    int rows, cr_window window, const int32_t *restrict x, const int32_t *restrict y, cr_phases across,
    cr_phases down, int16_t *restrict result, size_t count) {
    down.taps = rows;
    size_t i = 0;
    for (; i + 4 <= count; i += 4) {
        __m512i sums[4];
        for (size_t j = 0; j < 4; j++) sums[j] = warp_taps(window, x[i + j], y[i + j], across, down);
        store_sums(result + 4 * i, sums);
    }
    cr_warp_row_avx2(window, x + i, y + i, across, down, result + 4 * i, count - i);
}

/* Eight columns fill a register. */
ROW_TARGET static void warp_row(
    cr_window window, const int32_t *x, const int32_t *y, cr_phases across, cr_phases down, int16_t *result,
    size_t count) {
    if (across.taps == 8 && down.taps == 6)
        warp_row_of(6, window, x, y, across, down, result, count);
    else if (across.taps == 8 && down.taps == 8)
        warp_row_of(8, window, x, y, across, down, result, count);
    else
        cr_warp_row_avx2(window, x, y, across, down, result, count);
}

/* Adds four pixels of a row times four weights to the sums. */
TARGET static inline __m512i add_four_taps(__m512i sums, const int16_t *pixel, const int16_t *weight) {
    __m512i pixels = _mm512_zextsi256_si512(_mm256_loadu_si256((const __m256i *)pixel));
    __m512i weights = spread_pairs(_mm_loadl_epi64((const __m128i *)weight));
    return _mm512_dpwssd_epi32(sums, pair_channels(pixels), weights);
}

TARGET static inline __m512i add_eight_taps(__m512i sums, __m512i pixels, const int16_t *weight) {
    return _mm512_dpwssd_epi32(sums, pair_channels(pixels), pair_weights(weight));
}

/* The sums of a pixel of a footprint, in four quarters. Two rows of four pixels fill a register. */
BODY __m512i footprint_taps(cr_window window, int32_t x, int32_t y, cr_footprint footprint) {
    __m512i sums = _mm512_setzero_si512();
    if (x == INT32_MIN) return sums;
    const int16_t *pixel = footprint_first_tap(window, x, y, footprint);
    const int16_t *weight = footprint_weights(x, y, footprint);
    const ptrdiff_t samples_per_row = 4 * window.pixels_per_row;
    int r = 0;
    if (footprint.columns == 4)
        for (; r + 2 <= footprint.rows; r += 2, pixel += 2 * samples_per_row, weight += 8)
            sums = add_eight_taps(sums, load_four_twice(pixel, pixel + samples_per_row), weight);
    for (; r < footprint.rows; r++, pixel += samples_per_row, weight += footprint.columns) {
        int c = 0;
        for (; c + 8 <= footprint.columns; c += 8)
            sums = add_eight_taps(sums, _mm512_loadu_si512(pixel + 4 * c), weight + c);
        if (c < footprint.columns) sums = add_four_taps(sums, pixel + 4 * c, weight + c);
    }
    return sums;
}

BODY void warp_row_footprint_of(
    int columns, cr_window window, const int32_t *restrict x, const int32_t *restrict y,
    cr_footprint footprint, int16_t *restrict result, size_t count) {
    footprint.columns = columns;
    size_t i = 0;
    for (; i + 4 <= count; i += 4) {
        __m512i sums[4];
        for (size_t j = 0; j < 4; j++) sums[j] = footprint_taps(window, x[i + j], y[i + j], footprint);
        store_sums(result + 4 * i, sums);
    }
    cr_warp_row_footprint_avx2(window, x + i, y + i, footprint, result + 4 * i, count - i);
}

TARGET static void warp_row_footprint(
    cr_window window, const int32_t *x, const int32_t *y, cr_footprint footprint, int16_t *result,
    size_t count) {
    switch (footprint.columns) {
    case 4: return warp_row_footprint_of(4, window, x, y, footprint, result, count);
    case 8: return warp_row_footprint_of(8, window, x, y, footprint, result, count);
    default: return warp_row_footprint_of(footprint.columns, window, x, y, footprint, result, count);
    }
}

const cr_kernels cr_avx512_kernels = {
    .level = CR_LEVEL_AVX512,
    .name = "avx512",
    .unpack_gray8 = cr_unpack_gray8_avx2,
    .unpack_rgb8 = cr_unpack_rgb8_avx2,
    .unpack_rgba8 = cr_unpack_rgba8_avx2,
    .resample_row = resample_row,
    .resample_gray8 = cr_resample_gray8_avx512,
    .resample_rgb8 = cr_resample_rgb8_avx512,
    .combine_rows = combine_rows,
    .halve_row = halve_row,
    .halve_box = cr_halve_box_avx2,
    .interpolate_row = interpolate_row,
    .fix_block = fix_block,
    .warp_row = warp_row,
    .warp_row_footprint = warp_row_footprint,
    .pack_rgba8 = cr_pack_rgba8_avx2,
    .pack_rgba8_over = cr_pack_rgba8_over_avx2,
};

#endif
