/* Conversions between 8-bit samples and deep pixels, for x86-64 with AVX-512. Runs of opaque pixels are twice
 * as fast as with AVX2; the pixels between such runs use the code for AVX2.
 */
#include "rounding.h"

#if defined(__x86_64__)
#include "kernels_avx2.h"
#include "kernels_avx512.h"

enum {
    /* Packed pixels in a register. */
    BLOCK = 16,
};

/* The lanes of alpha in eight deep pixels. */
enum { ALPHA_LANES = 0x88888888 };

TARGET static inline int are_opaque_bytes(__m512i pixels) {
    const __m512i alphas = _mm512_set1_epi32((int32_t)0xff000000);
    return _mm512_cmplt_epu32_mask(pixels, alphas) == 0;
}

TARGET static inline void store_opaque(int16_t *result, __m256i bytes) {
    _mm512_storeu_si512(result, _mm512_slli_epi16(_mm512_cvtepu8_epi16(bytes), 6));
}

TARGET void cr_unpack_rgba8_avx512(const uint8_t *restrict source, int16_t *restrict result, size_t count) {
    size_t i = 0, done = 0;
    for (; i + BLOCK <= count; i += BLOCK) {
        __m512i pixels = _mm512_loadu_si512(source + 4 * i);
        if (!are_opaque_bytes(pixels)) continue;
        if (done < i) cr_unpack_rgba8_avx2(source + 4 * done, result + 4 * done, i - done);
        store_opaque(result + 4 * i, _mm512_castsi512_si256(pixels));
        store_opaque(result + 4 * i + 32, _mm512_extracti64x4_epi64(pixels, 1));
        done = i + BLOCK;
    }
    cr_unpack_rgba8_avx2(source + 4 * done, result + 4 * done, count - done);
}

/* Whether all of 16 pixels have exactly the alpha of opaque. */
TARGET static inline int are_opaque(__m512i low, __m512i high) {
    const __m512i opaque = _mm512_set1_epi16(CR_OPAQUE);
    __mmask32 differ = _mm512_cmpneq_epi16_mask(low, opaque) | _mm512_cmpneq_epi16_mask(high, opaque);
    return (differ & ALPHA_LANES) == 0;
}

/* Units of 1/64 to whole units, rounded half up. */
TARGET static inline __m512i to_whole(__m512i values) {
    return _mm512_srai_epi16(_mm512_adds_epi16(values, _mm512_set1_epi16(32)), 6);
}

/* 16 pixels of 8 bits from two registers of eight, saturated. */
TARGET static inline __m512i narrow(__m512i low, __m512i high) {
    const __m512i order = _mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7);
    return _mm512_permutexvar_epi64(order, _mm512_packus_epi16(low, high));
}

/* Packs the opaque pixels from `first` on, in whole blocks; returns their end. */
TARGET static size_t pack_opaque(const int16_t *source, uint8_t *result, size_t first, size_t count) {
    size_t i = first;
    for (; i + BLOCK <= count; i += BLOCK) {
        __m512i low = _mm512_loadu_si512(source + 4 * i), high = _mm512_loadu_si512(source + 4 * i + 32);
        if (!are_opaque(low, high)) break;
        _mm512_storeu_si512(result + 4 * i, narrow(to_whole(low), to_whole(high)));
    }
    return i;
}

/* The beginning of the next opaque block, or the end. */
TARGET static size_t next_opaque(const int16_t *source, size_t first, size_t count) {
    size_t i = first;
    for (; i + BLOCK <= count; i += BLOCK)
        if (are_opaque(_mm512_loadu_si512(source + 4 * i), _mm512_loadu_si512(source + 4 * i + 32))) return i;
    return count;
}

static cr_alpha_seen both(cr_alpha_seen a, cr_alpha_seen b) {
    return (cr_alpha_seen){a.alpha_and & b.alpha_and, a.alpha_or | b.alpha_or};
}

TARGET cr_alpha_seen
cr_pack_rgba8_avx512(const int16_t *restrict source, uint8_t *restrict result, size_t count) {
    cr_alpha_seen seen = {255, 0};
    for (size_t i = 0; i < count;) {
        size_t end = pack_opaque(source, result, i, count);
        if (end > i) seen.alpha_or = 255;
        i = next_opaque(source, end, count);
        if (i > end) seen = both(seen, cr_pack_rgba8_avx2(source + 4 * end, result + 4 * end, i - end));
    }
    return seen;
}

TARGET cr_alpha_seen cr_pack_rgba8_over_avx512(
    const int16_t *restrict source, const uint8_t *restrict background, uint8_t *restrict result,
    size_t count) {
    cr_alpha_seen seen = {255, 0};
    for (size_t i = 0; i < count;) {
        size_t end = pack_opaque(source, result, i, count);
        if (end > i) seen.alpha_or = 255;
        i = next_opaque(source, end, count);
        if (i > end)
            seen =
                both(seen, cr_pack_rgba8_over_avx2(source + 4 * end, background, result + 4 * end, i - end));
    }
    return seen;
}

/* 32 deep samples to 8 bits. */
TARGET static inline __m512i to_bytes(__m512i samples) {
    __m512i whole = to_whole(samples);
    return _mm512_min_epi16(_mm512_max_epi16(whole, _mm512_setzero_si512()), _mm512_set1_epi16(255));
}

/* A block of planes to 32 pixels, in two registers. */
TARGET static inline void pack_block(const __m512i colors[3], __m512i pixels[2]) {
    __m512i red_green = _mm512_or_si512(to_bytes(colors[0]), _mm512_slli_epi16(to_bytes(colors[1]), 8));
    __m512i blue_alpha = _mm512_or_si512(to_bytes(colors[2]), _mm512_set1_epi16((int16_t)0xff00));
    // The first four pixels of each quarter, and the last four.
    join_halves(
        _mm512_unpacklo_epi16(red_green, blue_alpha), _mm512_unpackhi_epi16(red_green, blue_alpha), pixels);
}

/* Whole blocks use no masks: masked loads wait longer for memory. */
TARGET void cr_pack_planes_avx512(
    const int16_t *restrict source, cr_planes planes, uint8_t *restrict result, size_t count) {
    const ptrdiff_t plane = planes.count == 1 ? 0 : planes.step;
    __m512i colors[3], pixels[2];
    for (; count >= CR_PLANE_BLOCK; count -= CR_PLANE_BLOCK) {
        for (int c = 0; c < 3; c++) colors[c] = _mm512_loadu_si512(source + c * plane);
        pack_block(colors, pixels);
        _mm512_storeu_si512(result, pixels[0]);
        _mm512_storeu_si512(result + 64, pixels[1]);
        source += planes.block;
        result += 4 * CR_PLANE_BLOCK;
    }
    if (count == 0) return;
    const __mmask32 rest = (1u << count) - 1;
    for (int c = 0; c < 3; c++) colors[c] = _mm512_maskz_loadu_epi16(rest, source + c * plane);
    pack_block(colors, pixels);
    _mm512_mask_storeu_epi32(result, (__mmask16)rest, pixels[0]);
    _mm512_mask_storeu_epi32(result + 64, (__mmask16)(rest >> 16), pixels[1]);
}

/* The offset of a pixel's first sample in planes. */
static inline ptrdiff_t place_in(cr_planes planes, size_t pixel) {
    return (ptrdiff_t)(pixel / CR_PLANE_BLOCK) * planes.block + (ptrdiff_t)(pixel % CR_PLANE_BLOCK);
}

/* The number of a run's pixels in its first block. */
static inline size_t in_first_block(size_t first, size_t count) {
    const size_t most = CR_PLANE_BLOCK - first % CR_PLANE_BLOCK;
    return count < most ? count : most;
}

TARGET static void join_block(const int16_t *source, ptrdiff_t plane, int16_t *result) {
    __m512i red = _mm512_loadu_si512(source), green = _mm512_loadu_si512(source + plane);
    __m512i blue = _mm512_loadu_si512(source + 2 * plane), alpha = _mm512_set1_epi16(CR_OPAQUE);
    // The first four pixels of each quarter, and the last four; of each four, the first two and the last.
    __m512i red_green[2] = {_mm512_unpacklo_epi16(red, green), _mm512_unpackhi_epi16(red, green)};
    __m512i blue_alpha[2] = {_mm512_unpacklo_epi16(blue, alpha), _mm512_unpackhi_epi16(blue, alpha)};
    __m512i firsts[2], lasts[2];
    join_halves(
        _mm512_unpacklo_epi32(red_green[0], blue_alpha[0]),
        _mm512_unpackhi_epi32(red_green[0], blue_alpha[0]), firsts);
    join_halves(
        _mm512_unpacklo_epi32(red_green[1], blue_alpha[1]),
        _mm512_unpackhi_epi32(red_green[1], blue_alpha[1]), lasts);
    // Four pixels of one register come before four of the other.
    for (int k = 0; k < 2; k++) {
        _mm512_storeu_si512(result + 64 * k, _mm512_shuffle_i64x2(firsts[k], lasts[k], 0x44));
        _mm512_storeu_si512(result + 64 * k + 32, _mm512_shuffle_i64x2(firsts[k], lasts[k], 0xee));
    }
}

TARGET void cr_join_planes_avx512(
    const int16_t *restrict source, cr_planes planes, size_t first, int16_t *restrict result, size_t count) {
    const ptrdiff_t plane = planes.count == 1 ? 0 : planes.step;
    while (count > 0) {
        const size_t some = in_first_block(first, count), before = first % CR_PLANE_BLOCK;
        const int16_t *block = source + place_in(planes, first - before);
        if (some == CR_PLANE_BLOCK) {
            join_block(block, plane, result);
        } else {
            int16_t pixels[4 * CR_PLANE_BLOCK];
            join_block(block, plane, pixels);
            memcpy(result, pixels + 4 * before, some * 4 * sizeof *result);
        }
        first += some;
        result += 4 * some;
        count -= some;
    }
}

/* One channel of 32 pixels: the samples at its position in each pixel of four registers. */
TARGET static inline __m512i channel_of(const __m512i pixels[4], int channel) {
    static const uint16_t fourths[CR_PLANE_BLOCK / 2] = {0,  4,  8,  12, 16, 20, 24, 28,
                                                         32, 36, 40, 44, 48, 52, 56, 60};
    __m512i index = _mm512_castsi256_si512(_mm256_add_epi16(
        _mm256_loadu_si256((const __m256i *)(const void *)fourths), _mm256_set1_epi16((int16_t)channel)));
    __m512i low = _mm512_permutex2var_epi16(pixels[0], index, pixels[1]);
    __m512i high = _mm512_permutex2var_epi16(pixels[2], index, pixels[3]);
    return _mm512_inserti64x4(low, _mm512_castsi512_si256(high), 1);
}

TARGET static void split_block(const int16_t *source, int16_t *result, cr_planes planes) {
    __m512i pixels[4];
    for (int k = 0; k < 4; k++) pixels[k] = _mm512_loadu_si512(source + 32 * k);
    for (int c = 0; c < planes.count; c++)
        _mm512_storeu_si512(result + c * planes.step, channel_of(pixels, c));
}

TARGET void cr_split_planes_avx512(
    const int16_t *restrict source, int16_t *restrict result, cr_planes planes, size_t first, size_t count) {
    while (count > 0) {
        const size_t some = in_first_block(first, count);
        int16_t *place = result + place_in(planes, first);
        if (some == CR_PLANE_BLOCK)
            split_block(source, place, planes);
        else
            for (size_t i = 0; i < some; i++)
                for (int c = 0; c < planes.count; c++)
                    place[c * planes.step + (ptrdiff_t)i] = source[4 * i + (size_t)c];
        first += some;
        source += 4 * some;
        count -= some;
    }
}

#endif
