/*
 * The kernels for x86-64 with AVX-512 (F, BW, VL) and VNNI, whose `vpdpwssd` is the reference's
 * arithmetic: products of pairs of 16 bits, added to sums of 32 bits without saturation.
 * Only kernels for which this earns a tenth of a job are here; the others, and the ends of rows, are those of
 * AVX2.
 */
#include "kernels.h"

#if defined(__x86_64__)
#include "elements.h"

#include <immintrin.h>
#include <string.h>

/* The features of the CPU. */
#define TARGET __attribute__((target("avx512f,avx512bw,avx512vl,avx512vbmi,avx512vnni")))

/* The same for loops over rows, whose iterations are independent. By default, the compiler splits `vpdpwssd`
 * into a multiplication and an addition, which is faster in chains on most CPUs; here it only adds work. */
#define ROW_TARGET __attribute__((target("avx512f,avx512bw,avx512vl,avx512vbmi,avx512vnni,tune=znver4")))

/* A function that is compiled once for each number of taps, channels etc. */
#define BODY TARGET static inline __attribute__((always_inline))

/* Interleaves the quarters of two registers: result[0] has those of their lower halves, result[1] those of
 * their upper halves. */
BODY void join_halves(__m512i first, __m512i second, __m512i result[2]) {
    const __m512i low = _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11);
    const __m512i high = _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15);
    result[0] = _mm512_permutex2var_epi64(first, low, second);
    result[1] = _mm512_permutex2var_epi64(first, high, second);
}

/* Two weights as one 32-bit value, for broadcasting. */
static inline int32_t weight_pair(const int16_t *weights) {
    int32_t pair;
    memcpy(&pair, weights, sizeof pair);
    return pair;
}

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

TARGET static inline __m512i pair_of(const int16_t *weights) {
    return _mm512_set1_epi32(weight_pair(weights));
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

/*
 * Resamples 8-bit samples without an alpha, for x86-64 with AVX-512.
 *
 * Samples become planes, one per channel: one permutation then gathers a pair of taps for each of 16 result
 * pixels into a register, and one instruction multiplies and adds them. Deep pixels with their alphas take
 * more than twice as long.
 */
enum {
    /* Result pixels in a register of sums. */
    GROUP = CR_TAP_GROUP,
    /* Groups whose source pixels are split into planes together. Loads across the edges of earlier stores
     * wait until the stores are in the cache: with 8 groups, resampling takes two thirds longer. */
    GROUPS = 32,
    /* Source pixels in a register of a plane. */
    STEP = 64,
    /* The pixels of all groups, and the part of a group's register beyond them. */
    PLANE = GROUPS * CR_TAP_SPAN + STEP,
    /* Samples of 8 bits, and their sums, lack this number of bits compared with deep samples. */
    SPARE_BITS = 6,
};

/* The low `count` bits, up to 64. */
static inline __mmask64 first_bits(ptrdiff_t count) {
    return count >= 64 ? ~(__mmask64)0 : count <= 0 ? 0 : ((__mmask64)1 << count) - 1;
}

/* Loads up to 64 bytes, zeros after them. */
TARGET static inline __m512i load_bytes(const uint8_t *source, ptrdiff_t count) {
    return _mm512_maskz_loadu_epi8(first_bits(count), source);
}

/* Every third sample of 192, starting with `first`. */
TARGET static inline __m512i every_third(const __m512i samples[3], int first) {
    static const uint8_t thirds[STEP] = {0,   3,   6,   9,   12,  15,  18,  21,  24,  27,  30,  33,  36,
                                         39,  42,  45,  48,  51,  54,  57,  60,  63,  66,  69,  72,  75,
                                         78,  81,  84,  87,  90,  93,  96,  99,  102, 105, 108, 111, 114,
                                         117, 120, 123, 126, 129, 132, 135, 138, 141, 144, 147, 150, 153,
                                         156, 159, 162, 165, 168, 171, 174, 177, 180, 183, 186, 189};
    __m512i index = _mm512_add_epi8(_mm512_loadu_si512(thirds), _mm512_set1_epi8((char)first));
    __m512i low = _mm512_permutex2var_epi8(samples[0], index, samples[1]);
    // Samples of the third register have the highest bit of their index set.
    return _mm512_mask_permutexvar_epi8(low, _mm512_movepi8_mask(index), index, samples[2]);
}

/* Source pixels to planes. */
BODY void split(int channels, const uint8_t *source, ptrdiff_t count, uint8_t planes[][PLANE]) {
    for (ptrdiff_t i = 0; i < count; i += STEP) {
        const uint8_t *pixel = source + channels * i;
        const ptrdiff_t left = channels * (count - i);
        __m512i samples[3];
        for (int k = 0; k < channels; k++) samples[k] = load_bytes(pixel + STEP * k, left - STEP * k);
        if (channels == 1) {
            _mm512_store_si512(planes[0] + i, samples[0]);
        } else {
            for (int c = 0; c < channels; c++) _mm512_store_si512(planes[c] + i, every_third(samples, c));
        }
    }
}

/* Sums to deep samples, saturated in pairs: r0 r1 r2 r3 g0 g1 g2 g3 in each quarter, to r0 g0 r1 g1 and so
 * on. */
TARGET static inline __m512i join_channels(__m512i first, __m512i second) {
    const __m512i order =
        _mm512_broadcast_i32x4(_mm_setr_epi8(0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15));
    return _mm512_shuffle_epi8(_mm512_packs_epi32(first, second), order);
}

/* 16 opaque pixels from the sums of their colours. */
TARGET static inline void store_group(int16_t *result, const __m512i sums[3]) {
    __m512i colors[3];
    for (int c = 0; c < 3; c++) colors[c] = _mm512_srai_epi32(sums[c], CR_WEIGHT_BITS - SPARE_BITS);
    __m512i red_green = join_channels(colors[0], colors[1]);
    __m512i blue_alpha = join_channels(colors[2], _mm512_set1_epi32(CR_OPAQUE));
    __m512i pixels[2];
    join_halves(
        _mm512_unpacklo_epi32(red_green, blue_alpha), _mm512_unpackhi_epi32(red_green, blue_alpha), pixels);
    _mm512_storeu_si512(result, pixels[0]);
    _mm512_storeu_si512(result + 32, pixels[1]);
}

/* Elements of a group's places and weights. */
static inline size_t record_size(int pairs) { return 2 * GROUP * (size_t)(pairs + 1); }

/* A group, whose source pixels begin at `first`. */
BODY void resample_group(
    int channels, int pairs, uint8_t planes[][PLANE], ptrdiff_t first, const int16_t *group,
    int16_t *result) {
    const __mmask64 low_bytes = 0x5555555555555555;
    __m512i samples[3], sums[3];
    for (int c = 0; c < channels; c++) {
        samples[c] = _mm512_loadu_si512(planes[c] + first);
        sums[c] = _mm512_set1_epi32(CR_WEIGHT_ONE >> 1 >> SPARE_BITS);
    }
    __m512i places = _mm512_loadu_si512(group);
    for (int pair = 0; pair < pairs; pair++) {
        __m512i weights = _mm512_loadu_si512(group + 2 * GROUP * (pair + 1));
        for (int c = 0; c < channels; c++)
            sums[c] = _mm512_dpwssd_epi32(
                sums[c], _mm512_maskz_permutexvar_epi8(low_bytes, places, samples[c]), weights);
        places = _mm512_add_epi16(places, _mm512_set1_epi16(2));
    }
    for (int c = channels; c < 3; c++) sums[c] = sums[0];
    store_group(result, sums);
}

/* Up to GROUPS groups, whose source pixels fit into the planes; the last group overlaps the one before by
 * `back` pixels. */
BODY void resample_groups(
    int channels, int pairs, const uint8_t *source, cr_grouped_taps taps, int16_t *result, size_t groups,
    ptrdiff_t back) {
    _Alignas(64) uint8_t planes[3][PLANE];
    cr_span all = taps.spans[0];
    for (size_t g = 1; g < groups; g++) {
        if (taps.spans[g].first < all.first) all.first = taps.spans[g].first;
        if (taps.spans[g].end > all.end) all.end = taps.spans[g].end;
    }
    split(channels, source + channels * (ptrdiff_t)all.first, all.end - all.first, planes);
    for (size_t g = 0; g < groups; g++)
        resample_group(
            channels, pairs, planes, taps.spans[g].first - all.first, taps.groups + record_size(pairs) * g,
            result + 4 * (GROUP * (ptrdiff_t)g - (g + 1 == groups ? back : 0)));
}

BODY void resample_of(
    int channels, int pairs, const uint8_t *source, cr_grouped_taps taps, int16_t *result, size_t count) {
    const size_t groups = (count + GROUP - 1) / GROUP;
    const ptrdiff_t back = (ptrdiff_t)(groups * GROUP - count);
    for (size_t g = 0; g < groups; g += GROUPS) {
        const size_t some = groups - g < GROUPS ? groups - g : GROUPS;
        const cr_grouped_taps rest = {taps.spans + g, taps.groups + record_size(pairs) * g, pairs};
        resample_groups(
            channels, pairs, source, rest, result + 4 * GROUP * g, some, g + some == groups ? back : 0);
    }
}

BODY void resample(int channels, const uint8_t *source, cr_grouped_taps taps, int16_t *result, size_t count) {
    switch (taps.pairs) {
    case 2: return resample_of(channels, 2, source, taps, result, count);
    case 3: return resample_of(channels, 3, source, taps, result, count);
    case 4: return resample_of(channels, 4, source, taps, result, count);
    default: return resample_of(channels, taps.pairs, source, taps, result, count);
    }
}

ROW_TARGET static void resample_gray8(
    const uint8_t *restrict source, cr_grouped_taps taps, int16_t *restrict result, size_t count) {
    resample(1, source, taps, result, count);
}

ROW_TARGET static void resample_rgb8(
    const uint8_t *restrict source, cr_grouped_taps taps, int16_t *restrict result, size_t count) {
    resample(3, source, taps, result, count);
}

TARGET static void interpolate_row(double start, double step, double first, double *result, size_t count) {
    interpolate_row_elements(start, step, first, result, count);
}

TARGET static void fix_block(
    cr_position_block block, cr_position_grid grid, cr_position_limits limits, cr_position_extent *extent) {
    fix_block_elements(block, grid, limits, extent);
}

const cr_kernels cr_avx512_kernels = {
    .level = CR_LEVEL_AVX512,
    .name = "avx512",
    .unpack_gray8 = cr_unpack_gray8_avx2,
    .unpack_rgb8 = cr_unpack_rgb8_avx2,
    .unpack_rgba8 = cr_unpack_rgba8_avx2,
    .resample_row = cr_resample_row_avx2,
    .resample_gray8 = resample_gray8,
    .resample_rgb8 = resample_rgb8,
    .combine_rows = cr_combine_rows_avx2,
    .halve_row = cr_halve_row_avx2,
    .halve_box = cr_halve_box_avx2,
    .interpolate_row = interpolate_row,
    .fix_block = fix_block,
    .warp_row = warp_row,
    .warp_row_footprint = warp_row_footprint,
    .pack_rgba8 = cr_pack_rgba8_avx2,
    .pack_rgba8_over = cr_pack_rgba8_over_avx2,
};

#endif
