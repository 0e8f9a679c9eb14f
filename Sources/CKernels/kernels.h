/* Shared by the files of kernels, which all include it first: the rule for rounding, the tables of the
 * levels, and the addresses of a position's taps. */
#ifndef TILEWRIGHT_KERNELS_H
#define TILEWRIGHT_KERNELS_H

#include "CKernels.h"

/* Results must not depend on compiler options, so each floating-point operation is rounded separately. A
 * compiler may contract a multiplication and an addition into one instruction with one rounding (FMA), which
 * gives different bits. The pragma applies to the rest of a file, including intrinsics, even if clang gets
 * -ffp-contract=on or fast-honor-pragmas. -ffp-contract=fast would ignore it: no build sets that option. */
#if defined(__FAST_MATH__)
#error "the kernels need the arithmetic of IEEE 754: compile them without -ffast-math"
#endif

#pragma STDC FP_CONTRACT OFF

extern const cr_kernels cr_portable_kernels;
#if defined(__x86_64__)
extern const cr_kernels cr_avx2_kernels;
extern const cr_kernels cr_avx512_kernels;

/* AVX2 kernels that the AVX-512 level calls or uses unchanged. */
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
#elif defined(__aarch64__)
extern const cr_kernels cr_neon_kernels;
#endif

/* The beginning of a row. */
static inline void *row_of(cr_row_ring ring, int32_t row) {
    return (uint8_t *)ring.first + row % ring.capacity * ring.stride;
}

/* The whole part of a position, rounded down. */
static inline int32_t position_whole(int32_t position) { return position >> CR_POSITION_BITS; }

/* The phase of a position in `warp_row`. */
static inline int32_t warp_phase(int32_t position) { return position & ((1 << CR_POSITION_BITS) - 1); }

/* The weights of a position in `warp_row`. */
static inline const int16_t *phase_weights(cr_phases phases, int32_t position) {
    return phases.weights + warp_phase(position) * phases.taps;
}

/* The first tap that `warp_row` reads for a position. */
static inline const int16_t *warp_first_tap(cr_window window, int32_t x, int32_t y, int taps_x, int taps_y) {
    ptrdiff_t column = position_whole(x) - taps_x / 2 + 1;
    ptrdiff_t row = position_whole(y) - taps_y / 2 + 1;
    return window.origin + 4 * (row * window.pixels_per_row + column);
}

/* The first tap that `warp_row_footprint` reads for a position. */
static inline const int16_t *footprint_first_tap(
    cr_window window, int32_t x, int32_t y, cr_footprint footprint) {
    ptrdiff_t column = position_whole(x) + footprint.left;
    ptrdiff_t row = position_whole(y) + footprint.top;
    return window.origin + 4 * (row * window.pixels_per_row + column);
}

/* The weights of a position in `warp_row_footprint`. */
static inline const int16_t *footprint_weights(int32_t x, int32_t y, cr_footprint footprint) {
    int shift = CR_POSITION_BITS - footprint.phase_bits;
    ptrdiff_t phase_x = warp_phase(x) >> shift, phase_y = warp_phase(y) >> shift;
    ptrdiff_t index = (phase_y << footprint.phase_bits) + phase_x;
    return footprint.weights + index * footprint.rows * footprint.columns;
}

#endif
