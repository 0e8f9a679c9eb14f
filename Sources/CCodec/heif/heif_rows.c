#include "heif_rows.h"

#include <math.h>
#include <string.h>

#include "../colour/code_points.h"
#include "../message.h"

// Each operation in floating point is rounded on its own, whatever the processor; see rounding.h.
#pragma STDC FP_CONTRACT OFF

// The fractional bits of a matrix; chroma is counted in sixteenths of a sample.
enum { SHIFT = 24, SIXTEENTHS = 16 };

// Matrices

/// What red and blue add to luma, by ITU-T H.273, table 4. 2, which says nothing, and 0 in a file that has
/// chroma all the same, are taken as BT.601, as in other readers.
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

/// The same of the matrix that comes of the primaries: the shares of white that red and blue make
/// (H.273, 8.3).
static bool derive_weights(unsigned primaries, double *red, double *blue) {
    // x and y of white, red, green and blue, BT.709 unless something else is said.
    static const double bt709[8] = {0.3127, 0.3290, 0.64, 0.33, 0.30, 0.60, 0.15, 0.06};
    cc_color_tags tags = {0};
    cc_use_code_points(primaries, 2, &tags);
    const double *c = tags.has_chromaticities ? tags.chromaticities : bt709;
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

/// Shares of luma, Cb and Cr in red, green and blue; false for a matrix that is not read.
static bool find_shares(const cc_heif_code_points *points, bool is_gray, double shares[3][3]) {
    static const double gray[3][3] = {{1, 0, 0}, {1, 0, 0}, {1, 0, 0}};
    // 8 is YCgCo: Cg stands in the place of Cb.
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
    // Green, blue and red stand in the places of luma, Cb and Cr, and are coded as luma is.
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

// Chroma

/// A quarter of the way to the next row of chroma, in quarters: what lies between two rows is nearer to one.
static cc_status read_chroma_rows(
    cc_heif_mixer *mixer, unsigned plane, uint32_t first, uint32_t count, uint32_t row, int32_t *line,
    int32_t *other, cc_message *message) {
    const cc_heif_layer *layer = mixer->color.layer;
    const bool is_halved = layer->chroma == CC_HEIF_420;
    const uint32_t near = is_halved ? row / 2 : row, height = cc_heif_plane_height(layer, plane);
    uint32_t far = !is_halved ? near : row % 2 == 1 ? near + 1 : near == 0 ? 0 : near - 1;
    if (far == height) { far = near; }
    cc_status status = cc_heif_cache_read(&mixer->color, plane, first, near, count, line, message);
    if (status == CC_OK && far != near) {
        status = cc_heif_cache_read(&mixer->color, plane, first, far, count, other, message);
    }
    const int32_t *second = far != near ? other : line;
    for (uint32_t i = 0; i < count && status == CC_OK; i++) { line[i] = 3 * line[i] + second[i]; }
    return status;
}

/// Chroma of adjacent pixels in sixteenths. A sample of 4:2:0 lies in the middle of four pixels, as in JPEG.
static cc_status read_chroma(
    cc_heif_mixer *mixer, unsigned plane, uint32_t column, uint32_t row, uint32_t count, int32_t *result,
    cc_message *message) {
    const cc_heif_layer *layer = mixer->color.layer;
    int32_t *line = mixer->lines + 3 * (size_t)mixer->longest, *other = line + mixer->longest;
    const uint32_t width = cc_heif_plane_width(layer, plane);
    if (layer->chroma == CC_HEIF_444) {
        const cc_status status = read_chroma_rows(mixer, plane, column, count, row, line, other, message);
        for (uint32_t i = 0; i < count && status == CC_OK; i++) { result[i] = 4 * line[i]; }
        return status;
    }
    const uint32_t first = column == 0 ? 0 : (column - 1) / 2, behind = (column + count) / 2 + 1;
    const uint32_t end = behind < width ? behind : width;
    const cc_status status = read_chroma_rows(mixer, plane, first, end - first, row, line, other, message);
    for (uint32_t i = 0; i < count && status == CC_OK; i++) {
        const uint32_t x = column + i, near = x / 2;
        uint32_t far = x % 2 == 1 ? near + 1 : near == 0 ? 0 : near - 1;
        if (far == width) { far = near; }
        result[i] = 3 * line[near - first] + line[far - first];
    }
    return status;
}

// Pixels

static void put(const cc_heif_mixer *mixer, uint8_t *pixels, size_t index, int32_t value) {
    if (mixer->sample_bytes == 1) {
        pixels[index] = (uint8_t)value;
    } else {
        ((uint16_t *)(void *)pixels)[index] = (uint16_t)value;
    }
}

static int32_t get(const cc_heif_mixer *mixer, const uint8_t *pixels, size_t index) {
    return mixer->sample_bytes == 1 ? pixels[index] : ((const uint16_t *)(const void *)pixels)[index];
}

static void mix_gray(const cc_heif_mixer *mixer, const int32_t *luma, uint32_t count, uint8_t *pixels) {
    const cc_heif_matrix *matrix = &mixer->matrix;
    const uint32_t copies = mixer->samples == 1 ? 1 : 3;
    for (uint32_t i = 0; i < count; i++) {
        const int32_t value = clamped(luma[i] * matrix->luma[0] + matrix->bias[0], matrix->largest);
        for (uint32_t c = 0; c < copies; c++) { put(mixer, pixels, (size_t)i * mixer->samples + c, value); }
    }
}

static void mix_color(
    const cc_heif_mixer *mixer, const int32_t *luma, const int32_t *cb, const int32_t *cr, uint32_t count,
    uint8_t *pixels) {
    const cc_heif_matrix *m = &mixer->matrix;
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t c = 0; c < 3; c++) {
            const int64_t sum = luma[i] * m->luma[c] + cb[i] * m->cb[c] + cr[i] * m->cr[c] + m->bias[c];
            put(mixer, pixels, (size_t)i * mixer->samples + c, clamped(sum, m->largest));
        }
    }
}

/// Colours that were multiplied by alpha become what they were.
static void divide(const cc_heif_mixer *mixer, uint8_t *pixels, size_t first, int64_t alpha) {
    const int64_t largest = mixer->matrix.largest;
    for (size_t c = first; c < first + 3; c++) {
        const int64_t value = alpha == 0 ? 0 : (get(mixer, pixels, c) * largest + alpha / 2) / alpha;
        put(mixer, pixels, c, (int32_t)(value > largest ? largest : value));
    }
}

static void mix_alpha(const cc_heif_mixer *mixer, const int32_t *alpha, uint32_t count, uint8_t *pixels) {
    const int64_t most = (INT64_C(1) << mixer->alpha.layer->bits) - 1, largest = mixer->matrix.largest;
    for (uint32_t i = 0; i < count; i++) {
        const int64_t value = (alpha[i] * largest + most / 2) / most;
        put(mixer, pixels, (size_t)i * 4 + 3, (int32_t)value);
        if (mixer->is_premultiplied) { divide(mixer, pixels, (size_t)i * 4, value); }
    }
}

cc_status cc_heif_mix(
    cc_heif_mixer *mixer, uint32_t column, uint32_t row, uint32_t count, uint8_t *pixels,
    cc_message *message) {
    int32_t *luma = mixer->lines, *cb = luma + mixer->longest, *cr = cb + mixer->longest;
    cc_status status = cc_heif_cache_read(&mixer->color, 0, column, row, count, luma, message);
    if (mixer->color.layer->chroma == CC_HEIF_GRAY) {
        if (status == CC_OK) { mix_gray(mixer, luma, count, pixels); }
    } else {
        if (status == CC_OK) { status = read_chroma(mixer, 1, column, row, count, cb, message); }
        if (status == CC_OK) { status = read_chroma(mixer, 2, column, row, count, cr, message); }
        if (status == CC_OK) { mix_color(mixer, luma, cb, cr, count, pixels); }
    }
    if (status != CC_OK || !mixer->has_alpha) { return status; }
    status = cc_heif_cache_read(&mixer->alpha, 0, column, row, count, luma, message);
    if (status == CC_OK) { mix_alpha(mixer, luma, count, pixels); }
    return status;
}
