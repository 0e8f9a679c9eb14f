/* Conversions between 8-bit samples and deep pixels, for x86-64 with AVX2. */
#include "kernels.h"

#if defined(__x86_64__)
#include "elements.h"

#include <immintrin.h>

#define TARGET __attribute__((target("avx2")))

/* The lanes of alpha in four deep pixels. */
TARGET static inline __m256i alpha_lanes(void) { return _mm256_set1_epi64x((int64_t)0xffff000000000000); }

/* A value in the alphas of four deep pixels, and zeros. */
TARGET static inline __m256i in_alpha(int16_t value) {
    return _mm256_and_si256(_mm256_set1_epi16(value), alpha_lanes());
}

TARGET static inline __m256i load_four(const int16_t *pixels) {
    return _mm256_loadu_si256((const __m256i *)pixels);
}

TARGET static inline void store_four(int16_t *pixels, __m256i values) {
    _mm256_storeu_si256((__m256i *)pixels, values);
}

/* 16 bytes, twice. */
TARGET static inline __m256i load_twice(const uint8_t *bytes) {
    return _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)bytes));
}

/* Moves bytes to the colours of four pixels, times 64, and makes alpha opaque. */
TARGET static inline __m256i opaque_four(__m256i bytes, __m256i order) {
    __m256i colors = _mm256_slli_epi16(_mm256_shuffle_epi8(bytes, order), 6);
    return _mm256_or_si256(colors, in_alpha(CR_OPAQUE));
}

TARGET void cr_unpack_gray8_avx2(const uint8_t *restrict source, int16_t *restrict result, size_t count) {
    const char none = INT8_MIN;
    const __m256i first = _mm256_setr_epi8(
        0, none, 0, none, 0, none, none, none, 1, none, 1, none, 1, none, none, none,  // lower half
        2, none, 2, none, 2, none, none, none, 3, none, 3, none, 3, none, none, none);
    size_t i = 0;
    for (; i + 16 <= count; i += 16) {
        __m256i bytes = load_twice(source + i), order = first;
        for (int part = 0; part < 4; part++) {
            store_four(result + 4 * i + 16 * part, opaque_four(bytes, order));
            // `none` stays negative, which selects zero.
            order = _mm256_add_epi8(order, _mm256_set1_epi8(4));
        }
    }
    unpack_gray8_elements(source + i, result + 4 * i, count - i);
}

/* Eight pixels are read as bytes 0 to 15 and 8 to 23, so that nothing beyond them is read. */
TARGET void cr_unpack_rgb8_avx2(const uint8_t *restrict source, int16_t *restrict result, size_t count) {
    const __m256i first = _mm256_setr_epi8(
        0, -1, 1, -1, 2, -1, -1, -1, 3, -1, 4, -1, 5, -1, -1, -1,  // lower half
        6, -1, 7, -1, 8, -1, -1, -1, 9, -1, 10, -1, 11, -1, -1, -1);
    const __m256i second = _mm256_setr_epi8(
        4, -1, 5, -1, 6, -1, -1, -1, 7, -1, 8, -1, 9, -1, -1, -1,  // lower half
        10, -1, 11, -1, 12, -1, -1, -1, 13, -1, 14, -1, 15, -1, -1, -1);
    size_t i = 0;
    for (; i + 8 <= count; i += 8) {
        store_four(result + 4 * i, opaque_four(load_twice(source + 3 * i), first));
        store_four(result + 4 * i + 16, opaque_four(load_twice(source + 3 * i + 8), second));
    }
    unpack_rgb8_elements(source + 3 * i, result + 4 * i, count - i);
}

/* The reference's product of 31 bits, c * a * 16448 + c * ((a + 2) / 4) + 32768, in halves of 16:
 * the upper one, and a carry out of the lower one. Alpha is a colour of 255 here. */
TARGET static inline __m256i premultiply_four(__m256i samples) {
    const __m256i order = _mm256_setr_epi8(
        6, 7, 6, 7, 6, 7, 6, 7, 14, 15, 14, 15, 14, 15, 14, 15,  // lower half
        6, 7, 6, 7, 6, 7, 6, 7, 14, 15, 14, 15, 14, 15, 14, 15);
    const __m256i factor = _mm256_set1_epi16(16448);
    __m256i alpha = _mm256_shuffle_epi8(samples, order);
    __m256i color = _mm256_or_si256(samples, in_alpha(255));
    __m256i quarter = _mm256_srli_epi16(_mm256_add_epi16(alpha, _mm256_set1_epi16(2)), 2);
    __m256i product = _mm256_mullo_epi16(color, alpha);
    __m256i low = _mm256_mullo_epi16(product, factor);
    __m256i rest = _mm256_add_epi16(_mm256_mullo_epi16(color, quarter), _mm256_set1_epi16(INT16_MIN));
    __m256i sum = _mm256_add_epi16(low, rest);
    // -1 in lanes whose sum did not wrap.
    __m256i whole = _mm256_cmpeq_epi16(_mm256_max_epu16(sum, low), sum);
    __m256i carry = _mm256_add_epi16(whole, _mm256_set1_epi16(1));
    return _mm256_add_epi16(_mm256_mulhi_epu16(product, factor), carry);
}

/* Eight pixels; the method depends on their alphas. */
TARGET static inline void unpack_eight(const uint8_t *source, int16_t *result) {
    const __m256i alphas = _mm256_set1_epi32((int32_t)0xff000000);
    __m256i bytes = _mm256_loadu_si256((const __m256i *)source);
    __m256i low = _mm256_cvtepu8_epi16(_mm256_castsi256_si128(bytes));
    __m256i high = _mm256_cvtepu8_epi16(_mm256_extracti128_si256(bytes, 1));
    if (_mm256_testc_si256(bytes, alphas)) {
        low = _mm256_slli_epi16(low, 6);
        high = _mm256_slli_epi16(high, 6);
    } else if (_mm256_testz_si256(bytes, alphas)) {
        low = high = _mm256_setzero_si256();
    } else {
        low = premultiply_four(low);
        high = premultiply_four(high);
    }
    store_four(result, low);
    store_four(result + 16, high);
}

TARGET void cr_unpack_rgba8_avx2(const uint8_t *restrict source, int16_t *restrict result, size_t count) {
    size_t i = 0;
    for (; i + 8 <= count; i += 8) unpack_eight(source + 4 * i, result + 4 * i);
    unpack_rgba8_elements(source + 4 * i, result + 4 * i, count - i);
}

/* Units of 1/64 to whole units, rounded half up; values above opaque stay above 255. */
TARGET static inline __m256i to_whole(__m256i values) {
    return _mm256_srai_epi16(_mm256_adds_epi16(values, _mm256_set1_epi16(32)), 6);
}

/* Eight pixels of 8 bits from two registers of four, saturated. */
TARGET static inline __m256i narrow(__m256i low, __m256i high) {
    __m256i packed = _mm256_packus_epi16(low, high);
    return _mm256_permute4x64_epi64(packed, _MM_SHUFFLE(3, 1, 2, 0));
}

/* The alpha of each pixel, not below 0, in all its lanes. */
TARGET static inline __m256i spread_alpha(__m256i pixels) {
    const __m256i order = _mm256_setr_epi8(
        6, 7, 6, 7, 6, 7, 6, 7, 14, 15, 14, 15, 14, 15, 14, 15,  // lower half
        6, 7, 6, 7, 6, 7, 6, 7, 14, 15, 14, 15, 14, 15, 14, 15);
    return _mm256_max_epi16(_mm256_shuffle_epi8(pixels, order), _mm256_setzero_si256());
}

TARGET static inline __m256i clamp_lanes(__m256i values, __m256i upper) {
    return _mm256_min_epi16(_mm256_max_epi16(values, _mm256_setzero_si256()), upper);
}

/* Divides whole numbers as the reference does. */
TARGET static inline __m256i divide_lanes(__m256i sum, __m256i divisor) {
    __m256 quotient = _mm256_div_ps(_mm256_cvtepi32_ps(sum), _mm256_cvtepi32_ps(divisor));
    return _mm256_cvttps_epi32(_mm256_add_ps(quotient, _mm256_set1_ps(0.5f)));
}

/* (255 * color + behind * background) / divisor in 16 lanes; `factors` are pairs of 255 and the
 * background, of each channel. */
TARGET static inline __m256i blend_lanes(__m256i color, __m256i behind, __m256i factors, __m256i divisor) {
    const __m256i zero = _mm256_setzero_si256();
    __m256i low = _mm256_madd_epi16(_mm256_unpacklo_epi16(color, behind), factors);
    __m256i high = _mm256_madd_epi16(_mm256_unpackhi_epi16(color, behind), factors);
    low = divide_lanes(low, _mm256_unpacklo_epi16(divisor, zero));
    high = divide_lanes(high, _mm256_unpackhi_epi16(divisor, zero));
    return _mm256_packs_epi32(low, high);
}

/* Four pixels of any alpha. */
TARGET static inline __m256i straighten_four(__m256i pixels) {
    __m256i alpha = spread_alpha(pixels);
    __m256i divisor = _mm256_max_epi16(alpha, _mm256_set1_epi16(1));
    __m256i colors =
        blend_lanes(clamp_lanes(pixels, alpha), _mm256_setzero_si256(), _mm256_set1_epi32(255), divisor);
    __m256i straight = _mm256_blendv_epi8(colors, to_whole(alpha), alpha_lanes());
    return _mm256_and_si256(straight, _mm256_cmpgt_epi16(alpha, _mm256_set1_epi16(31)));
}

/* Whether all of eight pixels have exactly the alpha of opaque. */
TARGET static inline int are_opaque(__m256i low, __m256i high) {
    const __m256i opaque = _mm256_set1_epi16(CR_OPAQUE);
    __m256i differences = _mm256_or_si256(_mm256_xor_si256(low, opaque), _mm256_xor_si256(high, opaque));
    return _mm256_testz_si256(differences, alpha_lanes());
}

/* Whether the alphas of all of eight pixels are at most a value. */
TARGET static inline int are_at_most(__m256i low, __m256i high, int16_t alpha) {
    __m256i above = _mm256_cmpgt_epi16(_mm256_max_epi16(low, high), _mm256_set1_epi16(alpha));
    return _mm256_testz_si256(above, alpha_lanes());
}

/* Eight pixels. Most runs are opaque or empty, and need no division: see the reference. */
TARGET static inline __m256i pack_eight(__m256i low, __m256i high) {
    if (are_opaque(low, high)) return narrow(to_whole(low), to_whole(high));
    // The largest alpha that rounds to 0.
    if (are_at_most(low, high, 31)) return _mm256_setzero_si256();
    return narrow(straighten_four(low), straighten_four(high));
}

/* The bytes of alpha of eight packed pixels. */
TARGET static inline cr_alpha_seen seen_in(__m256i all, __m256i any) {
    uint32_t every[8], some[8];
    _mm256_storeu_si256((__m256i *)every, all);
    _mm256_storeu_si256((__m256i *)some, any);
    cr_alpha_seen seen = {255, 0};
    for (int i = 0; i < 8; i++) {
        seen.alpha_and &= (uint8_t)(every[i] >> 24);
        seen.alpha_or |= (uint8_t)(some[i] >> 24);
    }
    return seen;
}

TARGET cr_alpha_seen
cr_pack_rgba8_avx2(const int16_t *restrict source, uint8_t *restrict result, size_t count) {
    __m256i all = _mm256_set1_epi8(-1), any = _mm256_setzero_si256();
    size_t i = 0;
    for (; i + 8 <= count; i += 8) {
        __m256i packed = pack_eight(load_four(source + 4 * i), load_four(source + 4 * i + 16));
        _mm256_storeu_si256((__m256i *)(result + 4 * i), packed);
        all = _mm256_and_si256(all, packed);
        any = _mm256_or_si256(any, packed);
    }
    cr_alpha_seen seen = seen_in(all, any);
    cr_alpha_seen rest = pack_rgba8_elements(source + 4 * i, result + 4 * i, count - i);
    return (cr_alpha_seen){seen.alpha_and & rest.alpha_and, seen.alpha_or | rest.alpha_or};
}

/* An opaque colour behind pixels. */
typedef struct {
    __m256i pixels;  /* of 8 bits, eight times */
    __m256i factors; /* pairs of 255 and a channel of the colour, two pixels */
} backdrop;

TARGET static inline backdrop make_backdrop(const uint8_t *color) {
    uint32_t pixel = color[0] | (uint32_t)color[1] << 8 | (uint32_t)color[2] << 16 | 255u << 24;
    __m128i channels = _mm_cvtepu8_epi32(_mm_cvtsi32_si128((int)pixel));
    __m128i factors = _mm_or_si128(_mm_slli_epi32(channels, 16), _mm_set1_epi32(255));
    return (backdrop){_mm256_set1_epi32((int)pixel), _mm256_broadcastsi128_si256(factors)};
}

/* Four pixels of any alpha over a backdrop, whose alpha of 255 makes them opaque. */
TARGET static inline __m256i blend_four(__m256i pixels, backdrop behind) {
    __m256i alpha = spread_alpha(pixels);
    __m256i divisor = _mm256_max_epi16(alpha, _mm256_set1_epi16(CR_OPAQUE));
    return blend_lanes(clamp_lanes(pixels, alpha), _mm256_sub_epi16(divisor, alpha), behind.factors, divisor);
}

/* Eight pixels over a backdrop, and their alphas. */
TARGET static inline __m256i pack_eight_over(__m256i low, __m256i high, backdrop behind, __m256i *alphas) {
    if (are_opaque(low, high)) {
        *alphas = _mm256_set1_epi8(-1);
        return narrow(to_whole(low), to_whole(high));
    }
    *alphas = narrow(to_whole(low), to_whole(high));
    if (are_at_most(low, high, 0)) return behind.pixels;
    return narrow(blend_four(low, behind), blend_four(high, behind));
}

TARGET cr_alpha_seen cr_pack_rgba8_over_avx2(
    const int16_t *restrict source, const uint8_t *restrict background, uint8_t *restrict result,
    size_t count) {
    const backdrop behind = make_backdrop(background);
    __m256i any = _mm256_setzero_si256();
    size_t i = 0;
    for (; i + 8 <= count; i += 8) {
        __m256i alphas;
        __m256i packed =
            pack_eight_over(load_four(source + 4 * i), load_four(source + 4 * i + 16), behind, &alphas);
        _mm256_storeu_si256((__m256i *)(result + 4 * i), packed);
        any = _mm256_or_si256(any, alphas);
    }
    cr_alpha_seen seen = seen_in(_mm256_set1_epi8(-1), any);
    cr_alpha_seen rest = pack_rgba8_over_elements(source + 4 * i, background, result + 4 * i, count - i);
    return (cr_alpha_seen){255, seen.alpha_or | rest.alpha_or};
}

#endif
