#include <stdlib.h>
#include <string.h>

#include "../../message.h"
#include "png_file.h"
#include "png_writer.h"

/// Packs the image's rows in the form chosen, each behind a byte for its filter.
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

/// What is touched of what `allocate` takes, for photographs, three bytes a pixel: packed and filtered rows,
/// 3 each; stream and file, half of that each. Drawings of few colours take less; those of more than a
/// palette has, which are rare, 5 more: indices, 1; pixels, 4.
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
