/*
 * The reference bodies, included once per level: with SUFFIX and TARGET they are also the bodies of
 * the element-wise kernels under wider instruction sets, where the compiler vectorises them.
 */
#include "CRaster.h"

#define JOIN_(a, b) a##_##b
#define JOIN(a, b) JOIN_(a, b)
#define KERNEL(name) JOIN(name, SUFFIX)

static inline int16_t KERNEL(saturate)(int32_t value)
{
    return (int16_t)(value < INT16_MIN ? INT16_MIN : value > INT16_MAX ? INT16_MAX : value);
}

static inline int16_t KERNEL(scale_down)(int32_t sum)
{
    return KERNEL(saturate)((sum + (CR_WEIGHT_ONE >> 1)) >> CR_WEIGHT_BITS);
}

TARGET static void KERNEL(unpack_gray8)(const uint8_t *restrict source, int16_t *restrict result,
                                        size_t count)
{
    for (size_t i = 0; i < count; i++) {
        int16_t value = (int16_t)(source[i] << 6);
        result[4 * i] = value;
        result[4 * i + 1] = value;
        result[4 * i + 2] = value;
        result[4 * i + 3] = CR_OPAQUE;
    }
}

TARGET static void KERNEL(unpack_rgb8)(const uint8_t *restrict source, int16_t *restrict result,
                                       size_t count)
{
    for (size_t i = 0; i < count; i++) {
        result[4 * i] = (int16_t)(source[3 * i] << 6);
        result[4 * i + 1] = (int16_t)(source[3 * i + 1] << 6);
        result[4 * i + 2] = (int16_t)(source[3 * i + 2] << 6);
        result[4 * i + 3] = CR_OPAQUE;
    }
}

/* c * a * 64 / 255 as c * m >> 16 with m = round(a * 64 * 65536 / 255). 64 * 65536 / 255 is
 * 16448.25, times 256 it is 4210752.25; leaving out the last quarter costs less than 0.25 of m at
 * a = 255, where m is exact. c * m fits in 31 bits. */
TARGET static void KERNEL(unpack_rgba8)(const uint8_t *restrict source, int16_t *restrict result,
                                        size_t count)
{
    for (size_t i = 0; i < count; i++) {
        int32_t alpha = source[4 * i + 3];
        int32_t factor = (alpha * 4210752 + 128) >> 8;
        result[4 * i] = (int16_t)((source[4 * i] * factor + 32768) >> 16);
        result[4 * i + 1] = (int16_t)((source[4 * i + 1] * factor + 32768) >> 16);
        result[4 * i + 2] = (int16_t)((source[4 * i + 2] * factor + 32768) >> 16);
        result[4 * i + 3] = (int16_t)(alpha << 6);
    }
}

static inline int32_t KERNEL(clamp)(int32_t value, int32_t upper)
{
    return value < 0 ? 0 : value > upper ? upper : value;
}

/* The quotient of a sum below 2^24 and a divisor below 2^15, rounded half up, in single floats: the
 * quotient, below 256, is right to 2^-17, and no closer to another half than 2^-16. */
static inline uint8_t KERNEL(divide)(int32_t sum, int32_t divisor)
{
    return (uint8_t)(int32_t)((float)sum / (float)divisor + 0.5f);
}

/* Alpha to 8 bits: (a + 32) >> 6. Colour: c * 255 / a, with an alpha beyond opaque as it is: a
 * sharp kernel overshoots in colour and alpha alike, and their ratio is the colour. */
TARGET static cr_alpha_seen KERNEL(pack_rgba8)(const int16_t *restrict source,
                                               uint8_t *restrict result, size_t count)
{
    uint8_t all = 255, any = 0;
    for (size_t i = 0; i < count; i++) {
        int32_t alpha = KERNEL(clamp)(source[4 * i + 3], INT16_MAX);
        uint8_t alpha8 = (uint8_t)KERNEL(clamp)((alpha + 32) >> 6, 255);
        uint8_t mask = alpha8 ? 255 : 0;
        int32_t divisor = alpha > 0 ? alpha : 1;
        for (int c = 0; c < 3; c++) {
            int32_t color = KERNEL(clamp)(source[4 * i + c], alpha);
            result[4 * i + c] = KERNEL(divide)(color * 255, divisor) & mask;
        }
        result[4 * i + 3] = alpha8;
        all &= alpha8;
        any |= alpha8;
    }
    return (cr_alpha_seen){all, any};
}

/* (color * 255 + (opaque - alpha) * background) / opaque; an alpha beyond opaque divides, as
 * above. */
TARGET static cr_alpha_seen KERNEL(pack_rgba8_over)(const int16_t *restrict source,
                                                    const uint8_t *restrict background,
                                                    uint8_t *restrict result, size_t count)
{
    uint8_t any = 0;
    for (size_t i = 0; i < count; i++) {
        int32_t alpha = KERNEL(clamp)(source[4 * i + 3], INT16_MAX);
        int32_t divisor = alpha > CR_OPAQUE ? alpha : CR_OPAQUE;
        for (int c = 0; c < 3; c++) {
            int32_t color = KERNEL(clamp)(source[4 * i + c], alpha);
            int32_t behind = (divisor - alpha) * background[c];
            result[4 * i + c] = KERNEL(divide)(color * 255 + behind, divisor);
        }
        result[4 * i + 3] = 255;
        any |= (uint8_t)KERNEL(clamp)((alpha + 32) >> 6, 255);
    }
    return (cr_alpha_seen){255, any};
}
