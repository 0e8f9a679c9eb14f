// Pictures of views: large, seen once, and made while somebody waits. All that is done with their pixels is
// done in the memory that they lie in: the system clears fresh memory, which takes as long as compressing.

#include <stdlib.h>
#include <string.h>

#include <libdeflate.h>

#include "CCodec.h"
#include "../../message.h"
#include "png_estimate.h"
#include "png_file.h"

typedef struct view_writer {
    uint8_t *pixels;  // RGBA; then the rows, each behind the byte of its filter
    uint32_t width;
    uint32_t height;
    uint8_t *indices;  // width * height
    uint8_t *rows[2];  // in the form chosen: the row that is filtered, and the one above
    cc_form form;
} view_writer;

static size_t row_bytes(const view_writer *writer) {
    return (writer->width * (size_t)writer->form.pixel_bits + 7) / 8;
}

static void pack(const view_writer *writer, size_t y, uint8_t *packed) {
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

/// Filters all rows in their place, and returns how many bytes they are.
static size_t filter_rows(view_writer *writer, cc_filter filter) {
    const size_t height = writer->height;
    if (1 + row_bytes(writer) <= (size_t)writer->width * 4) {
        // A filtered row ends before the next row of pixels begins.
        memset(writer->rows[1], 0, row_bytes(writer));
        for (size_t y = 0; y < height; y++, swap_rows(writer)) {
            pack(writer, y, writer->rows[0]);
            filter_row(writer, filter, y);
        }
    } else {
        // A filtered row begins behind the row of pixels above.
        pack(writer, height - 1, writer->rows[0]);
        for (size_t y = height; y-- > 0; swap_rows(writer)) {
            if (y > 0) {
                pack(writer, y - 1, writer->rows[1]);
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
    // On drawings in a view, other filters save 4 % at most, and often nothing. LEVEL_SCAN is the quicker
    // one on what is all the same, such as what lies beside a drawing; more effort gains 1 to 2 %.
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
