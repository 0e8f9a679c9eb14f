/* The kernels for AVX-512 in separate files. */
#ifndef TILEWRIGHT_KERNELS_AVX512_H
#define TILEWRIGHT_KERNELS_AVX512_H

#include "CKernels.h"

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

void cr_resample_gray8_avx512(const uint8_t *source, cr_grouped_taps taps, int16_t *result, size_t count);
void cr_resample_rgb8_avx512(const uint8_t *source, cr_grouped_taps taps, int16_t *result, size_t count);

#endif
