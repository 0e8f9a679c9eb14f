/*
 * The resampling core: kernels on rows of pixels. No allocation, no input or output, no globals.
 *
 * Pixels
 *   A "deep" pixel is four int16_t, red, green, blue, alpha, premultiplied. Its unit is 1/64 of an 8-bit
 *   step, so each channel of opaque white is CR_OPAQUE. The six extra bits make the rounding of intermediate
 *   results invisible. The sign and the headroom (up to about twice opaque) keep the negative lobes and
 *   overshoots of sharp kernels until the last step, which is the only one that clamps. Tools that clamp at
 *   every overview lose several dB each time.
 *
 * Weights
 *   Fixed point with CR_WEIGHT_BITS fractional bits: CR_WEIGHT_ONE is 1. The absolute values of the weights
 *   of one result must add up to less than 4 (so that a 32-bit accumulator cannot overflow). Results are
 *   rounded half up, and saturated.
 *
 * Rules for all kernels
 *   Alignment: none beyond that of the element type. Aliasing: inputs and outputs do not overlap.
 *   Over-read: only if a kernel says so. Threads: any number, on different outputs.
 *   Every level gives the same bytes, with any compiler options: the arithmetic is in integers, or in
 *   floating point with one rounding per operation (kernels.h).
 *   Every count of taps is at least 1.
 */
#ifndef TILEWRIGHT_CKERNELS_H
#define TILEWRIGHT_CKERNELS_H

#include <stddef.h>
#include <stdint.h>

/* An opaque channel of a deep pixel: 255 * 64. */
#define CR_OPAQUE 16320

/* Fractional bits of a weight; with 14, an int16_t has room for weights of -2 to 2. */
#define CR_WEIGHT_BITS 14
#define CR_WEIGHT_ONE (1 << CR_WEIGHT_BITS)

/* Horizontal taps are padded with zero weights to a multiple of this. */
#define CR_TAP_MULTIPLE 4

/* Pixels in a group, which are computed together; and the most source pixels that a group may read. */
#define CR_TAP_GROUP 16
#define CR_TAP_SPAN 64

/* Fractional bits of a position in `warp_*`: 1/256 of a pixel. */
#define CR_POSITION_BITS 8

/* The implementations of the kernels. */
typedef enum {
    CR_LEVEL_PORTABLE = 0, /* plain C: the reference */
    CR_LEVEL_NEON = 1,     /* arm64 */
    CR_LEVEL_AVX2 = 2,     /* x86-64 with AVX2 */
    CR_LEVEL_AVX512 = 3,   /* x86-64 with AVX-512 F, BW, VL, VBMI and VNNI */
} cr_level;

/* The number of levels. Higher levels are faster. */
#define CR_LEVEL_COUNT 4

/* The alphas that `pack` saw: the bits that are set in every alpha, and those that are set in any alpha. */
typedef struct {
    uint8_t alpha_and;
    uint8_t alpha_or;
} cr_alpha_seen;

/* A window of deep pixels for `warp_*`: the pixel at position (0, 0), and pixels per row. */
typedef struct {
    const int16_t *origin;
    ptrdiff_t pixels_per_row;
} cr_window;

/* The source pixels that a group reads. */
typedef struct {
    int32_t first;
    int32_t end;
} cr_span;

/* Weights of a row, for groups of pixels. */
typedef struct {
    /* The source pixels of each group. */
    const cr_span *spans;
    /* For each group: the positions of each pixel's first two taps, counted from the first pixel that the
     * group reads; then the weights of these two taps, of the next two, and so on. */
    const int16_t *groups;
    int pairs;
} cr_grouped_taps;

/* Weights of a separable kernel, along one axis, for every phase: `(1 << CR_POSITION_BITS) * taps`. Tap k of
 * phase p of the pixel at whole position i reads pixel i - taps / 2 + 1 + k. */
typedef struct {
    const int16_t *weights;
    int taps; /* a multiple of CR_TAP_MULTIPLE across, any even number down */
} cr_phases;

/* Weights of a non-separable kernel: `phases * phases * rows * columns`, y phase, x phase, tap row, tap
 * column. Tap (r, c) of whole position (x, y) reads pixel (x + left + c, y + top + r). */
typedef struct {
    const int16_t *weights;
    int phase_bits; /* phases = 1 << phase_bits, at most CR_POSITION_BITS */
    int columns;    /* a multiple of CR_TAP_MULTIPLE */
    int rows;
    int left;
    int top;
} cr_footprint;

/* Positions of a block of pixels, and the memory for their fixed-point form; strides are elements from row to
 * row. */
typedef struct {
    const double *x, *y;
    ptrdiff_t stride;
    int32_t *fixed_x, *fixed_y;
    ptrdiff_t fixed_stride;
    size_t columns, rows;
} cr_position_block;

/* The fixed-point form of a position in `fix_block` is floor((position - origin) * steps + 0.5) * unit, so
 * halves round up, even below zero. For positions within the limits, all values fit in 32 bits. `steps` is a
 * power of two, so that the product is exact. */
typedef struct {
    double origin;
    double steps;
    int32_t unit;
} cr_position_grid;

/* Positions strictly between these limits have a source. */
typedef struct {
    double low_x, high_x, low_y, high_y;
} cr_position_limits;

/* The least and the greatest fixed positions. */
typedef struct {
    int32_t min_x, max_x, min_y, max_y;
} cr_position_extent;

/* One set of kernels. All counts are in pixels. */
typedef struct {
    cr_level level;
    const char *name; /* in lower case */

    /* 8-bit samples to deep pixels; straight alpha is multiplied in. */
    void (*unpack_gray8)(const uint8_t *source, int16_t *result, size_t count);
    void (*unpack_rgb8)(const uint8_t *source, int16_t *result, size_t count);
    void (*unpack_rgba8)(const uint8_t *source, int16_t *result, size_t count);

    /* result[i] = sum over k of weights[i * taps + k] * source[starts[i] + k].
     * `taps` is a multiple of CR_TAP_MULTIPLE; all taps are read, even if their weight is zero. */
    void (*resample_row)(
        const int16_t *source, const int32_t *starts, const int16_t *weights, int taps, int16_t *result,
        size_t count);

    /* The same result as `unpack_*` and `resample_row`, from opaque samples of 8 bits. The weights of each
     * pixel must add up to CR_WEIGHT_ONE. `cr_group_taps` makes the taps, for a row of at least CR_TAP_GROUP
     * pixels. NULL if this level has nothing faster than these two. */
    void (*resample_gray8)(const uint8_t *source, cr_grouped_taps taps, int16_t *result, size_t count);
    void (*resample_rgb8)(const uint8_t *source, cr_grouped_taps taps, int16_t *result, size_t count);

    /* result[i] = sum over k of weights[k] * rows[k][i]. */
    void (*combine_rows)(
        const int16_t *const *rows, const int16_t *weights, int taps, int16_t *result, size_t count);

    /* result[i] = sum over k of weights[k] * source[2 * i + k]; `taps` as in `resample_row`. */
    void (*halve_row)(const int16_t *source, const int16_t *weights, int taps, int16_t *result, size_t count);

    /* result[i] = the average of the pixels 2 * i and 2 * i + 1 of two rows: down columns first, then along
     * the row, each rounded half up. The result is the same as from `combine_rows` and `halve_row`. */
    void (*halve_box)(const int16_t *upper, const int16_t *lower, int16_t *result, size_t count);

    /* result[i] = start + step * (first + i), each operation rounded. */
    void (*interpolate_row)(double start, double step, double first, double *result, size_t count);

    /* Converts positions to fixed point for `warp_*`, `cr_pick_row` and `cr_mode_row`, and extends `extent`
     * to include them. A position that is outside the limits, or NaN, becomes (INT32_MIN, 0), and does not
     * change `extent`. */
    void (*fix_block)(
        cr_position_block block, cr_position_grid grid, cr_position_limits limits,
        cr_position_extent *extent);

    /* result[i] = the kernel around (x[i], y[i]): first down columns, whose results are rounded and
     * saturated, then along the row. Positions are in 1 / (1 << CR_POSITION_BITS) pixel of the window, and 0
     * is a pixel's centre. An x of INT32_MIN gives a transparent pixel. All taps are read. */
    void (*warp_row)(
        cr_window window, const int32_t *x, const int32_t *y, cr_phases across, cr_phases down,
        int16_t *result, size_t count);

    /* The same for a non-separable kernel; here 0 is a pixel's corner. */
    void (*warp_row_footprint)(
        cr_window window, const int32_t *x, const int32_t *y, cr_footprint footprint, int16_t *result,
        size_t count);

    /* Deep pixels to straight RGBA of 8 bits: clamps colours to 0 and to alpha, divides by alpha,
     * rounds half up, clamps alpha; a pixel whose alpha rounds to 0 becomes (0, 0, 0, 0). */
    cr_alpha_seen (*pack_rgba8)(const int16_t *source, uint8_t *result, size_t count);

    /* The same over an opaque colour (red, green, blue); the result is opaque. `alpha_or` is not 0 if any
     * pixel of the source is visible. */
    cr_alpha_seen (*pack_rgba8_over)(
        const int16_t *source, const uint8_t *background, uint8_t *result, size_t count);

} cr_kernels;

/* Rows in memory: row y is at `first + y % capacity * stride`, in bytes. */
typedef struct {
    void *first;
    ptrdiff_t stride;
    int32_t capacity;
} cr_row_ring;

/* Columns and rows of a block of an image. In a plan, seven of eight blocks have one colour; in a photograph,
 * hardly any. */
#define CR_BLOCK_COLUMNS 16
#define CR_BLOCK_ROWS 16

/* Decoded rows of an image. A row of blocks is stored as plain rows of pixels or in compact form: first the
 * columns to the right of the last whole block, if any, then, from the left, the blocks that have several
 * colours. Each part is stored as rows without gaps. The tables are rings, like the rows. */
typedef struct {
    cr_row_ring rows; /* from the first column in memory on */
    uint8_t *compact; /* for each row of blocks, whether it is compact */
    uint8_t *uniform; /* for each block, whether it has one colour */
    uint32_t *pixels; /* its first pixel; in a compact row, the number of stored blocks before it */
    int32_t blocks_per_row, rows_of_blocks;
    int32_t first_column, columns; /* the columns in memory; from 0 on if a row of blocks is compact */
    int32_t height;                /* of the image */
    int bytes_per_pixel;           /* 1 gray, 3 RGB, 4 RGBA */
} cr_source_rows;

/* Memory for plain rows of one row of blocks at a time. */
typedef struct {
    uint8_t *bytes;  /* cr_plain_bytes() */
    cr_span columns; /* the columns that are read */
    int32_t row;     /* the row of blocks in memory; -1 at the beginning */
} cr_plain_rows;

/* The size of that memory. */
size_t cr_plain_bytes(cr_span columns, int bytes_per_pixel);

/* The address of the pixel in column 0 of a row, of which only `plain->columns` may be read. Rows must be
 * asked for in ascending order. */
const uint8_t *cr_source_row(const cr_source_rows *source, int32_t row, cr_plain_rows *plain);

/* Finds the blocks of one colour in a row of blocks, from plain rows. */
void cr_survey_blocks(const cr_source_rows *source, int32_t row, const uint8_t *bytes, ptrdiff_t stride);

/* Stores a row of blocks in compact form, after `cr_survey_blocks`. */
void cr_keep_compact(const cr_source_rows *source, int32_t row, const uint8_t *bytes, ptrdiff_t stride);

/* A decoded image, whose edges do not cut pixels. Outside the image, all is transparent. */
typedef struct {
    const cr_source_rows *rows;
    int32_t width;
} cr_source;

/* The weights for resampling a window of an upright image. */
typedef struct {
    /* Along rows: arguments of `resample_row`, and the same in groups. `grouped.pairs` is 0 without
     * groups. */
    const int32_t *starts;
    const int16_t *weights;
    int taps;
    size_t columns;
    cr_grouped_taps grouped;
    /* Down columns: for each result row, the source rows that it reads, and `row_taps` weights; there may be
     * more weights than rows. */
    const cr_span *reads;
    const int16_t *row_weights;
    int row_taps;
    size_t rows;
} cr_upright_weights;

/* Memory of `cr_resample_window`. */
typedef struct {
    int16_t *lines;           /* `row_taps` rows of `columns` deep pixels */
    const int16_t **pointers; /* to the lines */
    int32_t *slots;           /* for each line, its row of the source; -1 at the beginning */
    int16_t *zeros;           /* a row of zeros */
    int16_t *unpacked;        /* the pixels that a row reads */
    uint8_t *plain;           /* memory of `cr_plain_rows`, for these pixels */
} cr_upright_scratch;

/* Resamples a window, first along rows, then down columns. Each row of the source is resampled once. `result`
 * is the ring of the window's rows, which begin at the window's first column; `first_row` is the first one to
 * write. */
void cr_resample_window(
    const cr_kernels *kernels, cr_source source, const cr_upright_weights *weights,
    cr_upright_scratch scratch, cr_row_ring result, int32_t first_row);

/* A window of a tile: RGBA of 8 bits. */
typedef struct {
    uint8_t *first;
    ptrdiff_t stride;
    size_t columns, rows;
} cr_packed_window;

/* Packs a window of deep pixels, from `first_row` down. The background has three samples; if it is NULL, the
 * result has straight alpha. `source` has the window's columns from the first one on. */
cr_alpha_seen cr_pack_window(
    const cr_kernels *kernels, cr_row_ring source, int32_t first_row, cr_packed_window result,
    const uint8_t *background);

/* Fills a window with one colour: a pixel's bytes in memory order. */
void cr_fill_packed(uint32_t pixel, cr_packed_window result);

/* The kernels of a level, or NULL if this machine cannot run them. */
const cr_kernels *cr_kernels_at(cr_level level);

/* The fastest kernels of this machine. */
const cr_kernels *cr_kernels_best(void);

/* Composites pixels over the pixels of `result` (Porter and Duff's "over"). All levels use the same code. */
void cr_lay_over(const int16_t *above, int16_t *result, size_t count);

/* The same for adjacent images, if the edges of both cut a pixel: the missing part of one pixel is taken from
 * the other, as far as available, so that the background does not show through. */
void cr_join(const int16_t *above, int16_t *result, size_t count);

/* Multiplies each pixel by its coverage, in units of 1/256, 0 to 256. All levels use the same code. */
void cr_cover(int16_t *pixels, const uint16_t *coverage, size_t count);

/* The weights of a footprint that is cut into thin rows. All levels use the same code. */

/* Fractional bits of sums of areas, in units of a weight: the whole footprint takes 26 of 31 bits. */
#define CR_SUM_BITS 12

/* below[i] = above[i] + height * (the part of the span from 0 to `length` that is left of first + i), rounded
 * down. */
void cr_add_slice(
    const int32_t *above, float first, float length, float height, int32_t *below, size_t count);

/* Computes the weights of a row of pixels. `above` and `below` are the sums at the upper and lower edges of
 * the pixels, count + 1 each. `sum` is the sum of all pixels before this row; if it starts with half a unit,
 * the weights add up to the rounded sum. Returns the sum for the next row. */
int32_t cr_shares(const int32_t *above, const int32_t *below, int32_t sum, int16_t *weights, size_t count);

/* Kernels that copy or compare whole pixels. All levels use the same code. */

/* result[i] = the pixel at whole position (x[i], y[i]) of the window; INT32_MIN as above. */
void cr_pick_row(cr_window window, const int32_t *x, const int32_t *y, int16_t *result, size_t count);

/* result[i] = the most frequent pixel in the columns x[i] - reach_x ... x[i] + reach_x and the rows
 * y[i] - reach_y ... y[i] + reach_y; the first in reading order wins a tie. `scratch` and `counts` each have
 * room for (2 * reach_x + 1) * (2 * reach_y + 1) elements. */
void cr_mode_row(
    cr_window window, const int32_t *x, const int32_t *y, int reach_x, int reach_y, uint64_t *scratch,
    uint32_t *counts, int16_t *result, size_t count);

/* result[i] = the most frequent of the four pixels 2i, 2i + 1 of two rows; the first wins a tie. */
void cr_halve_mode(const int16_t *upper, const int16_t *lower, int16_t *result, size_t count);

/* result[i] = pixel 2i of a row. */
void cr_halve_nearest(const int16_t *source, int16_t *result, size_t count);

/* Arranges weights for `resample_row` in groups. If `count` is not a multiple of CR_TAP_GROUP, the last group
 * overlaps the one before. Pairs of taps at the end are left out if their weights are 0 for all pixels.
 * `spans` must have room for all groups, `groups` for `taps + 2` elements for each of their pixels. Returns
 * the number of pairs per pixel, or 0 if a group reads more than CR_TAP_SPAN pixels. */
int cr_group_taps(
    const int32_t *starts, const int16_t *weights, int taps, cr_span *spans, int16_t *groups, size_t count);

/* result[i] = the deep pixel. */
void cr_fill(const int16_t *pixel, int16_t *result, size_t count);

/* Removing the paper from a drawing. All levels use the same code. */

/* The distance, in columns and in rows, within which other pixels affect the result for a pixel. */
#define CR_LIFT_RADIUS 16

/* The colour of the paper, and how much a channel may differ from it. */
typedef struct {
    uint8_t channels[3];
    uint8_t tolerance;
} cr_paper;

/* A part of a sheet: straight RGBA, and a mark for each pixel, without gaps between rows. Pixels within
 * CR_LIFT_RADIUS of the part's edge must not be lifted, unless it is the edge of the image. */
typedef struct {
    const uint8_t *pixels;
    const uint8_t *marks;
    int32_t width, height;
    cr_paper paper;
} cr_sheet;

/* result[i] = pixel i as RGBA, of 1 sample (gray) or 3. */
void cr_widen_row(const uint8_t *pixels, int samples, uint8_t *result, size_t count);

/* marks[i] = 1 if pixel i, RGBA, has the colour of the paper and is not transparent, else 0. */
void cr_mark_paper(const uint8_t *pixels, cr_paper paper, uint8_t *marks, size_t count);

/* The pixels of a row from column x on, without the paper: straight RGBA. */
void cr_lift_row(const cr_sheet *sheet, int32_t x, int32_t y, uint8_t *result, size_t count);

#endif
