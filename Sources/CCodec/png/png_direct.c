#include <stdlib.h>
#include <string.h>

#include "png_filter.h"
#include "png_reader.h"

// Forms

static void set_pixel(cc_expansion *expansion, int value, png_color color, uint8_t alpha) {
    const uint8_t pixel[4] = {color.red, color.green, color.blue, alpha};
    memcpy(expansion->pixels[value], pixel, sizeof pixel);
}

/// A value beyond the palette is black, as in libpng.
static void expand_palette(png_structp png, png_infop info, cc_expansion *expansion) {
    png_colorp colors = NULL;
    png_bytep alphas = NULL;
    int color_count = 0, alpha_count = 0;
    png_get_PLTE(png, info, &colors, &color_count);
    png_get_tRNS(png, info, &alphas, &alpha_count, NULL);
    for (int value = 0; value < 256; value++) {
        const png_color color = value < color_count ? colors[value] : (png_color){0};
        set_pixel(expansion, value, color, value < alpha_count ? alphas[value] : 255);
    }
    expansion->bytes_per_pixel = alpha_count > 0 ? 4 : 3;
}

/// Spreads gray over 0...255; one value may be transparent.
static void expand_gray(png_structp png, png_infop info, cc_expansion *expansion) {
    const int largest = (1 << expansion->stored_bits) - 1;
    png_color_16p transparent = NULL;
    png_get_tRNS(png, info, NULL, NULL, &transparent);
    for (int value = 0; value <= largest; value++) {
        const uint8_t gray = (uint8_t)(value * (255 / largest));
        const bool is_seen = transparent == NULL || value != (transparent->gray & largest);
        set_pixel(expansion, value, (png_color){gray, gray, gray}, is_seen ? 255 : 0);
    }
    expansion->bytes_per_pixel = transparent != NULL ? 4 : 1;
}

bool cc_direct_form_of(png_structp png, png_infop info, cc_direct_form *form) {
    const int depth = png_get_bit_depth(png, info);
    const int type = png_get_color_type(png, info);
    const bool has_transparency = png_get_valid(png, info, PNG_INFO_tRNS) != 0;
    if (png_get_interlace_type(png, info) != PNG_INTERLACE_NONE || depth > 8
        || (type == PNG_COLOR_TYPE_RGB && has_transparency)) {
        return false;
    }
    *form = (cc_direct_form){
        .width = png_get_image_width(png, info),
        .height = png_get_image_height(png, info),
        .bits_per_pixel = (uint32_t)depth * png_get_channels(png, info),
    };
    cc_expansion *expansion = &form->expansion;
    expansion->stored_bits = form->bits_per_pixel;
    if (type == PNG_COLOR_TYPE_PALETTE) {
        expand_palette(png, info, expansion);
    } else if (type == PNG_COLOR_TYPE_GRAY && (depth < 8 || has_transparency)) {
        expand_gray(png, info, expansion);
    } else if (type == PNG_COLOR_TYPE_GRAY_ALPHA) {
        expansion->bytes_per_pixel = 4;
    }
    form->is_expanded = expansion->bytes_per_pixel != 0;
    return true;
}

// Expansion

#define INLINE static inline __attribute__((always_inline))

/// All callers pass constants for `bits` and `size`, so that the compiler can unroll.
INLINE void look_up(
    const cc_expansion *expansion, const uint8_t *restrict stored, uint32_t width, uint32_t bits,
    uint32_t size, uint8_t *restrict row) {
    const uint32_t pixels_per_byte = 8 / bits, mask = (1U << bits) - 1;
    for (size_t x = 0; x < width; x++) {
        const uint32_t shift = 8 - bits * (uint32_t)(x % pixels_per_byte + 1);
        const uint32_t value = (stored[x / pixels_per_byte] >> shift) & mask;
        memcpy(row + x * size, expansion->pixels[value], size);
    }
}

INLINE void look_up_bits(
    const cc_expansion *expansion, const uint8_t *restrict stored, uint32_t width, uint32_t bits,
    uint8_t *restrict row) {
    switch (expansion->bytes_per_pixel) {
    case 1: look_up(expansion, stored, width, bits, 1, row); return;
    case 3: look_up(expansion, stored, width, bits, 3, row); return;
    default: look_up(expansion, stored, width, bits, 4, row); return;
    }
}

static void spread_gray_alpha(const uint8_t *restrict stored, uint32_t width, uint8_t *restrict row) {
    for (size_t x = 0; x < width; x++) {
        memset(row + 4 * x, stored[2 * x], 3);
        row[4 * x + 3] = stored[2 * x + 1];
    }
}

/// Makes the delivered pixels of a row.
static void expand_row(
    const cc_expansion *expansion, const uint8_t *restrict stored, uint32_t width, uint8_t *restrict row) {
    switch (expansion->stored_bits) {
    case 1: look_up_bits(expansion, stored, width, 1, row); return;
    case 2: look_up_bits(expansion, stored, width, 2, row); return;
    case 4: look_up_bits(expansion, stored, width, 4, row); return;
    case 8: look_up_bits(expansion, stored, width, 8, row); return;
    default: spread_gray_alpha(stored, width, row); return;
    }
}

// Rows

// Rows are inflated a few at a time. More rows mean that the window of 32 kB is moved less often; but rows
// should still be in the L2 cache when they are unfiltered. Their number is even, since two rows may be
// unfiltered together.
enum { BLOCK = 1 << 18 };

// Images that are inflated at once: tiles of 512 pixels, with some room.
enum { WHOLE = 5 << 18 };

struct cc_direct {
    cc_direct_form form;
    cc_png_stream *stream;
    size_t row_bytes;  // of a stored row
    uint32_t rows_left;

    // Filtered rows, each preceded by its filter byte.
    const uint8_t *block;
    size_t block_rows;  // room
    size_t inflated;    // number of rows in the block
    size_t taken;       // number of rows that have been unfiltered

    // If the form expands, the last two stored rows. If not, the last row of the previous call, since the
    // caller may have changed the delivered row.
    uint8_t *kept[2];
};

static size_t row_bytes_of(const cc_direct_form *form) {
    return ((size_t)form->width * form->bits_per_pixel + 7) / 8;
}

static size_t block_rows_of(const cc_direct_form *form) {
    const size_t row = 1 + row_bytes_of(form);
    if (form->height <= WHOLE / row) { return form->height; }
    const size_t rows = BLOCK / row / 2 * 2;
    return rows == 0 ? 1 : rows < form->height ? rows : form->height;
}

static size_t block_bytes_of(const cc_direct_form *form) {
    return block_rows_of(form) * (1 + row_bytes_of(form));
}

static size_t kept_rows_of(const cc_direct_form *form) { return form->is_expanded ? 2 : 1; }

uint64_t cc_direct_bytes(const cc_direct_form *form) {
    return sizeof(cc_direct) + cc_png_stream_bytes(block_bytes_of(form))
        + (uint64_t)kept_rows_of(form) * row_bytes_of(form);
}

static bool allocate(cc_direct *direct) {
    for (size_t i = 0; i < kept_rows_of(&direct->form); i++) {
        direct->kept[i] = calloc(1, direct->row_bytes);
        if (direct->kept[i] == NULL) { return false; }
    }
    return direct->stream != NULL;
}

cc_direct *cc_direct_create(const cc_direct_form *form, FILE *file, const uint8_t header[CC_CHUNK_HEADER]) {
    cc_direct *direct = calloc(1, sizeof *direct);
    if (direct == NULL) { return NULL; }
    direct->form = *form;
    direct->row_bytes = row_bytes_of(form);
    direct->rows_left = form->height;
    direct->block_rows = block_rows_of(form);
    direct->stream = cc_png_stream_create(file, header, block_bytes_of(form));
    if (allocate(direct)) { return direct; }
    cc_direct_destroy(direct);
    return NULL;
}

/// Inflates the next rows if all rows in the block have been taken. Returns whether a row is available.
static bool has_filtered(cc_direct *direct) {
    if (direct->taken < direct->inflated) { return true; }
    const size_t size = 1 + direct->row_bytes;
    const size_t rows = direct->rows_left < direct->block_rows ? direct->rows_left : direct->block_rows;
    direct->taken = 0;
    size_t count;
    direct->block = (rows == direct->form.height ? cc_png_stream_read_whole : cc_png_stream_read)(
        direct->stream, rows * size, &count);
    direct->inflated = count / size;
    return direct->inflated > 0;
}

/// The next row of the block, preceded by its filter byte.
static const uint8_t *next_filtered(const cc_direct *direct) {
    return direct->block + direct->taken * (1 + direct->row_bytes);
}

static void take(cc_direct *direct, uint32_t rows) {
    direct->taken += rows;
    direct->rows_left -= rows;
}

static size_t pixel_bytes_of(const cc_direct_form *form) {
    return form->bits_per_pixel < 8 ? 1 : form->bits_per_pixel / 8;
}

/// Decodes the next row, which must be available. Returns whether it is sound.
static bool decode_row(cc_direct *direct, const uint8_t *above, uint8_t *row) {
    const uint8_t *filtered = next_filtered(direct);
    if (filtered[0] >= CC_FILTERS) { return cc_png_stream_fail(direct->stream, "bad adaptive filter value"); }
    cc_unfilter_row(
        (cc_filter)filtered[0], filtered + 1, above, direct->row_bytes, pixel_bytes_of(&direct->form), row);
    take(direct, 1);
    return true;
}

/// Whether the next two rows have been inflated, and both have the Paeth filter.
static bool has_two_paeth(const cc_direct *direct) {
    if (direct->inflated - direct->taken < 2) { return false; }
    const uint8_t *filtered = next_filtered(direct);
    return filtered[0] == CC_FILTER_PAETH && filtered[1 + direct->row_bytes] == CC_FILTER_PAETH;
}

static void decode_two_paeth(cc_direct *direct, const uint8_t *above, uint8_t *rows, size_t stride) {
    const uint8_t *first = next_filtered(direct) + 1;
    const uint8_t *const filtered[2] = {first, first + 1 + direct->row_bytes};
    uint8_t *const row[2] = {rows, rows + stride};
    cc_unfilter_two_paeth(filtered, above, direct->row_bytes, pixel_bytes_of(&direct->form), row);
    take(direct, 2);
}

/// Decodes one or two of the next `count` rows; at least one must be available. Returns their number, or 0 if
/// the first is damaged.
static size_t decode_rows(
    cc_direct *direct, const uint8_t *above, uint8_t *rows, size_t stride, size_t count) {
    if (count == 1 || !has_two_paeth(direct)) { return decode_row(direct, above, rows) ? 1 : 0; }
    decode_two_paeth(direct, above, rows, stride);
    return 2;
}

static size_t read_stored(cc_direct *direct, uint8_t *rows, size_t stride, size_t count) {
    const uint8_t *above = direct->kept[0];
    size_t decoded = 0;
    while (decoded < count && has_filtered(direct)) {
        const size_t more = decode_rows(direct, above, rows + decoded * stride, stride, count - decoded);
        if (more == 0) { break; }
        decoded += more;
        above = rows + (decoded - 1) * stride;
    }
    if (decoded > 0) { memcpy(direct->kept[0], above, direct->row_bytes); }
    return decoded;
}

static size_t read_expanded(cc_direct *direct, uint8_t *rows, size_t stride, size_t count) {
    size_t decoded = 0;
    while (decoded < count && has_filtered(direct) && decode_row(direct, direct->kept[0], direct->kept[1])) {
        uint8_t *stored = direct->kept[1];
        direct->kept[1] = direct->kept[0];
        direct->kept[0] = stored;
        expand_row(&direct->form.expansion, stored, direct->form.width, rows + decoded++ * stride);
    }
    return decoded;
}

bool cc_direct_read(cc_direct *direct, uint8_t *rows, size_t stride, size_t count, size_t *decoded) {
    *decoded = direct->form.is_expanded ? read_expanded(direct, rows, stride, count)
                                        : read_stored(direct, rows, stride, count);
    if (*decoded < count) { return false; }
    if (count == 0 || direct->rows_left > 0 || cc_png_stream_finish(direct->stream)) { return true; }
    // The CRC of the last row has not been checked.
    if (!cc_png_stream_is_complete(direct->stream)) { (*decoded)--; }
    return false;
}

const cc_failure *cc_direct_failure(const cc_direct *direct) { return cc_png_stream_failure(direct->stream); }

void cc_direct_destroy(cc_direct *direct) {
    if (direct == NULL) { return; }
    free(direct->stream);
    free(direct->kept[0]);
    free(direct->kept[1]);
    free(direct);
}
