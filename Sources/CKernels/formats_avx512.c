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

#endif
