/*
 * The kernels for arm64. `smlal` multiplies the samples of a pixel by one weight and adds them to
 * sums of 32 bits; `sqrshrn` adds a half, shifts and saturates: the reference's arithmetic.
 */
#include "kernels.h"

#if defined(__aarch64__)
#include "elements.h"

#include <arm_neon.h>

static void unpack_gray8(const uint8_t *restrict source, int16_t *restrict result, size_t count) {
    size_t i = 0;
    for (; i + 8 <= count; i += 8) {
        int16x8_t value = vreinterpretq_s16_u16(vshll_n_u8(vld1_u8(source + i), 6));
        int16x8x4_t pixels = {{value, value, value, vdupq_n_s16(CR_OPAQUE)}};
        vst4q_s16(result + 4 * i, pixels);
    }
    unpack_gray8_elements(source + i, result + 4 * i, count - i);
}

static void unpack_rgb8(const uint8_t *restrict source, int16_t *restrict result, size_t count) {
    size_t i = 0;
    for (; i + 8 <= count; i += 8) {
        uint8x8x3_t bytes = vld3_u8(source + 3 * i);
        int16x8x4_t pixels = {.val[3] = vdupq_n_s16(CR_OPAQUE)};
        for (int c = 0; c < 3; c++) pixels.val[c] = vreinterpretq_s16_u16(vshll_n_u8(bytes.val[c], 6));
        vst4q_s16(result + 4 * i, pixels);
    }
    unpack_rgb8_elements(source + 3 * i, result + 4 * i, count - i);
}

/* The reference's product: c * factor, rounded, the upper 16 of 32 bits. */
static inline int16x8_t premultiply(uint16x8_t color, uint32x4_t factor_low, uint32x4_t factor_high) {
    uint32x4_t low = vmulq_u32(vmovl_u16(vget_low_u16(color)), factor_low);
    uint32x4_t high = vmulq_u32(vmovl_high_u16(color), factor_high);
    return vreinterpretq_s16_u16(vrshrn_high_n_u32(vrshrn_n_u32(low, 16), high, 16));
}

static void unpack_rgba8(const uint8_t *restrict source, int16_t *restrict result, size_t count) {
    size_t i = 0;
    for (; i + 8 <= count; i += 8) {
        uint8x8x4_t bytes = vld4_u8(source + 4 * i);
        uint16x8_t alpha = vmovl_u8(bytes.val[3]), quarter = vrshrq_n_u16(alpha, 2);
        uint32x4_t low = vmlal_n_u16(vmovl_u16(vget_low_u16(quarter)), vget_low_u16(alpha), 16448);
        uint32x4_t high = vmlal_high_n_u16(vmovl_high_u16(quarter), alpha, 16448);
        int16x8x4_t pixels = {.val[3] = vreinterpretq_s16_u16(vshlq_n_u16(alpha, 6))};
        for (int c = 0; c < 3; c++) pixels.val[c] = premultiply(vmovl_u8(bytes.val[c]), low, high);
        vst4q_s16(result + 4 * i, pixels);
    }
    unpack_rgba8_elements(source + 4 * i, result + 4 * i, count - i);
}

/* The sum of four neighbouring pixels times four weights. */
static inline int32x4_t add_four(int32x4_t sum, const int16_t *pixels, int16x4_t weights) {
    int16x8_t first = vld1q_s16(pixels), second = vld1q_s16(pixels + 8);
    sum = vmlal_lane_s16(sum, vget_low_s16(first), weights, 0);
    sum = vmlal_high_lane_s16(sum, first, weights, 1);
    sum = vmlal_lane_s16(sum, vget_low_s16(second), weights, 2);
    return vmlal_high_lane_s16(sum, second, weights, 3);
}

/* The weighted sums of neighbouring pixels, one lane per channel. */
static inline int32x4_t add_taps(int32x4_t sum, const int16_t *pixel, const int16_t *weight, int taps) {
    for (int k = 0; k < taps; k += 4) sum = add_four(sum, pixel + 4 * k, vld1_s16(weight + k));
    return sum;
}

static inline void store_pixel(int16_t *result, int32x4_t sum) {
    vst1_s16(result, vqrshrn_n_s32(sum, CR_WEIGHT_BITS));
}

static void resample_row(
    const int16_t *restrict source, const int32_t *restrict starts, const int16_t *restrict weights, int taps,
    int16_t *restrict result, size_t count) {
    for (size_t i = 0; i < count; i++, weights += taps)
        store_pixel(
            result + 4 * i, add_taps(vdupq_n_s32(0), source + 4 * (ptrdiff_t)starts[i], weights, taps));
}

static void halve_row(
    const int16_t *restrict source, const int16_t *restrict weights, int taps, int16_t *restrict result,
    size_t count) {
    for (size_t i = 0; i < count; i++)
        store_pixel(result + 4 * i, add_taps(vdupq_n_s32(0), source + 8 * i, weights, taps));
}

/* The average of two rows, for two pixels. */
static inline int16x8_t average_two(const int16_t *upper, const int16_t *lower) {
    return vrhaddq_s16(vld1q_s16(upper), vld1q_s16(lower));
}

static void halve_box(
    const int16_t *restrict upper, const int16_t *restrict lower, int16_t *restrict result, size_t count) {
    size_t i = 0;
    for (; i + 2 <= count; i += 2) {
        int64x2_t first = vreinterpretq_s64_s16(average_two(upper + 8 * i, lower + 8 * i));
        int64x2_t second = vreinterpretq_s64_s16(average_two(upper + 8 * i + 8, lower + 8 * i + 8));
        int16x8_t even = vreinterpretq_s16_s64(vzip1q_s64(first, second));
        int16x8_t odd = vreinterpretq_s16_s64(vzip2q_s64(first, second));
        vst1q_s16(result + 4 * i, vrhaddq_s16(even, odd));
    }
    halve_box_elements(upper + 8 * i, lower + 8 * i, result + 4 * i, count - i);
}

/* The sums of eight samples. */
typedef struct {
    int32x4_t low;
    int32x4_t high;
} sums_of_8;

static inline sums_of_8 no_sums(void) { return (sums_of_8){vdupq_n_s32(0), vdupq_n_s32(0)}; }

static inline sums_of_8 add_samples(sums_of_8 sums, const int16_t *samples, int16_t weight) {
    int16x8_t eight = vld1q_s16(samples);
    return (sums_of_8){
        vmlal_n_s16(sums.low, vget_low_s16(eight), weight), vmlal_high_n_s16(sums.high, eight, weight)};
}

static inline int16x8_t scale_down_8(sums_of_8 sums) {
    return vqrshrn_high_n_s32(vqrshrn_n_s32(sums.low, CR_WEIGHT_BITS), sums.high, CR_WEIGHT_BITS);
}

static void combine_rows(
    const int16_t *const *rows, const int16_t *weights, int taps, int16_t *restrict result, size_t count) {
    size_t samples = 4 * count, i = 0;
    for (; i + 16 <= samples; i += 16) {
        sums_of_8 first = no_sums(), second = no_sums();
        for (int k = 0; k < taps; k++) {
            first = add_samples(first, rows[k] + i, weights[k]);
            second = add_samples(second, rows[k] + i + 8, weights[k]);
        }
        vst1q_s16(result + i, scale_down_8(first));
        vst1q_s16(result + i + 8, scale_down_8(second));
    }
    combine_rows_elements(rows, weights, taps, result, i, samples);
}

static void interpolate_row(double start, double step, double first, double *result, size_t count) {
    interpolate_row_elements(start, step, first, result, count);
}

static void fix_block(
    cr_position_block block, cr_position_grid grid, cr_position_limits limits, cr_position_extent *extent) {
    fix_block_elements(block, grid, limits, extent);
}

/* The weighted sums of four columns of some rows. */
static inline int32x4_t add_columns(
    int32x4_t sum, const int16_t *pixel, ptrdiff_t samples_per_row, const int16_t *weights_y, int rows,
    int16x4_t weights_x) {
    sums_of_8 first = no_sums(), second = no_sums();
    for (int r = 0; r < rows; r++, pixel += samples_per_row) {
        first = add_samples(first, pixel, weights_y[r]);
        second = add_samples(second, pixel + 8, weights_y[r]);
    }
    int16_t line[16];
    vst1q_s16(line, scale_down_8(first));
    vst1q_s16(line + 8, scale_down_8(second));
    return add_four(sum, line, weights_x);
}

static void warp_row(
    cr_window window, const int32_t *restrict x, const int32_t *restrict y, cr_phases across, cr_phases down,
    int16_t *restrict result, size_t count) {
    for (size_t i = 0; i < count; i++) {
        int32x4_t sum = vdupq_n_s32(0);
        if (x[i] != INT32_MIN) {
            const int16_t *pixel = warp_first_tap(window, x[i], y[i], across.taps, down.taps);
            const int16_t *weights_x = phase_weights(across, x[i]);
            const int16_t *weights_y = phase_weights(down, y[i]);
            for (int k = 0; k < across.taps; k += 4)
                sum = add_columns(
                    sum, pixel + 4 * k, 4 * window.pixels_per_row, weights_y, down.taps,
                    vld1_s16(weights_x + k));
        }
        store_pixel(result + 4 * i, sum);
    }
}

static void warp_row_footprint(
    cr_window window, const int32_t *restrict x, const int32_t *restrict y, cr_footprint footprint,
    int16_t *restrict result, size_t count) {
    for (size_t i = 0; i < count; i++) {
        int32x4_t sum = vdupq_n_s32(0);
        if (x[i] != INT32_MIN) {
            const int16_t *pixel = footprint_first_tap(window, x[i], y[i], footprint);
            const int16_t *weight = footprint_weights(x[i], y[i], footprint);
            for (int r = 0; r < footprint.rows; r++) {
                sum = add_taps(sum, pixel, weight, footprint.columns);
                pixel += 4 * window.pixels_per_row;
                weight += footprint.columns;
            }
        }
        store_pixel(result + 4 * i, sum);
    }
}

/* Units of 1/64 to 8 bits, rounded half up and saturated. */
static inline uint8x8_t to_bytes(int16x8_t values) { return vqrshrun_n_s16(values, 6); }

/* Divides whole numbers as the reference does. */
static inline uint16x4_t divide_lanes(int32x4_t sum, int32x4_t divisor) {
    float32x4_t quotient = vdivq_f32(vcvtq_f32_s32(sum), vcvtq_f32_s32(divisor));
    return vmovn_u32(vcvtq_u32_f32(vaddq_f32(quotient, vdupq_n_f32(0.5f))));
}

/* (255 * color + background * behind) / divisor, with `color` limited to 0...alpha. */
static inline uint8x8_t blend(
    int16x8_t color, int16x8_t alpha, int16x8_t behind, uint8_t background, int16x8_t divisor) {
    color = vminq_s16(vmaxq_s16(color, vdupq_n_s16(0)), alpha);
    int32x4_t low = vmull_n_s16(vget_low_s16(color), 255);
    int32x4_t high = vmull_high_n_s16(color, 255);
    low = vmlal_n_s16(low, vget_low_s16(behind), background);
    high = vmlal_high_n_s16(high, behind, background);
    uint16x4_t first = divide_lanes(low, vmovl_s16(vget_low_s16(divisor)));
    uint16x4_t second = divide_lanes(high, vmovl_high_s16(divisor));
    return vmovn_u16(vcombine_u16(first, second));
}

static inline int are_all(uint16x8_t lanes) { return vminvq_u16(lanes) != 0; }

/* Eight pixels. Most runs are opaque or empty, and need no division: see the reference. */
static inline uint8x8x4_t pack_eight(int16x8x4_t pixels) {
    int16x8_t alpha = vmaxq_s16(pixels.val[3], vdupq_n_s16(0));
    uint8x8_t alpha8 = to_bytes(alpha);
    uint8x8x4_t packed = {.val = {[3] = alpha8}};
    int isOpaque = are_all(vceqq_s16(alpha, vdupq_n_s16(CR_OPAQUE)));
    int16x8_t divisor = vmaxq_s16(alpha, vdupq_n_s16(1));
    uint8x8_t seen = vcgt_u8(alpha8, vdup_n_u8(0));
    for (int c = 0; c < 3; c++)
        packed.val[c] = isOpaque ? to_bytes(pixels.val[c])
                                 : vand_u8(seen, blend(pixels.val[c], alpha, vdupq_n_s16(0), 0, divisor));
    return packed;
}

static cr_alpha_seen pack_rgba8(const int16_t *restrict source, uint8_t *restrict result, size_t count) {
    uint8x8_t all = vdup_n_u8(255), any = vdup_n_u8(0);
    size_t i = 0;
    for (; i + 8 <= count; i += 8) {
        uint8x8x4_t packed = pack_eight(vld4q_s16(source + 4 * i));
        vst4_u8(result + 4 * i, packed);
        all = vand_u8(all, packed.val[3]);
        any = vorr_u8(any, packed.val[3]);
    }
    cr_alpha_seen seen = pack_rgba8_elements(source + 4 * i, result + 4 * i, count - i);
    for (int lane = 0; lane < 8; lane++) {
        seen.alpha_and &= all[lane];
        seen.alpha_or |= any[lane];
    }
    return seen;
}

/* Eight pixels over an opaque colour. */
static inline uint8x8x4_t pack_eight_over(int16x8x4_t pixels, const uint8_t *background) {
    int16x8_t alpha = vmaxq_s16(pixels.val[3], vdupq_n_s16(0));
    int16x8_t divisor = vmaxq_s16(alpha, vdupq_n_s16(CR_OPAQUE));
    int16x8_t behind = vsubq_s16(divisor, alpha);
    int isOpaque = are_all(vceqq_s16(alpha, vdupq_n_s16(CR_OPAQUE)));
    uint8x8x4_t packed = {.val = {[3] = vdup_n_u8(255)}};
    for (int c = 0; c < 3; c++)
        packed.val[c] =
            isOpaque ? to_bytes(pixels.val[c]) : blend(pixels.val[c], alpha, behind, background[c], divisor);
    return packed;
}

static cr_alpha_seen pack_rgba8_over(
    const int16_t *restrict source, const uint8_t *restrict background, uint8_t *restrict result,
    size_t count) {
    uint8x8_t any = vdup_n_u8(0);
    size_t i = 0;
    for (; i + 8 <= count; i += 8) {
        int16x8x4_t pixels = vld4q_s16(source + 4 * i);
        vst4_u8(result + 4 * i, pack_eight_over(pixels, background));
        any = vorr_u8(any, to_bytes(pixels.val[3]));
    }
    cr_alpha_seen seen = pack_rgba8_over_elements(source + 4 * i, background, result + 4 * i, count - i);
    for (int lane = 0; lane < 8; lane++) seen.alpha_or |= any[lane];
    return seen;
}

const cr_kernels cr_neon_kernels = {
    .level = CR_LEVEL_NEON,
    .name = "neon",
    .unpack_gray8 = unpack_gray8,
    .unpack_rgb8 = unpack_rgb8,
    .unpack_rgba8 = unpack_rgba8,
    .resample_row = resample_row,
    .combine_rows = combine_rows,
    .halve_row = halve_row,
    .halve_box = halve_box,
    .interpolate_row = interpolate_row,
    .fix_block = fix_block,
    .warp_row = warp_row,
    .warp_row_footprint = warp_row_footprint,
    .pack_rgba8 = pack_rgba8,
    .pack_rgba8_over = pack_rgba8_over,
};

#endif
