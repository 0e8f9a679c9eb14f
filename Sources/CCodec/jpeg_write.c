#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include <jpeglib.h>
#include <jerror.h>

#include "shared.h"

enum {
    // A photograph of 256 x 256 at quality 75 takes 12 KB; for a larger file, the buffer grows once.
    FIRST_CAPACITY = 1 << 15,
    // Rows passed to libjpeg at a time: one row of units of 16 x 16 pixels.
    ROWS_PER_CALL = 16,
};

/// Storage forms of the same coefficients.
typedef enum form {
    // In rows of units, with the code words of the standard's example (T.81, section K.3).
    FORM_FIXED,
    // The same, with code words that are optimised for the tile.
    FORM_OPTIMISED,
    // From coarse to fine, with optimised code words.
    FORM_PROGRESSIVE,
} form;

typedef struct output {
    uint8_t *bytes;
    size_t capacity;
    size_t size;
} output;

struct cc_jpeg_writer {
    struct jpeg_compress_struct jpeg;
    struct jpeg_error_mgr errors;
    struct jpeg_destination_mgr destination;
    jmp_buf escape;
    int quality;
    bool is_small;
    output output;
    output other;  // compared with `output`; has no memory if the writer tries only one form

    // The call in progress.
    form form;
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

/// Doubles the buffer; libjpeg continues in the new half.
static boolean grow(j_compress_ptr jpeg) {
    cc_jpeg_writer *writer = jpeg->client_data;
    output *output = &writer->output;
    const size_t capacity = output->capacity * 2;
    uint8_t *bytes = realloc(output->bytes, capacity);
    if (bytes == NULL) { ERREXIT1(jpeg, JERR_OUT_OF_MEMORY, 0); }
    writer->destination.next_output_byte = bytes + output->capacity;
    writer->destination.free_in_buffer = capacity - output->capacity;
    output->bytes = bytes;
    output->capacity = capacity;
    return TRUE;
}

static void begin_output(j_compress_ptr jpeg) {
    cc_jpeg_writer *writer = jpeg->client_data;
    writer->destination.next_output_byte = writer->output.bytes;
    writer->destination.free_in_buffer = writer->output.capacity;
}

static void end_output(j_compress_ptr jpeg) {
    cc_jpeg_writer *writer = jpeg->client_data;
    writer->output.size = writer->output.capacity - writer->destination.free_in_buffer;
}

/// Calls a step that may leave through longjmp. This is the only setjmp. The step is a separate function, so
/// that no local variable has to survive the longjmp.
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
}

/// Uses one component if all pixels are gray, else three. Gray pixels decode to the same values either way:
/// their chroma is neutral, and their luma is their value.
static void choose_components(cc_jpeg_writer *writer) {
    struct jpeg_compress_struct *jpeg = &writer->jpeg;
    // For a photograph, the first pixels decide.
    if (cc_is_gray(writer->rgba, (size_t)writer->width * writer->height)) {
        jpeg_set_colorspace(jpeg, JCS_GRAYSCALE);
        return;
    }
    jpeg_set_colorspace(jpeg, JCS_YCbCr);
    if (writer->quality >= 90) {
        jpeg->comp_info[0].h_samp_factor = 1;
        jpeg->comp_info[0].v_samp_factor = 1;
    }
}

static void set_form(cc_jpeg_writer *writer) {
    struct jpeg_compress_struct *jpeg = &writer->jpeg;
    jpeg->optimize_coding = writer->form != FORM_FIXED;
    jpeg->scan_info = NULL;
    jpeg->num_scans = 0;
    if (writer->form == FORM_PROGRESSIVE) { jpeg_simple_progression(jpeg); }
}

static void compress(cc_jpeg_writer *writer) {
    struct jpeg_compress_struct *jpeg = &writer->jpeg;
    jpeg->image_width = writer->width;
    jpeg->image_height = writer->height;
    choose_components(writer);
    set_form(writer);
    jpeg_start_compress(jpeg, TRUE);
    while (jpeg->next_scanline < jpeg->image_height) {
        JSAMPROW rows[ROWS_PER_CALL];
        const uint32_t left = jpeg->image_height - jpeg->next_scanline;
        const uint32_t count = left < ROWS_PER_CALL ? left : ROWS_PER_CALL;
        for (uint32_t i = 0; i < count; i++) {
            const size_t y = jpeg->next_scanline + i;
            // libjpeg only reads the rows, but its type is not const.
            rows[i] = (JSAMPROW)(writer->rgba + y * writer->width * 4);
        }
        jpeg_write_scanlines(jpeg, rows, count);
    }
    jpeg_finish_compress(jpeg);
}

static cc_status write_form(cc_jpeg_writer *writer, form form, cc_message *message) {
    writer->form = form;
    const cc_status status = guard(writer, compress, message);
    if (status != CC_OK) { jpeg_abort_compress(&writer->jpeg); }
    return status;
}

static void swap_outputs(cc_jpeg_writer *writer) {
    const output output = writer->output;
    writer->output = writer->other;
    writer->other = output;
}

/// Writes the pixels in the smallest form to `output`.
static cc_status write_smallest(cc_jpeg_writer *writer, cc_message *message) {
    const cc_status status = write_form(writer, FORM_OPTIMISED, message);
    if (status != CC_OK) { return status; }
    swap_outputs(writer);
    const cc_status other = write_form(writer, FORM_PROGRESSIVE, message);
    if (other == CC_OK && writer->other.size <= writer->output.size) { swap_outputs(writer); }
    return other;
}

// Public functions

static bool allocate(output *output) {
    output->bytes = malloc(FIRST_CAPACITY);
    output->capacity = FIRST_CAPACITY;
    return output->bytes != NULL;
}

cc_status cc_jpeg_writer_create(int quality, bool is_small, cc_jpeg_writer **result, cc_message *message) {
    cc_jpeg_writer *writer = calloc(1, sizeof *writer);
    if (writer == NULL) { return cc_fail_memory(message); }
    writer->quality = quality;
    writer->is_small = is_small;
    cc_status status = guard(writer, create, message);
    if (status == CC_OK && !(allocate(&writer->output) && (!is_small || allocate(&writer->other)))) {
        status = cc_fail_memory(message);
    }
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
    const cc_status status =
        writer->is_small ? write_smallest(writer, message) : write_form(writer, FORM_FIXED, message);
    *bytes = writer->output.bytes;
    *size = writer->output.size;
    return status;
}

void cc_jpeg_writer_destroy(cc_jpeg_writer *writer) {
    jpeg_destroy_compress(&writer->jpeg);
    free(writer->output.bytes);
    free(writer->other.bytes);
    free(writer);
}
