/* AVX2 kernels that the AVX-512 level calls or uses unchanged. */
#ifndef TILEWRIGHT_KERNELS_AVX2_H
#define TILEWRIGHT_KERNELS_AVX2_H

#include "CKernels.h"

void cr_unpack_gray8_avx2(const uint8_t *source, int16_t *result, size_t count);
void cr_unpack_rgb8_avx2(const uint8_t *source, int16_t *result, size_t count);
void cr_unpack_rgba8_avx2(const uint8_t *source, int16_t *result, size_t count);
void cr_resample_row_avx2(
    const int16_t *source, const int32_t *starts, const int16_t *weights, int taps, int16_t *result,
    size_t count);
void cr_combine_rows_avx2(
    const int16_t *const *rows, const int16_t *weights, int taps, int16_t *result, size_t count);
void cr_halve_row_avx2(
    const int16_t *source, const int16_t *weights, int taps, int16_t *result, size_t count);
void cr_halve_box_avx2(const int16_t *upper, const int16_t *lower, int16_t *result, size_t count);
void cr_warp_row_avx2(
    cr_window window, const int32_t *x, const int32_t *y, cr_phases across, cr_phases down, int16_t *result,
    size_t count);
void cr_warp_row_footprint_avx2(
    cr_window window, const int32_t *x, const int32_t *y, cr_footprint footprint, int16_t *result,
    size_t count);
cr_alpha_seen cr_pack_rgba8_avx2(const int16_t *source, uint8_t *result, size_t count);
cr_alpha_seen cr_pack_rgba8_over_avx2(
    const int16_t *source, const uint8_t *background, uint8_t *result, size_t count);

#endif
