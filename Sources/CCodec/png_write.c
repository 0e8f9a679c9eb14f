#include <png.h>
#include <stdlib.h>
#include <string.h>

#include <libdeflate.h>

#include "CCodec.h"
#include "message.h"
#include "png_form.h"
#include "png_rows.h"

// Signature, IHDR, PLTE and tRNS of 256 entries, the frames of IDAT and IEND:
// 8 + 25 + 780 + 268 + 12 + 12.
enum { FRAME_SIZE = 1105 };

// libdeflate's levels, chosen by measurement on tiles of plans and of photographs.
enum {
    // Photographs leave it little but Huffman coding: more effort gains 4 % at twice the time.
    LEVEL_FAST = 1,
    // 7 to 9 gain 1 to 2 % for up to four times the time.
    LEVEL_DRAWING = 6,
    // Near-optimal parsing: 8 % less for some fifty times the time.
    LEVEL_SMALL = 12,
};

typedef struct compressors {
    struct libdeflate_compressor *fast, *drawing, *small;
} compressors;

struct cc_png_writer {
    cc_png_effort effort;
    uint32_t width;
    uint32_t height;
    compressors compressors;

    uint8_t *indices;   // width * height
    uint8_t *packed;    // rows in the form chosen, after a row of zeros
    uint8_t *scratch;   // a row under each of the filters
    uint8_t *filtered;  // the rows, each behind the byte of its filter
    uint8_t *stream;    // the zlib stream
    size_t stream_capacity;
    uint8_t *file;
    size_t file_size;

    // The call in progress.
    cc_form form;
    cc_rows rows;
    size_t stream_size;
    cc_status status;
    cc_message *message;
};

// Rows

static void pack(cc_png_writer *writer, const uint8_t *rgba) {
    const size_t width = writer->width;
    const size_t row_bytes = (width * (size_t)writer->form.pixel_bits + 7) / 8;
    memset(writer->packed, 0, row_bytes);
    for (size_t y = 0; y < writer->height; y++) {
        cc_pack_row(&writer->form, rgba + y * width * 4, writer->indices + y * width, width,
                    writer->packed + (y + 1) * row_bytes);
    }
    writer->rows = (cc_rows){
        .bytes = writer->packed + row_bytes,
        .row_bytes = row_bytes,
        .height = writer->height,
        .pixel = (size_t)(writer->form.pixel_bits + 7) / 8,
        .scratch = writer->scratch,
    };
}

/// Filters and compresses some rows; the result lies in writer->stream.
static size_t compress_rows(
    cc_png_writer *writer, struct libdeflate_compressor *compressor, int strategy, size_t first,
    size_t end) {
    const size_t size = cc_filter_rows(&writer->rows, strategy, first, end, writer->filtered);
    return libdeflate_zlib_compress(
        compressor, writer->filtered, size, writer->stream, writer->stream_capacity);
}

/// The strategy, of those that are worth trying on a drawing, which compresses an eighth of the
/// rows best: strips of 16, so that matches between rows count.
static int strategy_of_sample(cc_png_writer *writer) {
    enum { STRIP = 16, STEP = 128, FIRST = 56 };
    if (writer->height < FIRST + STRIP) { return CC_FILTER_ADAPTIVE; }
    size_t plain = 0, adaptive = 0;
    for (size_t y = FIRST; y + STRIP <= writer->height; y += STEP) {
        struct libdeflate_compressor *fast = writer->compressors.fast;
        plain += compress_rows(writer, fast, CC_FILTER_NONE, y, y + STRIP);
        adaptive += compress_rows(writer, fast, CC_FILTER_ADAPTIVE, y, y + STRIP);
    }
    return plain < adaptive ? CC_FILTER_NONE : CC_FILTER_ADAPTIVE;
}

/// The strategy that compresses the whole image best at the level of drawings.
static int strategy_of_trials(cc_png_writer *writer) {
    const int strategies[] = {
        CC_FILTER_NONE, CC_FILTER_AVERAGE, CC_FILTER_PAETH, CC_FILTER_ADAPTIVE,
    };
    int best = CC_FILTER_NONE;
    size_t least = SIZE_MAX;
    for (size_t i = 0; i < sizeof strategies / sizeof *strategies; i++) {
        const size_t size = compress_rows(
            writer, writer->compressors.drawing, strategies[i], 0, writer->height);
        if (size < least) {
            least = size;
            best = strategies[i];
        }
    }
    return best;
}

static void compress(cc_png_writer *writer) {
    const compressors *compressors = &writer->compressors;
    // Neighbouring indices and packed bits say nothing of each other's colours.
    const bool can_filter = writer->form.bit_depth == 8 && writer->form.palette_size == 0;
    const bool is_drawing = !can_filter || cc_is_drawing(&writer->rows);
    int strategy = CC_FILTER_NONE;
    struct libdeflate_compressor *compressor = compressors->fast;
    if (writer->effort == CC_PNG_SMALL) {
        compressor = compressors->small;
        if (can_filter) { strategy = strategy_of_trials(writer); }
    } else if (!is_drawing) {
        // It averages noise away: on samples at most 2 % behind the best filter, mostly ahead of
        // it.
        strategy = CC_FILTER_AVERAGE;
    } else if (writer->effort == CC_PNG_STANDARD) {
        compressor = compressors->drawing;
        if (can_filter) { strategy = strategy_of_sample(writer); }
    }
    writer->stream_size = compress_rows(writer, compressor, strategy, 0, writer->height);
}

// The file

static void on_error(png_structp png, png_const_charp text) {
    cc_png_writer *writer = png_get_error_ptr(png);
    writer->status = cc_fail(writer->message, CC_UNSUPPORTED, "%s", text);
    png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp text) {
    (void)png;
    (void)text;
}

static void on_write(png_structp png, png_bytep bytes, size_t size) {
    cc_png_writer *writer = png_get_io_ptr(png);
    memcpy(writer->file + writer->file_size, bytes, size);
    writer->file_size += size;
}

static void on_flush(png_structp png) { (void)png; }

static void set_palette(png_structp png, png_infop info, const cc_form *form) {
    png_color colors[CC_MOST_COLORS];
    png_byte alphas[CC_MOST_COLORS];
    for (int i = 0; i < form->palette_size; i++) {
        const cc_color color = form->palette[i];
        colors[i] = (png_color){color.r, color.g, color.b};
        alphas[i] = color.a;
    }
    png_set_PLTE(png, info, colors, form->palette_size);
    if (form->transparent_entries > 0) {
        png_set_tRNS(png, info, alphas, form->transparent_entries, NULL);
    }
}

static void write_chunks(cc_png_writer *writer, png_structp png, png_infop info) {
    if (setjmp(png_jmpbuf(png)) != 0) { return; }
    const cc_form *form = &writer->form;
    png_set_write_fn(png, writer, on_write, on_flush);
    png_set_IHDR(
        png, info, writer->width, writer->height, form->bit_depth, form->color_type,
        PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    if (form->palette_size > 0) { set_palette(png, info, form); }
    png_write_info(png, info);
    png_write_chunk(png, (png_const_bytep) "IDAT", writer->stream, writer->stream_size);
    png_write_chunk(png, (png_const_bytep) "IEND", NULL, 0);
}

static cc_status write_file(cc_png_writer *writer, cc_message *message) {
    writer->file_size = 0;
    writer->status = CC_OK;
    writer->message = message;
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, writer, on_error, on_warning);
    png_infop info = png != NULL ? png_create_info_struct(png) : NULL;
    if (info == NULL) {
        writer->status = cc_fail(message, CC_OUT_OF_MEMORY, "out of memory");
    } else {
        write_chunks(writer, png, info);
    }
    png_destroy_write_struct(&png, &info);
    return writer->status;
}

// The fence

/// Only the compressors that the effort needs; false if memory is refused.
static bool allocate_compressors(cc_png_effort effort, compressors *compressors) {
    const bool needs_fast = effort != CC_PNG_SMALL;
    const bool needs_drawing = effort != CC_PNG_FAST;
    const bool needs_small = effort == CC_PNG_SMALL;
    if (needs_fast) { compressors->fast = libdeflate_alloc_compressor(LEVEL_FAST); }
    if (needs_drawing) { compressors->drawing = libdeflate_alloc_compressor(LEVEL_DRAWING); }
    if (needs_small) { compressors->small = libdeflate_alloc_compressor(LEVEL_SMALL); }
    return (!needs_fast || compressors->fast) && (!needs_drawing || compressors->drawing)
        && (!needs_small || compressors->small);
}

static bool allocate(cc_png_writer *writer) {
    const size_t pixels = (size_t)writer->width * writer->height;
    const size_t row = (size_t)writer->width * 4;
    const size_t filtered = writer->height * (row + 1);
    writer->stream_capacity = libdeflate_zlib_compress_bound(NULL, filtered);
    writer->indices = malloc(pixels);
    writer->packed = malloc((writer->height + 1) * row);
    writer->scratch = malloc(CC_FILTERS * row);
    writer->filtered = malloc(filtered);
    writer->stream = malloc(writer->stream_capacity);
    writer->file = malloc(writer->stream_capacity + FRAME_SIZE);
    return writer->indices && writer->packed && writer->scratch && writer->filtered
        && writer->stream && writer->file
        && allocate_compressors(writer->effort, &writer->compressors);
}

cc_status cc_png_writer_create(
    cc_png_effort effort, uint32_t width, uint32_t height, cc_png_writer **result,
    cc_message *message) {
    cc_png_writer *writer = calloc(1, sizeof *writer);
    if (writer == NULL) { return cc_fail(message, CC_OUT_OF_MEMORY, "out of memory"); }
    writer->effort = effort;
    writer->width = width;
    writer->height = height;
    if (!allocate(writer)) {
        cc_png_writer_destroy(writer);
        return cc_fail(message, CC_OUT_OF_MEMORY, "out of memory");
    }
    *result = writer;
    return CC_OK;
}

cc_status cc_png_write(
    cc_png_writer *writer, const uint8_t *rgba, const uint8_t **bytes, size_t *size,
    cc_message *message) {
    cc_choose_form(rgba, writer->width, writer->height, writer->indices, &writer->form);
    pack(writer, rgba);
    compress(writer);
    const cc_status status = write_file(writer, message);
    *bytes = writer->file;
    *size = writer->file_size;
    return status;
}

void cc_png_writer_destroy(cc_png_writer *writer) {
    if (writer == NULL) { return; }
    libdeflate_free_compressor(writer->compressors.fast);
    libdeflate_free_compressor(writer->compressors.drawing);
    libdeflate_free_compressor(writer->compressors.small);
    free(writer->indices);
    free(writer->packed);
    free(writer->scratch);
    free(writer->filtered);
    free(writer->stream);
    free(writer->file);
    free(writer);
}
