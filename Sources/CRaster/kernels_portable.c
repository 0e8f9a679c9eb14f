#define SUFFIX portable
#define TARGET
#include "kernels_portable.h"
#include "kernels.h"

static void resample_row(const int16_t *restrict source, const int32_t *restrict starts,
                         const int16_t *restrict weights, size_t weight_stride, int taps,
                         int16_t *restrict result, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const int16_t *pixel = source + 4 * (ptrdiff_t)starts[i];
        const int16_t *weight = weights + i * weight_stride;
        int32_t sum[4] = {0, 0, 0, 0};
        for (int k = 0; k < taps; k++)
            for (int c = 0; c < 4; c++) sum[c] += weight[k] * pixel[4 * k + c];
        for (int c = 0; c < 4; c++) result[4 * i + c] = scale_down_portable(sum[c]);
    }
}

static void combine_rows(const int16_t *const *rows, const int16_t *weights, int taps,
                         int16_t *restrict result, size_t count)
{
    for (size_t i = 0; i < 4 * count; i++) {
        int32_t sum = 0;
        for (int k = 0; k < taps; k++) sum += weights[k] * rows[k][i];
        result[i] = scale_down_portable(sum);
    }
}

static void warp_row(cr_window window, const int32_t *restrict x, const int32_t *restrict y,
                     cr_phases across, cr_phases down, int16_t *restrict result, size_t count)
{
    for (size_t i = 0; i < count; i++, result += 4) {
        if (x[i] == INT32_MIN) {
            for (int c = 0; c < 4; c++) result[c] = 0;
            continue;
        }
        const int16_t *pixel = warp_first_tap(window, x[i], y[i], across.taps, down.taps);
        const int16_t *weights_x = across.weights + warp_phase(x[i]) * across.taps;
        const int16_t *weights_y = down.weights + warp_phase(y[i]) * down.taps;
        int32_t sum[4] = {0, 0, 0, 0};
        for (int r = 0; r < down.taps; r++, pixel += 4 * window.pixels_per_row) {
            int32_t row[4] = {0, 0, 0, 0};
            for (int k = 0; k < across.taps; k++)
                for (int c = 0; c < 4; c++) row[c] += weights_x[k] * pixel[4 * k + c];
            for (int c = 0; c < 4; c++) sum[c] += weights_y[r] * scale_down_portable(row[c]);
        }
        for (int c = 0; c < 4; c++) result[c] = scale_down_portable(sum[c]);
    }
}

static void warp_row_footprint(cr_window window, const int32_t *restrict x,
                               const int32_t *restrict y, cr_footprint footprint,
                               int16_t *restrict result, size_t count)
{
    for (size_t i = 0; i < count; i++, result += 4) {
        int32_t sum[4] = {0, 0, 0, 0};
        if (x[i] != INT32_MIN) {
            const int16_t *pixel = footprint_first_tap(window, x[i], y[i], footprint);
            const int16_t *weight = footprint_weights(x[i], y[i], footprint);
            for (int r = 0; r < footprint.rows; r++, pixel += 4 * window.pixels_per_row)
                for (int k = 0; k < footprint.columns; k++, weight++)
                    for (int c = 0; c < 4; c++) sum[c] += *weight * pixel[4 * k + c];
        }
        for (int c = 0; c < 4; c++) result[c] = scale_down_portable(sum[c]);
    }
}

const cr_kernels cr_portable_kernels = {
    .level = CR_LEVEL_PORTABLE,
    .unpack_gray8 = unpack_gray8_portable,
    .unpack_rgb8 = unpack_rgb8_portable,
    .unpack_rgba8 = unpack_rgba8_portable,
    .resample_row = resample_row,
    .combine_rows = combine_rows,
    .warp_row = warp_row,
    .warp_row_footprint = warp_row_footprint,
    .pack_rgba8 = pack_rgba8_portable,
    .pack_rgba8_over = pack_rgba8_over_portable,
};
