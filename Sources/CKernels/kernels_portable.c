/* The portable level, which is the reference of all others, and the choice of the level. */
#include "kernels.h"

#include "elements.h"

/* The weighted sums of neighbouring pixels, one per channel. There is at least one tap, so the loop tests at
 * its end: a test at its beginning would be repeated for every pixel. */
static inline void weigh_taps(const int16_t *pixel, const int16_t *weight, int taps, int32_t sum[4]) {
    int k = 0;
    do {
        for (int c = 0; c < 4; c++) sum[c] += weight[k] * pixel[4 * k + c];
    } while (++k < taps);
}

static inline void store_pixel(int16_t *result, const int32_t sum[4]) {
    for (int c = 0; c < 4; c++) result[c] = scale_down(sum[c]);
}

static void resample_row(
    const int16_t *restrict source, const int32_t *restrict starts, const int16_t *restrict weights, int taps,
    int16_t *restrict result, size_t count) {
    for (size_t i = 0; i < count; i++) {
        int32_t sum[4] = {0, 0, 0, 0};
        weigh_taps(source + 4 * (ptrdiff_t)starts[i], weights + i * (size_t)taps, taps, sum);
        store_pixel(result + 4 * i, sum);
    }
}

static void combine_rows(
    const int16_t *const *rows, const int16_t *weights, int taps, int16_t *restrict result, size_t count) {
    combine_rows_elements(rows, weights, taps, result, 0, 4 * count);
}

static void halve_row(
    const int16_t *restrict source, const int16_t *restrict weights, int taps, int16_t *restrict result,
    size_t count) {
    for (size_t i = 0; i < count; i++) {
        int32_t sum[4] = {0, 0, 0, 0};
        weigh_taps(source + 8 * i, weights, taps, sum);
        store_pixel(result + 4 * i, sum);
    }
}

/* One column of taps, combined. */
static inline void combine_column(
    const int16_t *pixel, ptrdiff_t samples_per_row, const int16_t *weight, int taps, int16_t result[4]) {
    int32_t sum[4] = {0, 0, 0, 0};
    int r = 0;
    do {
        for (int c = 0; c < 4; c++) sum[c] += weight[r] * pixel[c];
        pixel += samples_per_row;
    } while (++r < taps);
    store_pixel(result, sum);
}

static void warp_row(
    cr_window window, const int32_t *restrict x, const int32_t *restrict y, cr_phases across, cr_phases down,
    int16_t *restrict result, size_t count) {
    for (size_t i = 0; i < count; i++, result += 4) {
        int32_t sum[4] = {0, 0, 0, 0};
        if (x[i] != INT32_MIN) {
            const int16_t *pixel = warp_first_tap(window, x[i], y[i], across.taps, down.taps);
            const int16_t *weights_x = phase_weights(across, x[i]);
            const int16_t *weights_y = phase_weights(down, y[i]);
            int k = 0;
            do {
                int16_t column[4];
                combine_column(pixel + 4 * k, 4 * window.pixels_per_row, weights_y, down.taps, column);
                weigh_taps(column, weights_x + k, 1, sum);
            } while (++k < across.taps);
        }
        store_pixel(result, sum);
    }
}

static void warp_row_footprint(
    cr_window window, const int32_t *restrict x, const int32_t *restrict y, cr_footprint footprint,
    int16_t *restrict result, size_t count) {
    for (size_t i = 0; i < count; i++, result += 4) {
        int32_t sum[4] = {0, 0, 0, 0};
        if (x[i] != INT32_MIN) {
            const int16_t *pixel = footprint_first_tap(window, x[i], y[i], footprint);
            const int16_t *weight = footprint_weights(x[i], y[i], footprint);
            int r = 0;
            do {
                weigh_taps(pixel, weight, footprint.columns, sum);
                pixel += 4 * window.pixels_per_row;
                weight += footprint.columns;
            } while (++r < footprint.rows);
        }
        store_pixel(result, sum);
    }
}

const cr_kernels cr_portable_kernels = {
    .level = CR_LEVEL_PORTABLE,
    .name = "portable",
    .unpack_gray8 = unpack_gray8_elements,
    .unpack_rgb8 = unpack_rgb8_elements,
    .unpack_rgba8 = unpack_rgba8_elements,
    .resample_row = resample_row,
    .combine_rows = combine_rows,
    .halve_row = halve_row,
    .halve_box = halve_box_elements,
    .interpolate_row = interpolate_row_elements,
    .fix_block = fix_block_elements,
    .warp_row = warp_row,
    .warp_row_footprint = warp_row_footprint,
    .pack_rgba8 = pack_rgba8_elements,
    .pack_rgba8_over = pack_rgba8_over_elements,
};

const cr_kernels *cr_kernels_at(cr_level level) {
    switch (level) {
    case CR_LEVEL_PORTABLE: return &cr_portable_kernels;
#if defined(__x86_64__)
    case CR_LEVEL_AVX2: return __builtin_cpu_supports("avx2") ? &cr_avx2_kernels : NULL;
    case CR_LEVEL_AVX512:
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw")
                && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vbmi")
                && __builtin_cpu_supports("avx512vnni")
            ? &cr_avx512_kernels
            : NULL;
#elif defined(__aarch64__)
    case CR_LEVEL_NEON: return &cr_neon_kernels;
#endif
    default: return NULL;
    }
}

const cr_kernels *cr_kernels_best(void) {
    int level = CR_LEVEL_COUNT - 1;
    while (!cr_kernels_at((cr_level)level)) level--;
    return cr_kernels_at((cr_level)level);
}
