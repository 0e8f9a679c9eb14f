#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include <jpeglib.h>
#include <jerror.h>

#include "CCodec.h"
#include "../message.h"
#include "../tile_colors.h"

enum {
    // A photograph of 256 x 256 at quality 75 takes 12 KB; what is larger grows the buffer once.
    FIRST_CAPACITY = 1 << 15,
    // Rows that libjpeg takes at a time: one row of units of 16 x 16 pixels.
    ROWS_PER_CALL = 16,
};

struct cc_jpeg_writer {
    struct jpeg_compress_struct jpeg;
    struct jpeg_error_mgr errors;
    struct jpeg_destination_mgr destination;
    jmp_buf escape;
    int quality;
    uint8_t *buffer;
    size_t capacity;
    size_t size;

    // The call in progress.
    const uint8_t *rgba;
    uint32_t width;
    uint32_t height;
    cc_status status;
    cc_message *message;
};

// libjpeg's callbacks

static void on_error(j_common_ptr jpeg) {
    cc_jpeg_writer *writer = jpeg->client_data;
    char text[JMSG_LENGTH_MAX];
    writer->errors.format_message(jpeg, text);
    const bool is_out_of_memory = writer->errors.msg_code == JERR_OUT_OF_MEMORY;
    writer->status =
        cc_fail(writer->message, is_out_of_memory ? CC_OUT_OF_MEMORY : CC_UNSUPPORTED, "%s", text);
    longjmp(writer->escape, 1);
}

/// Doubles the buffer behind the bytes that it holds; libjpeg goes on in the new half.
static boolean grow(j_compress_ptr jpeg) {
    cc_jpeg_writer *writer = jpeg->client_data;
    const size_t capacity = writer->capacity * 2;
    uint8_t *buffer = realloc(writer->buffer, capacity);
    if (buffer == NULL) { ERREXIT1(jpeg, JERR_OUT_OF_MEMORY, 0); }
    writer->destination.next_output_byte = buffer + writer->capacity;
    writer->destination.free_in_buffer = capacity - writer->capacity;
    writer->buffer = buffer;
    writer->capacity = capacity;
    return TRUE;
}

static void begin_output(j_compress_ptr jpeg) {
    cc_jpeg_writer *writer = jpeg->client_data;
    writer->destination.next_output_byte = writer->buffer;
    writer->destination.free_in_buffer = writer->capacity;
}

static void end_output(j_compress_ptr jpeg) {
    cc_jpeg_writer *writer = jpeg->client_data;
    writer->size = writer->capacity - writer->destination.free_in_buffer;
}

/// Calls a step that may leave through longjmp. The only setjmp: the step is another function, so
/// that no variable of ours lives across it.
static cc_status guard(cc_jpeg_writer *writer, void (*step)(cc_jpeg_writer *), cc_message *message) {
    writer->status = CC_OK;
    writer->message = message;
    if (setjmp(writer->escape) == 0) { step(writer); }
    return writer->status;
}

// Steps

static void create(cc_jpeg_writer *writer) {
    struct jpeg_compress_struct *jpeg = &writer->jpeg;
    jpeg->err = jpeg_std_error(&writer->errors);
    writer->errors.error_exit = on_error;
    jpeg->client_data = writer;
    jpeg_create_compress(jpeg);

    writer->destination.init_destination = begin_output;
    writer->destination.empty_output_buffer = grow;
    writer->destination.term_destination = end_output;
    jpeg->dest = &writer->destination;

    jpeg->input_components = 4;
    jpeg->in_color_space = JCS_EXT_RGBX;
    jpeg_set_defaults(jpeg);
    jpeg_set_quality(jpeg, writer->quality, TRUE);
    jpeg->dct_method = JDCT_ISLOW;
    // Huffman tables of the tile's own save 3 % of a photograph at 2.8 times the time, and 20 % of
    // a drawing at 2.4 times; for small drawings there is PNG.
    jpeg->optimize_coding = FALSE;
}

/// Whether all pixels are gray; a photograph's first row says no.
static bool is_gray(const cc_jpeg_writer *writer) {
    for (uint32_t y = 0; y < writer->height; y++) {
        const uint8_t *row = writer->rgba + (size_t)y * writer->width * 4;
        if (!cc_is_gray(row, writer->width)) { return false; }
    }
    return true;
}

/// One component if all pixels are gray, else three. Both decode to the same pixels: the chroma
/// of gray is neutral, and its luma is its value.
static void choose_components(cc_jpeg_writer *writer) {
    struct jpeg_compress_struct *jpeg = &writer->jpeg;
    if (is_gray(writer)) {
        jpeg_set_colorspace(jpeg, JCS_GRAYSCALE);
        return;
    }
    jpeg_set_colorspace(jpeg, JCS_YCbCr);
    if (writer->quality >= 90) {
        jpeg->comp_info[0].h_samp_factor = 1;
        jpeg->comp_info[0].v_samp_factor = 1;
    }
}

static void compress(cc_jpeg_writer *writer) {
    struct jpeg_compress_struct *jpeg = &writer->jpeg;
    jpeg->image_width = writer->width;
    jpeg->image_height = writer->height;
    choose_components(writer);
    jpeg_start_compress(jpeg, TRUE);
    while (jpeg->next_scanline < jpeg->image_height) {
        JSAMPROW rows[ROWS_PER_CALL];
        const uint32_t left = jpeg->image_height - jpeg->next_scanline;
        const uint32_t count = left < ROWS_PER_CALL ? left : ROWS_PER_CALL;
        for (uint32_t i = 0; i < count; i++) {
            const size_t y = jpeg->next_scanline + i;
            // libjpeg reads only, but its type does not say so.
            rows[i] = (JSAMPROW)(writer->rgba + y * writer->width * 4);
        }
        jpeg_write_scanlines(jpeg, rows, count);
    }
    jpeg_finish_compress(jpeg);
}

// The fence

cc_status cc_jpeg_writer_create(int quality, cc_jpeg_writer **result, cc_message *message) {
    cc_jpeg_writer *writer = calloc(1, sizeof *writer);
    uint8_t *buffer = malloc(FIRST_CAPACITY);
    if (writer == NULL || buffer == NULL) {
        free(writer);
        free(buffer);
        return cc_fail_memory(message);
    }
    writer->quality = quality;
    writer->buffer = buffer;
    writer->capacity = FIRST_CAPACITY;
    const cc_status status = guard(writer, create, message);
    if (status != CC_OK) {
        cc_jpeg_writer_destroy(writer);
        return status;
    }
    *result = writer;
    return CC_OK;
}

cc_status cc_jpeg_write(
    cc_jpeg_writer *writer, const uint8_t *rgba, uint32_t width, uint32_t height, const uint8_t **bytes,
    size_t *size, cc_message *message) {
    writer->rgba = rgba;
    writer->width = width;
    writer->height = height;
    const cc_status status = guard(writer, compress, message);
    if (status != CC_OK) {
        jpeg_abort_compress(&writer->jpeg);
        return status;
    }
    *bytes = writer->buffer;
    *size = writer->size;
    return CC_OK;
}

void cc_jpeg_writer_destroy(cc_jpeg_writer *writer) {
    jpeg_destroy_compress(&writer->jpeg);
    free(writer->buffer);
    free(writer);
}
