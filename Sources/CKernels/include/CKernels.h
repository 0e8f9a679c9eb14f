/*
 * The resampling core: kernels on rows of pixels. No allocation, no input or output, no globals.
 *
 * Pixels
 *   A "deep" pixel is four int16_t, red, green, blue, alpha, premultiplied. Its unit is 1/64 of an
 *   8-bit step, so that opaque white is four times CR_OPAQUE. The six spare bits keep the rounding
 *   of intermediate results out of sight; the sign and the headroom (up to about twice opaque) keep
 *   the negative lobes and overshoots of sharp kernels until the last step, which alone clamps.
 *   Intermediate clamping is what costs other tools several dB at each overview.
 *
 * Weights
 *   Fixed point with CR_WEIGHT_BITS fractional bits: CR_WEIGHT_ONE is 1. The absolute values of the
 *   weights of one result must add up to less than 4 (an accumulator of 32 bits then holds).
 *   Results are rounded half up and saturated.
 *
 * Rules for all kernels
 *   Alignment: none beyond that of the element type. Aliasing: inputs and outputs do not overlap.
 *   Over-read: only if a kernel says so. Threads: any number, on different outputs.
 *   Every variant gives the same bytes, however it was compiled: integer arithmetic, or floating point
 *   with one rounding per operation (rounding.h).
 *   Every count of taps is at least 1.
 */
#ifndef TILEWRIGHT_CKERNELS_H
#define TILEWRIGHT_CKERNELS_H

#include <stddef.h>
#include <stdint.h>

/* An opaque channel of a deep pixel: 255 * 64. */
#define CR_OPAQUE 16320

/* Fractional bits of a weight; 14 leave room for weights of -2 to 2 in an int16_t. */
#define CR_WEIGHT_BITS 14
#define CR_WEIGHT_ONE (1 << CR_WEIGHT_BITS)

/* Horizontal taps are padded with zero weights to a multiple of this. */
#define CR_TAP_MULTIPLE 4

/* Pixels whose taps are weighed at once, and source pixels that these lie within. */
#define CR_TAP_GROUP 16
#define CR_TAP_SPAN 64

/* Fractional bits of a position in `warp_*`: 1/256 of a pixel. */
#define CR_POSITION_BITS 8

/* Which body of the kernels runs. */
typedef enum {
    CR_LEVEL_PORTABLE = 0, /* plain C: the reference */
    CR_LEVEL_NEON = 1,     /* arm64 */
    CR_LEVEL_AVX2 = 2,     /* x86-64 with AVX2 */
    CR_LEVEL_AVX512 = 3,   /* x86-64 with AVX-512 F, BW, VL, VBMI and VNNI */
} cr_level;

/* All levels are below this; the higher, the faster. */
#define CR_LEVEL_COUNT 4

/* What `pack` saw: all bits set in every alpha, and any bit set in any alpha. */
typedef struct {
    uint8_t alpha_and;
    uint8_t alpha_or;
} cr_alpha_seen;

/* A window of deep pixels for `warp_*`: pixel (0, 0) of the positions, and pixels per row. */
typedef struct {
    const int16_t *origin;
    ptrdiff_t pixels_per_row;
} cr_window;

/* Source pixels that a group reads. */
typedef struct {
    int32_t first;
    int32_t end;
} cr_span;

/* Weights of a row, for groups of pixels. */
typedef struct {
    /* Of each group. */
    const cr_span *spans;
    /* For each group: the first two taps of each pixel, counted from the first that the group reads; then the
     * weights of these two, of the next two, and so on. */
    const int16_t *groups;
    int pairs;
} cr_grouped_taps;

/* Weights of an axis-aligned kernel for every phase: `(1 << CR_POSITION_BITS) * taps`. Tap k of
 * phase p of the pixel at whole position i reads pixel i - taps / 2 + 1 + k. */
typedef struct {
    const int16_t *weights;
    int taps; /* a multiple of CR_TAP_MULTIPLE across, any even number down */
} cr_phases;

/* Weights of a kernel that is not a product: `phases * phases * rows * columns`, y phase, x phase, tap
 * row, tap column. Tap (r, c) of whole position (x, y) reads pixel (x + left + c, y + top + r). */
typedef struct {
    const int16_t *weights;
    int phase_bits; /* phases = 1 << phase_bits, at most CR_POSITION_BITS */
    int columns;    /* a multiple of CR_TAP_MULTIPLE */
    int rows;
    int left;
    int top;
} cr_footprint;

/* Positions of a block of pixels, and where they go once they are fixed; strides are elements from row to
 * row. */
typedef struct {
    const double *x, *y;
    ptrdiff_t stride;
    int32_t *fixed_x, *fixed_y;
    ptrdiff_t fixed_stride;
    size_t columns, rows;
} cr_position_block;

/* How `fix_block` counts positions: floor((position - origin) * steps + 0.5) * unit, so that
 * halves round up, also below zero. All of it fits in 32 bits within the limits. `steps` is a power
 * of two, so that the product is exact. */
typedef struct {
    double origin;
    double steps;
    int32_t unit;
} cr_position_grid;

/* Positions between these, the limits left out, have a source. */
typedef struct {
    double low_x, high_x, low_y, high_y;
} cr_position_limits;

/* The least and the greatest fixed positions. */
typedef struct {
    int32_t min_x, max_x, min_y, max_y;
} cr_position_extent;

/* Pixels of a row that lie in planes together, at least. */
#define CR_PLANE_BLOCK 32

/* Planes of an opaque image's channels, in a row of deep samples: of the whole row, or of CR_PLANE_BLOCK
 * pixels, so that the samples of neighbours lie near each other. */
typedef struct {
    int count;       /* 1 of gray, 3 of colours; 0 for pixels of four channels instead */
    ptrdiff_t step;  /* from one to the next, in samples */
    ptrdiff_t block; /* from CR_PLANE_BLOCK pixels to the next so many, in samples */
} cr_planes;

/* Rows of planes that are combined, at most: those of the widest kernel that halves. */
#define CR_MOST_COMBINED 12

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

    /* The same from opaque samples of 8 bits, for weights of each pixel that add up to CR_WEIGHT_ONE: what
     * `unpack_*` and `resample_row` give. Taps come from `cr_group_taps`, for a row of at least CR_TAP_GROUP
     * pixels. NULL if this level has nothing faster than those two. */
    void (*resample_gray8)(const uint8_t *source, cr_grouped_taps taps, int16_t *result, size_t count);
    void (*resample_rgb8)(const uint8_t *source, cr_grouped_taps taps, int16_t *result, size_t count);

    /* The same to planes: of the one channel of gray, or of three. `result` is the first; `plane` is the way
     * from one to the next, in samples. NULL if this level has no kernels for planes. */
    void (*resample_planes)(
        const uint8_t *source, int channels, cr_grouped_taps taps, int16_t *result, ptrdiff_t plane,
        size_t count);

    /* result[i] = sum over k of weights[k] * rows[k][i]. */
    void (*combine_rows)(
        const int16_t *const *rows, const int16_t *weights, int taps, int16_t *result, size_t count);

    /* The same of whole blocks of planes, of up to CR_MOST_COMBINED rows, to planes of a whole row: `plane`
     * is the way from one to the next. NULL as above. */
    void (*combine_planes)(
        const int16_t *const *rows, cr_planes planes, const int16_t *weights, int taps, int16_t *result,
        ptrdiff_t plane, size_t blocks);

    /* result[i] = sum over k of weights[k] * source[2 * i + k]; `taps` as in `resample_row`. */
    void (*halve_row)(const int16_t *source, const int16_t *weights, int taps, int16_t *result, size_t count);

    /* The same from planes of opaque pixels, for weights that add up to CR_WEIGHT_ONE, and at least 16
     * pixels. Of gray, `plane` is 0: all channels lie in one plane. NULL as above. */
    void (*halve_planes)(
        const int16_t *source, ptrdiff_t plane, const int16_t *weights, int taps, int16_t *result,
        size_t count);

    /* The same from planes of a whole row to as many planes, whole blocks of them. NULL as above. */
    void (*halve_to_planes)(
        const int16_t *source, ptrdiff_t plane, const int16_t *weights, int taps, int16_t *result,
        cr_planes planes, size_t blocks);

    /* result[i] = the average of the pixels 2 * i and 2 * i + 1 of two rows: down columns first,
     * then along the row, each rounded half up, as the two kernels above would. */
    void (*halve_box)(const int16_t *upper, const int16_t *lower, int16_t *result, size_t count);

    /* result[i] = start + step * (first + i), each operation rounded. */
    void (*interpolate_row)(double start, double step, double first, double *result, size_t count);

    /* Fixes positions for `warp_*`, `cr_pick_row` and `cr_mode_row`, and widens `extent` by them.
     * What lies beyond the limits, or is not a number, becomes (INT32_MIN, 0), widens nothing. */
    void (*fix_block)(
        cr_position_block block, cr_position_grid grid, cr_position_limits limits,
        cr_position_extent *extent);

    /* result[i] = the kernel around (x[i], y[i]), down columns first, whose results are rounded and
     * saturated, then along the row. Positions are in 1 / (1 << CR_POSITION_BITS)
     * pixel of the window, already moved by half a pixel (0 is a pixel's centre). A position of
     * INT32_MIN in x gives a transparent pixel. All taps are read. */
    void (*warp_row)(
        cr_window window, const int32_t *x, const int32_t *y, cr_phases across, cr_phases down,
        int16_t *result, size_t count);

    /* The same for a kernel that is not a product; here 0 is a pixel's corner. */
    void (*warp_row_footprint)(
        cr_window window, const int32_t *x, const int32_t *y, cr_footprint footprint, int16_t *result,
        size_t count);

    /* Deep pixels to straight RGBA of 8 bits: clamps colours to 0 and to alpha, divides by alpha,
     * rounds half up, clamps alpha; a pixel whose alpha rounds to 0 becomes (0, 0, 0, 0). */
    cr_alpha_seen (*pack_rgba8)(const int16_t *source, uint8_t *result, size_t count);

    /* The same over an opaque colour (red, green, blue); the result is opaque. `alpha_or` tells
     * whether anything was there at all. */
    cr_alpha_seen (*pack_rgba8_over)(
        const int16_t *source, const uint8_t *background, uint8_t *result, size_t count);

    /* The same from planes of opaque pixels, which give opaque ones; from the beginning of a block on. NULL
     * as above. */
    void (*pack_planes)(const int16_t *source, cr_planes planes, uint8_t *result, size_t count);

    /* result[i] = the opaque pixel `first + i` of planes. NULL as above. */
    void (*join_planes)(const int16_t *source, cr_planes planes, size_t first, int16_t *result, size_t count);

    /* Puts opaque pixels into planes, from the pixel `first` of these on. NULL as above. */
    void (*split_planes)(
        const int16_t *source, int16_t *result, cr_planes planes, size_t first, size_t count);
} cr_kernels;

/* Rows in memory: row y lies at `first + y % capacity * stride`, in bytes. */
typedef struct {
    void *first;
    ptrdiff_t stride;
    int32_t capacity;
} cr_row_ring;

/* Columns and rows of a block of an image. Of the blocks of a plan seven in eight are of one colour, of a
 * photograph next to none. */
#define CR_BLOCK_COLUMNS 16
#define CR_BLOCK_ROWS 16

/* What is known of an image's blocks in memory. These tables are rings, as the rows of pixels are.
 *
 * A row of blocks lies among those either as its rows of pixels or, if it is compact, as the blocks that are
 * not of one colour: first the columns behind the last block, if there are some, then blocks from the left.
 * Each is rows without gaps. */
typedef struct {
    const uint8_t *compact; /* of each row of blocks, whether it is; NULL if none is */
    const uint8_t *uniform; /* of each block, whether it is of one colour */
    const uint32_t *pixels; /* its first pixel; of a block that is kept, how many lie before it */
    int32_t per_row, rows;
} cr_block_ring;

/* An image as it was decoded, whose pixels no edge cuts; beyond it all is transparent. */
typedef struct {
    cr_row_ring rows; /* from the first column in memory on */
    cr_block_ring blocks;
    int32_t first_column; /* 0 if there are compact rows of blocks */
    int32_t width, height;
    int bytes_per_pixel; /* 1 gray, 3 RGB, 4 RGBA */
} cr_source;

/* How a window is made of an image whose axes stay axes. */
typedef struct {
    /* Along rows, as `resample_row` takes them, and in groups: no pairs if there are none. */
    const int32_t *starts;
    const int16_t *weights;
    int taps;
    size_t columns;
    cr_grouped_taps grouped;
    /* Down columns: the rows that each row reads, and `row_taps` weights of each, which may be more. */
    const cr_span *reads;
    const int16_t *row_weights;
    int row_taps;
    size_t rows;
} cr_upright_weights;

/* Memory of `cr_resample_window`: `row_taps` rows of `columns` deep pixels, of pointers and of slots, which
 * say which row of the source they hold, -1 at the beginning; a row of zeros; the pixels that a row reads;
 * the same of `CR_BLOCK_ROWS` rows as they were decoded, gathered out of a compact row of blocks; and which
 * of these that is, -1 at the beginning. */
typedef struct {
    int16_t *lines;
    const int16_t **pointers;
    int32_t *slots;
    int16_t *zeros;
    int16_t *unpacked;
    uint8_t *gathered;
    int32_t *gathered_row;
} cr_upright_scratch;

/* Bytes of the gathered rows, of which each has pixels of so many columns. */
size_t cr_gathered_bytes(size_t columns, size_t bytes_per_pixel);

/* Resamples a window, or its next rows, first along rows, then down columns; each row of the source once.
 * `result` has the window's rows from its first pixel on, `first_row` among them. Planes are made only of
 * grouped weights, in a window for which no row beyond the source is read. */
void cr_resample_window(
    const cr_kernels *kernels, cr_source source, const cr_upright_weights *weights,
    cr_upright_scratch scratch, cr_row_ring result, int32_t first_row, cr_planes planes);

/* Rows of planes, or of pixels if their `count` is 0, from a column on at which a block begins; and a row
 * among them. */
typedef struct {
    cr_row_ring rows;
    int32_t row;
    cr_planes planes;
} cr_plane_rows;

/* How a window is halved. */
typedef struct {
    /* Of the finer rows that a row reads, and of the finer pixels that a pixel reads: so many, and with
     * padding as `halve_row` takes them. */
    const int16_t *weights;
    int reads, taps;
    /* The finer blocks that are read, and pixels of the first one that are not. */
    size_t blocks, before;
    /* Of the window. */
    size_t columns, rows;
    /* Finer rows that are there, from the first one on that the window reads. */
    int32_t fine_rows;
    /* Memory for planes of the finer blocks and of padding, and the way from one to the next. */
    int16_t *line;
    ptrdiff_t step;
} cr_halving;

/* Halves a window of planes, to whole blocks of planes or to pixels: `fine.row` is the first row that is
 * read, `coarse.row` the window's first. */
void cr_halve_window(
    const cr_kernels *kernels, cr_plane_rows fine, cr_plane_rows coarse, const cr_halving *how);

/* A window of a tile: RGBA of 8 bits. */
typedef struct {
    uint8_t *first;
    ptrdiff_t stride;
    size_t columns, rows;
} cr_packed_window;

/* Packs a window of deep pixels, `first_row` and those below, over a background of three samples or, if that
 * is NULL, with straight alpha. `source` has the window's columns from the first one on. */
cr_alpha_seen cr_pack_window(
    const cr_kernels *kernels, cr_row_ring source, int32_t first_row, cr_packed_window result,
    const uint8_t *background);

/* Packs a window of planes, `source.row` and those below. */
void cr_pack_planes(const cr_kernels *kernels, cr_plane_rows source, cr_packed_window result);

/* Gives a window one colour: the bytes of a pixel in the order of memory. */
void cr_fill_packed(uint32_t pixel, cr_packed_window result);

/* The kernels of a level, or NULL if this machine cannot run them. */
const cr_kernels *cr_kernels_at(cr_level level);

/* The fastest kernels of this machine. */
const cr_kernels *cr_kernels_best(void);

/* Asks for bytes that will be read soon. Rows of a band lie far apart: processors foresee the rest of a row,
 * but not the next one. */
void cr_fetch(const void *bytes, size_t count);

/* The same for bytes of a row, unless all rows stay in a cache anyway. */
void cr_fetch_row(cr_row_ring rows, int32_t row, size_t count);

/* The same for bytes that will be written. */
void cr_fetch_to_write(const void *bytes, size_t count);

/* Lays pixels over the pixels of `result`, as alpha says (Porter and Duff's "over"). One body on every
 * machine. */
void cr_lay_over(const int16_t *above, int16_t *result, size_t count);

/* The same for images that lie side by side, if a pixel is cut off by the edges of both: what is missing
 * of one pixel is taken from the other, as far as it is there, so that no background shines through. */
void cr_join(const int16_t *above, int16_t *result, size_t count);

/* Leaves of each pixel so many 256ths, 0 to 256. One body on every machine. */
void cr_cover(int16_t *pixels, const uint16_t *coverage, size_t count);

/* The weights of a footprint that is cut into thin rows. These have one body on every machine. */

/* Fractional bits of the area sums below, in units of a weight: 26 of 31 bits for all of a footprint. */
#define CR_SUM_BITS 12

/* below[i] = above[i] + height * (what of a span from 0 to `length` lies left of first + i), rounded
 * down. */
void cr_add_slice(
    const int32_t *above, float first, float length, float height, int32_t *below, size_t count);

/* The weights of a row of pixels: `above` and `below` are the sums at their upper and lower edges, at
 * count + 1 places. `sum` is that of all pixels before; with half a unit to begin with, all weights together
 * are the rounded sum. Returns the sum for the next row. */
int32_t cr_shares(const int32_t *above, const int32_t *below, int32_t sum, int16_t *weights, size_t count);

/* Kernels that copy or compare whole pixels; they have one body on every machine. */

/* result[i] = the pixel at whole position (x[i], y[i]) of the window; INT32_MIN as above. */
void cr_pick_row(cr_window window, const int32_t *x, const int32_t *y, int16_t *result, size_t count);

/* result[i] = the pixel that is most frequent among the columns x[i] - reach_x ... x[i] + reach_x
 * and the rows alike; the first in reading order wins a tie. `scratch` holds
 * (2 * reach_x + 1) * (2 * reach_y + 1) elements. */
void cr_mode_row(
    cr_window window, const int32_t *x, const int32_t *y, int reach_x, int reach_y, uint64_t *scratch,
    uint32_t *counts, int16_t *result, size_t count);

/* result[i] = the most frequent of the four pixels 2i, 2i + 1 of two rows; the first wins a tie. */
void cr_halve_mode(const int16_t *upper, const int16_t *lower, int16_t *result, size_t count);

/* result[i] = pixel 2i of a row. */
void cr_halve_nearest(const int16_t *source, int16_t *result, size_t count);

/* Puts weights as `resample_row` takes them into groups. If `count` is no multiple of CR_TAP_GROUP, the last
 * group begins within the one before. Pairs of taps at the end that weigh nothing for any pixel are left out.
 * `spans` has room for all groups, `groups` for `taps + 2` elements of each of their pixels. Returns the
 * pairs of each pixel, or 0 if a group reads more than CR_TAP_SPAN pixels. */
int cr_group_taps(
    const int32_t *starts, const int16_t *weights, int taps, cr_span *spans, int16_t *groups, size_t count);

/* Parts of an image that are of one colour; one body on every machine. */

/* result[i] = 1 if all pixels of block i are the same, else 0; pixels[i] = the bytes of its first pixel in
 * the order of memory, and zeros behind. `rows` rows of `count` blocks side by side. */
void cr_find_uniform(
    const uint8_t *bytes, ptrdiff_t stride, size_t bytes_per_pixel, size_t rows, uint8_t *result,
    uint32_t *pixels, size_t count);

/* Keeps a row of blocks compact, `count` of them and `behind` columns behind the last, and numbers in
 * `pixels` those that are not of one colour. */
void cr_keep_mixed(
    const uint8_t *bytes, ptrdiff_t stride, size_t bytes_per_pixel, const uint8_t *uniform, uint32_t *pixels,
    size_t count, size_t behind, uint8_t *result);

/* Rows of one compact row of blocks as they were decoded; `columns` begin with a block. */
void cr_gather_blocks(
    const cr_source *source, cr_span rows, cr_span columns, uint8_t *result, ptrdiff_t stride);

/* result[i] = the pixel, which is deep. */
void cr_fill(const int16_t *pixel, int16_t *result, size_t count);

/* Lifting a drawing off its sheet; one body on every machine. */

/* How far from a pixel anything counts that decides what becomes of it, in columns and in rows. */
#define CR_LIFT_RADIUS 16

/* The colour of a sheet, and how much a channel may differ from it. */
typedef struct {
    uint8_t channels[3];
    uint8_t tolerance;
} cr_paper;

/* A part of a sheet: straight RGBA, and a mark for each pixel, without gaps between rows. Where it ends, the
 * image ends, or nothing is lifted within CR_LIFT_RADIUS pixels of it. */
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
