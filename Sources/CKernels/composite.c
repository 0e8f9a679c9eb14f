/* Composites deep pixels over others, and applies coverage. */
#include "rounding.h"

#include "kernels.h"

static inline int16_t saturated(int32_t value) {
    return (int16_t)(value < INT16_MIN ? INT16_MIN : value > INT16_MAX ? INT16_MAX : value);
}

/* The weight of the pixel below a pixel with the given alpha. 16448 / 2^14 is about 2^14 / 16320; with
 * rounding, alphas 0 and CR_OPAQUE give exactly CR_WEIGHT_ONE and 0. */
static inline int32_t left_over(int32_t alpha) { return ((CR_OPAQUE - alpha) * 16448 + (1 << 13)) >> 14; }

static inline int16_t laid_over(int16_t below, int16_t above, int32_t weight) {
    return saturated(above + ((below * weight + CR_WEIGHT_ONE / 2) >> CR_WEIGHT_BITS));
}

void cr_lay_over(const int16_t *above, int16_t *result, size_t count) {
    for (size_t i = 0; i < count; i++, above += 4, result += 4) {
        int32_t weight = left_over(above[3]);
        for (int channel = 0; channel < 4; channel++)
            result[channel] = laid_over(result[channel], above[channel], weight);
    }
}

/* The weight with which the pixel below makes both together opaque, limited to the range from `left_over` to
 * CR_WEIGHT_ONE. For negative alphas, which negative weights give near an edge, `left_over` is the larger. */
static inline int32_t joining(int32_t above, int32_t below) {
    if (below == 0) return CR_WEIGHT_ONE;
    int32_t over = left_over(above);
    int32_t least = over < CR_WEIGHT_ONE ? over : CR_WEIGHT_ONE;
    int32_t most = over < CR_WEIGHT_ONE ? CR_WEIGHT_ONE : over;
    int64_t filling = ((int64_t)(CR_OPAQUE - above) * CR_WEIGHT_ONE) / below;
    return filling < least ? least : filling > most ? most : (int32_t)filling;
}

void cr_join(const int16_t *above, int16_t *result, size_t count) {
    for (size_t i = 0; i < count; i++, above += 4, result += 4) {
        int32_t weight = joining(above[3], result[3]);
        for (int channel = 0; channel < 4; channel++)
            result[channel] = laid_over(result[channel], above[channel], weight);
    }
}

void cr_cover(int16_t *pixels, const uint16_t *coverage, size_t count) {
    for (size_t i = 0; i < count; i++, pixels += 4)
        for (int channel = 0; channel < 4; channel++)
            pixels[channel] = (int16_t)((pixels[channel] * (int32_t)coverage[i] + 128) >> 8);
}
