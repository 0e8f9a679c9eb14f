#include <png.h>
#include <stdlib.h>
#include <string.h>

#include <libdeflate.h>

#include "CCodec.h"
#include "message.h"
#include "png_filter.h"
#include "png_form.h"

// Signature, IHDR, PLTE and tRNS of 256 entries, the frames of IDAT and IEND:
// 8 + 25 + 780 + 268 + 12 + 12.
enum { FRAME_SIZE = 1105 };

struct cc_png_writer {
    cc_png_effort effort;
    uint32_t width;
    uint32_t height;
    struct libdeflate_compressor *compressor;

    uint8_t *indices;   // width * height
    uint8_t *packed;    // rows in the form chosen, after a row of zeros
    uint8_t *filtered;  // the same rows, each behind the byte of its filter
    uint8_t *candidates;  // a row under each of the filters
    uint8_t *stream;    // the zlib stream
    size_t stream_capacity;
    uint8_t *file;
    size_t file_size;

    // The call in progress.
    cc_form form;
    size_t row_bytes;
    size_t stream_size;
    cc_status status;
    cc_message *message;
};

// Rows

static uint8_t *packed_row(const cc_png_writer *writer, size_t y) {
    return writer->packed + (y + 1) * writer->row_bytes;
}

static void pack(cc_png_writer *writer, const uint8_t *rgba) {
    const size_t width = writer->width;
    writer->row_bytes = (width * (size_t)writer->form.pixel_bits + 7) / 8;
    memset(writer->packed, 0, writer->row_bytes);
    for (size_t y = 0; y < writer->height; y++) {
        cc_pack_row(&writer->form, rgba + y * width * 4, writer->indices + y * width, width,
                    packed_row(writer, y));
    }
}

/// Filters row `y` in the way that leaves the least, by cc_filtered_cost.
static void filter_adaptively(cc_png_writer *writer, size_t y, uint8_t *filtered) {
    const size_t count = writer->row_bytes;
    const size_t pixel = (size_t)writer->form.pixel_bits / 8;
    const uint8_t *row = packed_row(writer, y);
    int best = CC_FILTER_NONE;
    uint32_t least = UINT32_MAX;
    for (int filter = 0; filter < CC_FILTERS; filter++) {
        uint8_t *candidate = writer->candidates + (size_t)filter * count;
        cc_filter_row((cc_filter)filter, row, row - count, count, pixel, candidate);
        const uint32_t cost = cc_filtered_cost(candidate, count);
        if (cost < least) {
            least = cost;
            best = filter;
        }
    }
    filtered[0] = (uint8_t)best;
    memcpy(filtered + 1, writer->candidates + (size_t)best * count, count);
}

static void filter(cc_png_writer *writer) {
    // Neighbouring indices and packed bits say nothing of each other's colours.
    const bool is_continuous = writer->form.bit_depth == 8 && writer->form.color_type != 3;
    for (size_t y = 0; y < writer->height; y++) {
        uint8_t *filtered = writer->filtered + y * (writer->row_bytes + 1);
        if (is_continuous) {
            filter_adaptively(writer, y, filtered);
        } else {
            filtered[0] = CC_FILTER_NONE;
            memcpy(filtered + 1, packed_row(writer, y), writer->row_bytes);
        }
    }
}

static void compress(cc_png_writer *writer) {
    writer->stream_size = libdeflate_zlib_compress(
        writer->compressor, writer->filtered, writer->height * (writer->row_bytes + 1),
        writer->stream, writer->stream_capacity);
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

static int deflate_level(cc_png_effort effort) {
    switch (effort) {
    case CC_PNG_FAST:
        return 1;
    case CC_PNG_STANDARD:
        return 6;
    default:
        return 9;
    }
}

static bool allocate(cc_png_writer *writer) {
    const size_t pixels = (size_t)writer->width * writer->height;
    const size_t row = (size_t)writer->width * 4;
    writer->compressor = libdeflate_alloc_compressor(deflate_level(writer->effort));
    if (writer->compressor == NULL) { return false; }
    writer->stream_capacity =
        libdeflate_zlib_compress_bound(writer->compressor, writer->height * (row + 1));
    writer->indices = malloc(pixels);
    writer->packed = malloc((writer->height + 1) * row);
    writer->filtered = malloc(writer->height * (row + 1));
    writer->candidates = malloc(CC_FILTERS * row);
    writer->stream = malloc(writer->stream_capacity);
    writer->file = malloc(writer->stream_capacity + FRAME_SIZE);
    return writer->indices && writer->packed && writer->filtered && writer->candidates
        && writer->stream && writer->file;
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
    filter(writer);
    compress(writer);
    const cc_status status = write_file(writer, message);
    *bytes = writer->file;
    *size = writer->file_size;
    return status;
}

void cc_png_writer_destroy(cc_png_writer *writer) {
    if (writer == NULL) { return; }
    if (writer->compressor != NULL) { libdeflate_free_compressor(writer->compressor); }
    free(writer->indices);
    free(writer->packed);
    free(writer->filtered);
    free(writer->candidates);
    free(writer->stream);
    free(writer->file);
    free(writer);
}
