#include "heif.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../colour/color.h"

// Each floating-point operation is rounded separately on every CPU; see CKernels/kernels.h.
#pragma STDC FP_CONTRACT OFF

// The fractional bits of a matrix; chroma is in units of 1/16 of a sample's unit.
enum { SHIFT = 24, SIXTEENTHS = 16 };

// Matrices

/// The weights of red and blue in luma, from ITU-T H.273, table 4. As in other readers, BT.601 is used for 2
/// (unspecified), and for 0 in a file with chroma.
static bool find_weights(unsigned matrix, double *red, double *blue) {
    static const struct {
        unsigned matrix;
        double red, blue;
    } weights[] = {{1, 0.2126, 0.0722}, {2, 0.299, 0.114}, {4, 0.30, 0.11},    {5, 0.299, 0.114},
                   {6, 0.299, 0.114},   {7, 0.212, 0.087}, {9, 0.2627, 0.0593}};
    for (size_t i = 0; i < sizeof weights / sizeof weights[0]; i++) {
        if (weights[i].matrix != matrix) { continue; }
        *red = weights[i].red;
        *blue = weights[i].blue;
        return true;
    }
    return false;
}

static double determinant(const double a[3], const double b[3], const double c[3]) {
    return a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0])
        + a[2] * (b[0] * c[1] - b[1] * c[0]);
}

/// The same for a matrix that is derived from the primaries: the shares of red and blue in white (H.273,
/// 8.3).
static bool derive_weights(unsigned primaries, double *red, double *blue) {
    cc_color_tags tags = {0};
    cc_use_code_points(primaries, 2, &tags);
    const double *c = tags.has_chromaticities ? tags.chromaticities : cc_srgb_chromaticities;
    double columns[4][3];
    for (int i = 0; i < 4; i++) {
        columns[i][0] = c[2 * i] / c[2 * i + 1];
        columns[i][1] = 1;
        columns[i][2] = (1 - c[2 * i] - c[2 * i + 1]) / c[2 * i + 1];
    }
    const double *w = columns[0], *r = columns[1], *g = columns[2], *b = columns[3];
    const double whole = determinant(r, g, b);
    *red = determinant(w, g, b) / whole;
    *blue = determinant(r, g, w) / whole;
    return tags.problem.text[0] == 0;
}

/// Shares of luma, Cb and Cr in red, green and blue; false for an unsupported matrix.
static bool find_shares(const cc_heif_code_points *points, bool is_gray, double shares[3][3]) {
    static const double gray[3][3] = {{1, 0, 0}, {1, 0, 0}, {1, 0, 0}};
    // 8 is YCgCo: the plane of Cb contains Cg.
    static const double ycgco[3][3] = {{1, -1, 1}, {1, 1, 0}, {1, -1, -1}};
    double red, blue;
    const unsigned matrix = points->matrix;
    if (is_gray || matrix == 8) {
        memcpy(shares, is_gray ? gray : ycgco, sizeof gray);
        return true;
    }
    const bool is_known =
        matrix == 12 ? derive_weights(points->primaries, &red, &blue) : find_weights(matrix, &red, &blue);
    if (!is_known) { return false; }
    const double green = 1 - red - blue;
    const double result[3][3] = {
        {1, 0, 2 * (1 - red)},
        {1, -2 * blue * (1 - blue) / green, -2 * red * (1 - red) / green},
        {1, 2 * (1 - blue), 0},
    };
    memcpy(shares, result, sizeof result);
    return true;
}

bool cc_heif_make_matrix(
    const cc_heif_code_points *points, unsigned bits, bool is_gray, int32_t largest, cc_heif_matrix *matrix) {
    // The planes of luma, Cb and Cr contain green, blue and red, all coded like luma.
    static const double planes[3][3] = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}};
    const bool is_rgb = points->matrix == 0 && !is_gray;
    double shares[3][3];
    if (is_rgb) {
        memcpy(shares, planes, sizeof planes);
    } else if (!find_shares(points, is_gray, shares)) {
        return false;
    }
    const bool is_full = points->has_full_range;
    const double unit = (double)(1 << (bits - 8));
    const double range = is_full ? (double)((1 << bits) - 1) : 219 * unit, black = is_full ? 0 : 16 * unit;
    const double chroma_range = is_full || is_rgb ? range : 224 * unit;
    const double middle = is_rgb ? black : 128 * unit;
    const double one = (double)largest * (1 << SHIFT);
    for (int i = 0; i < 3; i++) {
        matrix->luma[i] = llround(one * shares[i][0] / range);
        matrix->cb[i] = llround(one * shares[i][1] / chroma_range / SIXTEENTHS);
        matrix->cr[i] = llround(one * shares[i][2] / chroma_range / SIXTEENTHS);
        const int64_t zero =
            matrix->luma[i] * (int64_t)black + (matrix->cb[i] + matrix->cr[i]) * (int64_t)middle * SIXTEENTHS;
        matrix->bias[i] = (1 << (SHIFT - 1)) - zero;
    }
    matrix->largest = largest;
    return true;
}

static int32_t clamped(int64_t value, int32_t largest) {
    value >>= SHIFT;
    return value < 0 ? 0 : value > largest ? largest : (int32_t)value;
}

// Lines

static size_t within(int64_t place, uint32_t count) {
    return place < 0 ? 0 : place < count ? (size_t)place : count - 1;
}

static int32_t sample(const cc_heif_plane *plane, const uint8_t *samples, size_t index) {
    return plane->is_wide ? ((const uint16_t *)(const void *)samples)[index] : samples[index];
}

/// Reads a row of the picture, which is a row of the plane.
static void gather_row(const cc_heif_pixels *pixels, const cc_heif_plane *plane, int64_t y, int32_t *line) {
    const cc_heif_turn *turn = &pixels->turn;
    const size_t row = within(turn->e * y + turn->f, pixels->height) >> plane->down;
    const uint8_t *samples = plane->bytes + row * plane->stride;
    const int64_t width = turn->width;
    line[0] = sample(plane, samples, within(turn->c - turn->a, pixels->width) >> plane->across);
    for (int64_t x = 0; x < width; x++) {
        line[x + 1] = sample(plane, samples, (size_t)(turn->a * x + turn->c) >> plane->across);
    }
    line[width + 1] =
        sample(plane, samples, within(turn->a * width + turn->c, pixels->width) >> plane->across);
}

/// Fills a plane's band with columns of the plane, which are rows of the picture from `first` on.
static void fill_band(const cc_heif_pixels *pixels, cc_heif_plane *plane, int64_t first) {
    const cc_heif_turn *turn = &pixels->turn;
    const int64_t width = turn->width;
    plane->first = first;
    for (int64_t x = -1; x <= width; x++) {
        const size_t row = within(turn->d * x + turn->f, pixels->height) >> plane->down;
        const uint8_t *samples = plane->bytes + row * plane->stride;
        uint16_t *result = plane->band + x + 1;
        for (int64_t y = first; y < first + CC_HEIF_BAND; y++, result += width + 2) {
            const size_t column = within(turn->b * y + turn->c, pixels->width) >> plane->across;
            *result = (uint16_t)sample(plane, samples, column);
        }
    }
}

/// Reads the samples of a plane along a row of the picture, and one more at each end. Outside of the coded
/// image, its nearest sample is used.
static void gather(const cc_heif_pixels *pixels, cc_heif_plane *plane, int64_t y, int32_t *line) {
    if (pixels->turn.a != 0) {
        gather_row(pixels, plane, y, line);
        return;
    }
    if (plane->first > y || y >= plane->first + CC_HEIF_BAND) { fill_band(pixels, plane, y - 1); }
    const size_t count = (size_t)pixels->turn.width + 2;
    const uint16_t *samples = plane->band + (size_t)(y - plane->first) * count;
    for (size_t i = 0; i < count; i++) { line[i] = samples[i]; }
}

/// Reads chroma along a row of the picture, in units of 1/16 of a sample's unit. A sample of 4:2:0 is in the
/// middle of four pixels, as in JPEG.
///
/// Each sample of a halved plane belongs to two pixels. The weights 1, 2, 1 over pixels then interpolate a
/// quarter of the way to the next sample, however the picture is cropped and turned.
static void gather_chroma(cc_heif_pixels *pixels, unsigned index, int64_t y, int32_t *result) {
    cc_heif_plane *plane = &pixels->planes[index];
    const uint32_t count = pixels->turn.width;
    const bool is_aside = pixels->turn.a == 0;
    const bool across = is_aside ? pixels->is_smooth_down : pixels->is_smooth_across;
    const bool down = is_aside ? pixels->is_smooth_across : pixels->is_smooth_down;
    int32_t *above = pixels->lines + 4 * (size_t)(count + 2), *below = above + count + 2;
    if (down) { gather(pixels, plane, y - 1, above); }
    gather(pixels, plane, y, result);
    if (down) {
        gather(pixels, plane, y + 1, below);
        for (uint32_t i = 0; i < count + 2; i++) { result[i] = above[i] + 2 * result[i] + below[i]; }
    } else {
        for (uint32_t i = 0; i < count + 2; i++) { result[i] *= 4; }
    }
    int32_t before = result[0];
    for (uint32_t i = 1; i <= count; i++) {
        const int32_t here = result[i];
        result[i] = across ? before + 2 * here + result[i + 1] : 4 * here;
        before = here;
    }
}

// Pixels

static void put(const cc_heif_pixels *pixels, uint8_t *row, size_t index, int32_t value) {
    if (pixels->sample_bytes == 1) {
        row[index] = (uint8_t)value;
    } else {
        ((uint16_t *)(void *)row)[index] = (uint16_t)value;
    }
}

static int32_t get(const cc_heif_pixels *pixels, const uint8_t *row, size_t index) {
    return pixels->sample_bytes == 1 ? row[index] : ((const uint16_t *)(const void *)row)[index];
}

static void mix_gray(const cc_heif_pixels *pixels, const int32_t *luma, uint32_t count, uint8_t *row) {
    const cc_heif_matrix *matrix = &pixels->matrix;
    const uint32_t copies = pixels->samples == 1 ? 1 : 3;
    for (uint32_t i = 0; i < count; i++) {
        const int32_t value = clamped(luma[i] * matrix->luma[0] + matrix->bias[0], matrix->largest);
        for (uint32_t c = 0; c < copies; c++) { put(pixels, row, (size_t)i * pixels->samples + c, value); }
    }
}

static void mix_color(
    const cc_heif_pixels *pixels, const int32_t *luma, const int32_t *cb, const int32_t *cr, uint32_t count,
    uint8_t *row) {
    const cc_heif_matrix *m = &pixels->matrix;
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t c = 0; c < 3; c++) {
            const int64_t sum = luma[i] * m->luma[c] + cb[i] * m->cb[c] + cr[i] * m->cr[c] + m->bias[c];
            put(pixels, row, (size_t)i * pixels->samples + c, clamped(sum, m->largest));
        }
    }
}

/// Divides premultiplied colours by alpha.
static void divide(const cc_heif_pixels *pixels, uint8_t *row, size_t first, int64_t alpha) {
    const int64_t largest = pixels->matrix.largest;
    for (size_t c = first; c < first + 3; c++) {
        const int64_t value = alpha == 0 ? 0 : (get(pixels, row, c) * largest + alpha / 2) / alpha;
        put(pixels, row, c, (int32_t)(value > largest ? largest : value));
    }
}

static void mix_alpha(const cc_heif_pixels *pixels, const int32_t *alpha, uint32_t count, uint8_t *row) {
    const int64_t most = (INT64_C(1) << pixels->alpha_bits) - 1, largest = pixels->matrix.largest;
    for (uint32_t i = 0; i < count; i++) {
        const int64_t value = (alpha[i] * largest + most / 2) / most;
        put(pixels, row, (size_t)i * 4 + 3, (int32_t)value);
        if (pixels->is_premultiplied) { divide(pixels, row, (size_t)i * 4, value); }
    }
}

bool cc_heif_make_room(cc_heif_pixels *pixels) {
    const size_t count = (size_t)pixels->turn.width + 2;
    cc_heif_plane *planes[] = {&pixels->planes[0], &pixels->planes[1], &pixels->planes[2], &pixels->alpha};
    bool has_room = true;
    for (unsigned i = 0; i < 4 && pixels->turn.a == 0; i++) {
        if (planes[i]->bytes == NULL) { continue; }
        planes[i]->band = malloc(CC_HEIF_BAND * count * sizeof *planes[i]->band);
        // The band is empty.
        planes[i]->first = INT32_MIN;
        has_room &= planes[i]->band != NULL;
    }
    pixels->lines = malloc(6 * count * sizeof *pixels->lines);
    return has_room && pixels->lines != NULL;
}

void cc_heif_free_room(cc_heif_pixels *pixels) {
    for (unsigned i = 0; i < 3; i++) { free(pixels->planes[i].band); }
    free(pixels->alpha.band);
    free(pixels->lines);
}

void cc_heif_mix(cc_heif_pixels *pixels, uint32_t y, uint8_t *row) {
    const uint32_t count = pixels->turn.width;
    int32_t *luma = pixels->lines, *cb = luma + count + 2, *cr = cb + count + 2, *alpha = cr + count + 2;
    gather(pixels, &pixels->planes[0], y, luma);
    if (pixels->planes[1].bytes == NULL) {
        mix_gray(pixels, luma + 1, count, row);
    } else {
        gather_chroma(pixels, 1, y, cb);
        gather_chroma(pixels, 2, y, cr);
        mix_color(pixels, luma + 1, cb + 1, cr + 1, count, row);
    }
    if (pixels->alpha.bytes == NULL) { return; }
    gather(pixels, &pixels->alpha, y, alpha);
    mix_alpha(pixels, alpha + 1, count, row);
}
