/*
 * Resamples 8-bit samples without an alpha, for x86-64 with AVX-512.
 *
 * Samples become planes, one per channel: one permutation then gathers a pair of taps for each of 16 result
 * pixels into a register, and one instruction multiplies and adds them. Deep pixels with their alphas take
 * more than twice as long.
 */
#include "rounding.h"

#if defined(__x86_64__)
#include "kernels_avx512.h"

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

ROW_TARGET void cr_resample_gray8_avx512(
    const uint8_t *restrict source, cr_grouped_taps taps, int16_t *restrict result, size_t count) {
    resample(1, source, taps, result, count);
}

ROW_TARGET void cr_resample_rgb8_avx512(
    const uint8_t *restrict source, cr_grouped_taps taps, int16_t *restrict result, size_t count) {
    resample(3, source, taps, result, count);
}

#endif
