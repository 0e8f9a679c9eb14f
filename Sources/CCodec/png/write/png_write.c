#include <libdeflate.h>
#include <stdlib.h>
#include <string.h>

#include "png_writer.h"

/// Packs the image's rows in the chosen form, each preceded by a byte for its filter.
static void pack(cc_png_writer *writer) {
    const size_t width = writer->width;
    const size_t row_bytes = (width * (size_t)writer->form.pixel_bits + 7) / 8;
    memset(writer->zeros, 0, row_bytes);
    uint8_t *row = writer->packed;
    for (size_t y = 0; y < writer->height; y++, row += row_bytes) {
        *row++ = 0;
        cc_pack_row(&writer->form, writer->rgba + y * width * 4, writer->indices + y * width, width, row);
    }
    memset(row, 0, CC_READ_AHEAD);
    writer->rows = (cc_rows){
        .bytes = writer->packed,
        .zeros = writer->zeros,
        .row_bytes = row_bytes,
        .height = writer->height,
        .pixel = (size_t)(writer->form.pixel_bits + 7) / 8,
        .scratch = writer->scratch,
    };
}

/// How much of the memory of `allocate` is touched. For photographs of three bytes a pixel: packed and
/// filtered rows, 3 each; stream and file, half of that each. Drawings of few colours take less; the rare
/// ones with more than 256 colours take 5 more: indices, 1; pixels, 4.
size_t cc_png_writer_bytes(cc_png_effort effort, uint32_t width, uint32_t height) {
    const size_t rows = (size_t)CC_ADAPTIVE_FILTERS * width * 4;
    return sizeof(cc_png_writer) + (size_t)width * height * 9 + rows + cc_png_compressor_bytes(effort);
}

static bool allocate(cc_png_writer *writer) {
    const size_t pixels = (size_t)writer->width * writer->height;
    const size_t row = (size_t)writer->width * 4;
    const size_t filtered = writer->height * (row + 1);
    if (!cc_png_allocate_compressors(writer, filtered, &writer->stream_capacity)) { return false; }
    writer->pixels = malloc(pixels * sizeof *writer->pixels);
    writer->indices = malloc(pixels);
    writer->packed = malloc(filtered + CC_READ_AHEAD);
    writer->zeros = malloc(row);
    writer->scratch = malloc(CC_ADAPTIVE_FILTERS * row);
    writer->filtered = malloc(filtered + CC_READ_AHEAD);
    writer->stream = malloc(writer->stream_capacity);
    writer->file = malloc(writer->stream_capacity + CC_PNG_FRAME_SIZE);
    return writer->pixels && writer->indices && writer->packed && writer->zeros && writer->scratch
        && writer->filtered && writer->stream && writer->file;
}

cc_status cc_png_writer_create(
    cc_png_effort effort, uint32_t width, uint32_t height, cc_png_writer **result, cc_message *message) {
    cc_png_writer *writer = calloc(1, sizeof *writer);
    if (writer == NULL) { return cc_fail_memory(message); }
    writer->effort = effort;
    writer->width = width;
    writer->height = height;
    if (!allocate(writer)) {
        cc_png_writer_destroy(writer);
        return cc_fail_memory(message);
    }
    *result = writer;
    return CC_OK;
}

cc_status cc_png_write(
    cc_png_writer *writer, const uint8_t *rgba, bool is_opaque, const uint8_t **bytes, size_t *size,
    cc_message *message) {
    cc_choose_form(rgba, writer->width, writer->height, is_opaque, writer->indices, &writer->form);
    writer->rgba = rgba;
    pack(writer);
    cc_png_compress(writer);
    const cc_png_content content = {
        .form = &writer->form,
        .width = writer->width,
        .height = writer->height,
        .stream = writer->stream,
        .stream_size = writer->stream_size,
    };
    *bytes = writer->file;
    return cc_png_write_file(&content, writer->file, size, message);
}

void cc_png_writer_destroy(cc_png_writer *writer) {
    cc_png_free_compressors(writer);
    free(writer->pixels);
    free(writer->indices);
    free(writer->packed);
    free(writer->zeros);
    free(writer->scratch);
    free(writer->filtered);
    free(writer->stream);
    free(writer->file);
    free(writer);
}

// Pictures of views: large, seen once, and made while the user waits. Their pixels are processed in place:
// the system clears fresh memory, which takes as long as compressing.

typedef struct view_writer {
    uint8_t *pixels;  // RGBA; then the rows, each preceded by its filter byte
    uint32_t width;
    uint32_t height;
    uint8_t *indices;  // width * height
    uint8_t *rows[2];  // in the chosen form: the row that is filtered, and the one above
    cc_form form;
} view_writer;

static size_t row_bytes(const view_writer *writer) {
    return (writer->width * (size_t)writer->form.pixel_bits + 7) / 8;
}

static void pack_row(const view_writer *writer, size_t y, uint8_t *packed) {
    const size_t width = writer->width;
    cc_pack_row(&writer->form, writer->pixels + y * width * 4, writer->indices + y * width, width, packed);
}

static void filter_row(view_writer *writer, cc_filter filter, size_t y) {
    const size_t count = row_bytes(writer);
    uint8_t *filtered = writer->pixels + y * (1 + count);
    filtered[0] = (uint8_t)filter;
    cc_filter_row(
        filter, writer->rows[0], writer->rows[1], count, (size_t)(writer->form.pixel_bits + 7) / 8,
        filtered + 1);
}

static void swap_rows(view_writer *writer) {
    uint8_t *row = writer->rows[0];
    writer->rows[0] = writer->rows[1];
    writer->rows[1] = row;
}

/// Filters all rows in place, and returns the number of their bytes.
static size_t filter_rows(view_writer *writer, cc_filter filter) {
    const size_t height = writer->height;
    if (1 + row_bytes(writer) <= (size_t)writer->width * 4) {
        // A filtered row ends before the next row of pixels begins.
        memset(writer->rows[1], 0, row_bytes(writer));
        for (size_t y = 0; y < height; y++, swap_rows(writer)) {
            pack_row(writer, y, writer->rows[0]);
            filter_row(writer, filter, y);
        }
    } else {
        // A filtered row begins after the row of pixels above.
        pack_row(writer, height - 1, writer->rows[0]);
        for (size_t y = height; y-- > 0; swap_rows(writer)) {
            if (y > 0) {
                pack_row(writer, y - 1, writer->rows[1]);
            } else {
                memset(writer->rows[1], 0, row_bytes(writer));
            }
            filter_row(writer, filter, y);
        }
    }
    return height * (1 + row_bytes(writer));
}

/// Compresses all rows to a new stream.
static uint8_t *deflate_rows(view_writer *writer, size_t *size) {
    const bool can_filter = writer->form.bit_depth == 8 && writer->form.palette_size == 0;
    const bool is_photograph =
        can_filter && cc_subject_of(writer->pixels, writer->width, writer->height) == CC_PHOTOGRAPH;
    // On drawings in a view, other filters save 4 % at most, and often nothing. LEVEL_SCAN is the fastest on
    // areas of one colour, such as around a drawing; higher levels gain 1 to 2 %.
    const size_t filtered = filter_rows(writer, is_photograph ? CC_PHOTOGRAPH_FILTER : CC_FILTER_NONE);
    struct libdeflate_compressor *compressor =
        libdeflate_alloc_compressor(is_photograph ? CC_LEVEL_FAST : CC_LEVEL_SCAN);
    const size_t capacity = libdeflate_zlib_compress_bound(compressor, filtered);
    uint8_t *stream = malloc(capacity);
    if (compressor != NULL && stream != NULL) {
        *size = libdeflate_zlib_compress(compressor, writer->pixels, filtered, stream, capacity);
    } else {
        free(stream);
        stream = NULL;
    }
    libdeflate_free_compressor(compressor);
    return stream;
}

static cc_status write_view(view_writer *writer, uint8_t **bytes, size_t *size, cc_message *message) {
    cc_choose_form(writer->pixels, writer->width, writer->height, false, writer->indices, &writer->form);
    cc_png_content content = {.form = &writer->form, .width = writer->width, .height = writer->height};
    uint8_t *stream = deflate_rows(writer, &content.stream_size);
    if (stream == NULL) { return cc_fail_memory(message); }
    content.stream = stream;
    *bytes = malloc(content.stream_size + CC_PNG_FRAME_SIZE);
    const cc_status status =
        *bytes != NULL ? cc_png_write_file(&content, *bytes, size, message) : cc_fail_memory(message);
    free(stream);
    if (status != CC_OK) {
        free(*bytes);
        *bytes = NULL;
    }
    return status;
}

cc_status cc_png_write_view(
    uint8_t *rgba, uint32_t width, uint32_t height, uint8_t **bytes, size_t *size, cc_message *message) {
    view_writer writer = {.pixels = rgba, .width = width, .height = height};
    writer.indices = malloc((size_t)width * height);
    for (int i = 0; i < 2; i++) { writer.rows[i] = malloc((size_t)width * 4); }
    const cc_status status = writer.indices != NULL && writer.rows[0] != NULL && writer.rows[1] != NULL
        ? write_view(&writer, bytes, size, message)
        : cc_fail_memory(message);
    free(writer.indices);
    free(writer.rows[0]);
    free(writer.rows[1]);
    return status;
}
