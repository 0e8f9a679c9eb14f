/*
 * Compares every level that this machine runs with the portable one, on random data. Plain C, so
 * that it can be compiled for another machine and run in an emulator: `make test-neon`. The tests
 * of `ResamplingTests` do more of this, in guarded buffers.
 */
#include "CKernels.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { COUNT = 67, WIDTH = 160, HEIGHT = 24, TRIALS = 400 };

static uint64_t state = 1;

/* SplitMix64. */
static uint64_t next_random(void) {
    uint64_t z = (state += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

static int below(int limit) { return (int)(next_random() % (uint64_t)limit); }

static uint8_t bytes[4 * WIDTH];
static int16_t pixels[4 * WIDTH * HEIGHT];
static int16_t weights[256 * 64];
static int32_t starts[COUNT], x[COUNT], y[COUNT];
static double positions[2 * COUNT];
static const int16_t *rows[HEIGHT];

/* Pixels of any value; in one trial of four, and now and then, opaque or empty ones. */
static void fill_pixels(int kind) {
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        for (int c = 0; c < 4; c++) pixels[4 * i + c] = (int16_t)next_random();
        if (kind == 1 || below(3) == 0) pixels[4 * i + 3] = CR_OPAQUE;
        if (kind == 2) pixels[4 * i + 3] = (int16_t)(below(40) - below(20));
    }
}

/* Weights of up to 64 taps, whose absolute values add up to less than 4. */
static void fill_weights(int taps) {
    int limit = 65535 / taps;
    for (size_t i = 0; i < sizeof weights / sizeof *weights; i++)
        weights[i] = (int16_t)(below(2 * (limit < 32767 ? limit : 32767)) - limit);
}

static void fill(int taps) {
    int kind = below(4);
    for (size_t i = 0; i < sizeof bytes; i++) {
        bytes[i] = (uint8_t)next_random();
        if (i % 4 == 3 && kind) bytes[i] = kind == 1 ? 255 : kind == 2 ? 0 : bytes[i];
    }
    fill_pixels(kind);
    fill_weights(taps);
    for (int i = 0; i < HEIGHT; i++) rows[i] = pixels + 4 * WIDTH * i;
    for (int i = 0; i < COUNT; i++) {
        starts[i] = below(WIDTH - 64);
        x[i] = below(12) ? (8 + below(WIDTH - 24)) << CR_POSITION_BITS | below(256) : INT32_MIN;
        y[i] = (8 + below(HEIGHT - 16)) << CR_POSITION_BITS | below(256);
        positions[i] = below(9) ? (below(10000) - 1000) / 256.0 : NAN;
        positions[COUNT + i] = (below(10000) - 1000) / 256.0;
    }
}

/* Rows of taps beside columns of them: those with bodies of their own among them. */
static int rows_of(int taps) { return taps == 8 ? 6 : taps == 12 ? 10 : taps; }

/* Two rows of a block; widens an extent, too, and leaves a trace of it in the first position. */
static void fix_block(const cr_kernels *kernels, int32_t *result, size_t count) {
    const cr_position_grid grid = {0.5, 64, 4};
    const cr_position_limits limits = {-2, 30, -3, 20};
    const ptrdiff_t columns = (ptrdiff_t)(count / 2);
    cr_position_extent extent = {INT32_MAX, INT32_MIN, INT32_MAX, INT32_MIN};
    const cr_position_block block = {positions,      positions + COUNT, columns,   result,
                                     result + count, columns,           count / 2, 2};
    kernels->fix_block(block, grid, limits, &extent);
    if (count) result[0] ^= extent.min_x ^ extent.max_x ^ extent.min_y ^ extent.max_y;
}

/* The kernels in turn; `result` has room for COUNT deep pixels and the two bytes of `seen`. */
static const char *call(const cr_kernels *kernels, int kernel, int taps, int count, int16_t *result) {
    const cr_window window = {pixels, WIDTH};
    const cr_phases across = {weights, taps}, down = {weights, rows_of(taps)};
    const cr_footprint footprint = {weights, 2, taps, taps / 4, -taps / 2, -taps / 8};
    size_t n = (size_t)count;
    cr_alpha_seen seen = {0, 0};
    const char *name = NULL;
    switch (kernel) {
    case 0:
        name = "unpack_gray8";
        kernels->unpack_gray8(bytes, result, n);
        break;
    case 1:
        name = "unpack_rgb8";
        kernels->unpack_rgb8(bytes, result, n);
        break;
    case 2:
        name = "unpack_rgba8";
        kernels->unpack_rgba8(bytes, result, n);
        break;
    case 3:
        name = "resample_row";
        kernels->resample_row(pixels, starts, weights, taps, result, n);
        break;
    case 4:
        name = "combine_rows";
        kernels->combine_rows(rows, weights, taps - below(2), result, n);
        break;
    case 5:
        name = "halve_row";
        kernels->halve_row(pixels, weights, taps, result, n);
        break;
    case 6:
        name = "halve_box";
        kernels->halve_box(rows[0], rows[1], result, n);
        break;
    case 7:
        name = "warp_row";
        kernels->warp_row(window, x, y, across, down, result, n);
        break;
    case 8:
        name = "warp_row_footprint";
        kernels->warp_row_footprint(window, x, y, footprint, result, n);
        break;
    case 9:
        name = "pack_rgba8";
        seen = kernels->pack_rgba8(pixels, (uint8_t *)result, n);
        break;
    case 10:
        name = "pack_rgba8_over";
        seen = kernels->pack_rgba8_over(pixels, bytes, (uint8_t *)result, n);
        break;
    case 11:
        name = "fix_block";
        fix_block(kernels, (int32_t *)result, n);
        break;
    case 12:
        name = "interpolate_row";
        kernels->interpolate_row(positions[COUNT], positions[COUNT + 1], 0.5, (double *)(void *)result, n);
        break;
    }
    memcpy(result + 4 * COUNT, &seen, sizeof seen);
    return name;
}

static int compare(const cr_kernels *kernels, const cr_kernels *reference) {
    for (int trial = 0; trial < TRIALS; trial++) {
        int taps = 4 * (1 + below(4)), count = below(COUNT + 1);
        fill(taps);
        for (int kernel = 0; kernel < 13; kernel++) {
            _Alignas(8) int16_t expected[4 * COUNT + 1] = {0};
            _Alignas(8) int16_t result[4 * COUNT + 1] = {0};
            uint64_t before = state;
            const char *name = call(reference, kernel, taps, count, expected);
            state = before;
            call(kernels, kernel, taps, count, result);
            if (memcmp(expected, result, sizeof expected)) {
                printf(
                    "%s differs at level %s: %d taps, %d pixels, trial %d\n", name, kernels->name, taps,
                    count, trial);
                return 1;
            }
        }
    }
    printf("level %s agrees\n", kernels->name);
    return 0;
}

int main(void) {
    int failures = 0;
    for (int level = CR_LEVEL_PORTABLE + 1; level < CR_LEVEL_COUNT; level++) {
        const cr_kernels *kernels = cr_kernels_at((cr_level)level);
        if (kernels) failures += compare(kernels, cr_kernels_at(CR_LEVEL_PORTABLE));
    }
    return failures != 0;
}
