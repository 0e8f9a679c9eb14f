/* The weights of a footprint that is cut into thin rows. */
#include "rounding.h"

#include "CKernels.h"

void cr_add_slice(
    const int32_t *restrict above, float first, float length, float height, int32_t *restrict below,
    size_t count) {
    for (int32_t i = 0; i < (int32_t)count; i++) {
        float inner = first + (float)i;
        inner = inner < 0 ? 0 : inner;
        inner = inner > length ? length : inner;
        below[i] = above[i] + (int32_t)(height * inner);
    }
}

int32_t cr_shares(
    const int32_t *restrict above, const int32_t *restrict below, int32_t sum, int16_t *restrict weights,
    size_t count) {
    const int32_t base = sum - (below[0] - above[0]);
    for (size_t i = 0; i < count; i++) {
        int32_t left = (base + below[i] - above[i]) >> CR_SUM_BITS;
        int32_t right = (base + below[i + 1] - above[i + 1]) >> CR_SUM_BITS;
        weights[i] = (int16_t)(right - left);
    }
    return base + below[count] - above[count];
}
