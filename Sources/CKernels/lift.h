/* Shared by the files that remove the paper from a drawing: a pixel that may be a mixture, and the colours
 * around it.
 */
#ifndef TILEWRIGHT_LIFT_H
#define TILEWRIGHT_LIFT_H

#include "kernels.h"

#include <stdbool.h>
#include <stdlib.h>

/* How far around a pixel its ink is searched for: the middle of a line is always nearer to the line's edge
 * than this. */
#define LIFT_REACH 3

/* The maximum number of colours around a pixel. */
#define LIFT_MOST_INKS ((2 * LIFT_REACH + 1) * (2 * LIFT_REACH + 1) - 1)

/* A colour around a pixel, as its difference from the paper. */
typedef struct {
    float color[3];
    float square;     /* of its distance from the paper */
    int32_t distance; /* from the pixel: the larger of columns and rows */
    int32_t x, y;     /* where it is nearest */
    int32_t count;    /* of its pixels */
    bool fills_area;
} ink;

/* A pixel that may be a mixture. */
typedef struct {
    const cr_sheet *sheet;
    int32_t x, y;
    float color[3]; /* its difference from the paper */
    float square;
    float noise; /* how far from a ray a colour may be */
    bool touches_paper;
    ink inks[LIFT_MOST_INKS];
    size_t count;
} mixture;

static inline int32_t clamped(int32_t value, int32_t count) {
    return value < 0 ? 0 : value >= count ? count - 1 : value;
}

/* The index of a pixel. Outside of the image, the edge pixels are repeated. */
static inline ptrdiff_t index_at(const cr_sheet *sheet, int32_t x, int32_t y) {
    return (ptrdiff_t)clamped(y, sheet->height) * sheet->width + clamped(x, sheet->width);
}

static inline bool is_paper(const cr_sheet *sheet, int32_t x, int32_t y) {
    return sheet->marks[index_at(sheet, x, y)];
}

static inline const uint8_t *pixel_at(const cr_sheet *sheet, int32_t x, int32_t y) {
    return sheet->pixels + 4 * index_at(sheet, x, y);
}

static inline float dot(const float *a, const float *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static inline void subtract(const float *a, const float *b, float factor, float *result) {
    for (int i = 0; i < 3; i++) result[i] = a[i] - factor * b[i];
}

static inline void color_at(const cr_sheet *sheet, int32_t x, int32_t y, float *result) {
    const uint8_t *pixel = pixel_at(sheet, x, y);
    for (int i = 0; i < 3; i++) result[i] = (float)(pixel[i] - sheet->paper.channels[i]);
}

/* A colour's length along a ray, or -1 if it is too far from it; 1 is the end of `ray`. */
static inline float length_along(const float *color, const float *ray, float square, float noise) {
    const float length = dot(color, ray) / square;
    if (length <= 0) { return -1; }
    float rest[3];
    subtract(color, ray, length, rest);
    const float allowed = length > 1 ? noise * length : noise;
    return dot(rest, rest) > allowed * allowed ? -1 : length;
}

/* How many times stronger a line's ink is than a colour in the line. More than 1 if another pixel of the line
 * is stronger, or if the line is too thin to show its full ink anywhere. */
float cr_line_strength(const mixture *pixel, const float *color, float square);

#endif
