#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>
#include <jerror.h>

#include "shared.h"

enum {
    BUFFER_SIZE = 1 << 16,
    // Scans take much time but hardly any bytes: a file of some kilobytes could take hours. Encoders write
    // about ten scans; libjpeg-turbo's own fuzzers stop at 500.
    MOST_SCANS = 500,
    // The maximum number of markers of one kind that are kept. Metadata is in the first ones; a profile has
    // at most 255 parts. To add a marker, libjpeg walks through all markers before it: a hundred thousand, in
    // a file of half a megabyte, took 15 seconds.
    MOST_MARKERS = 512,
};

struct cc_jpeg_reader {
    struct jpeg_decompress_struct jpeg;
    struct jpeg_error_mgr errors;
    struct jpeg_source_mgr source;
    struct jpeg_progress_mgr progress;
    jmp_buf escape;
    FILE *file;
    unsigned reduction;
    cc_jpeg_header header;
    uint8_t *inks;  // one row of CMYK that becomes RGB, else NULL
    bool keeps_inks;
    unsigned exif_markers;
    unsigned profile_markers;
    JOCTET *profile;
    bool has_begun;
    bool has_failed;

    // The call in progress: its rows, and the message of an error handler.
    uint8_t *rows;
    size_t stride;
    size_t count;
    bool file_has_ended;
    cc_status status;
    cc_message *message;

    uint8_t buffer[BUFFER_SIZE];
};

// libjpeg's callbacks

/// Leaves the current step.
_Noreturn static void leave(cc_jpeg_reader *reader, cc_status status) {
    reader->status = status;
    longjmp(reader->escape, 1);
}

static cc_status status_of(int code) {
    switch (code) {
    case JERR_OUT_OF_MEMORY: return CC_OUT_OF_MEMORY;
    case JERR_BAD_PRECISION:
    case JERR_ARITH_NOTIMPL:
    case JERR_CONVERSION_NOTIMPL:
    case JERR_NOT_COMPILED:
    case JERR_SOF_UNSUPPORTED: return CC_UNSUPPORTED;
    default: return CC_DAMAGED;
    }
}

static void on_error(j_common_ptr jpeg) {
    cc_jpeg_reader *reader = jpeg->client_data;
    char text[JMSG_LENGTH_MAX];
    reader->errors.format_message(jpeg, text);
    leave(reader, cc_fail(reader->message, status_of(reader->errors.msg_code), "%s", text));
}

/// Whether a warning of libjpeg does not affect any pixel.
static bool is_harmless(const cc_jpeg_reader *reader) {
    switch (reader->errors.msg_code) {
    case JWRN_BOGUS_PROGRESSION:
    case JWRN_ADOBE_XFORM:
    case JWRN_JFIF_MAJOR: return true;
    case JWRN_EXTRANEOUS_DATA:
        // Cameras pad their headers and the end of the image. But if bytes between restart markers are left
        // over, they were pixels before the file was damaged.
        return reader->jpeg.input_scan_number == 0 || reader->errors.msg_parm.i[1] == JPEG_EOI;
    default: return false;
    }
}

static void count_marker(cc_jpeg_reader *reader, int marker) {
    unsigned *count = marker == JPEG_APP0 + 1 ? &reader->exif_markers
        : marker == JPEG_APP0 + 2             ? &reader->profile_markers
                                              : NULL;
    if (count != NULL && ++*count == MOST_MARKERS) { jpeg_save_markers(&reader->jpeg, marker, 0); }
}

static void on_message(j_common_ptr jpeg, int level) {
    cc_jpeg_reader *reader = jpeg->client_data;
    // The trace message of libjpeg about a marker that it has read.
    if (level > 0 && reader->errors.msg_code == JTRC_MISC_MARKER) {
        count_marker(reader, reader->errors.msg_parm.i[0]);
    }
    if (level < 0 && reader->errors.msg_code == JWRN_BOGUS_ICC) {
        cc_fail(&reader->header.image.color.problem, CC_DAMAGED, "parts of its colour profile are missing");
        return;
    }
    if (level < 0 && !is_harmless(reader)) { on_error(jpeg); }
}

static void on_progress(j_common_ptr jpeg) {
    cc_jpeg_reader *reader = jpeg->client_data;
    if (reader->jpeg.input_scan_number > MOST_SCANS) {
        leave(reader, cc_fail(reader->message, CC_DAMAGED, "it has more than %d scans", MOST_SCANS));
    }
}

static void do_nothing(j_decompress_ptr jpeg) { (void)jpeg; }

static boolean fill_buffer(j_decompress_ptr jpeg) {
    cc_jpeg_reader *reader = jpeg->client_data;
    const size_t size = fread(reader->buffer, 1, BUFFER_SIZE, reader->file);
    if (size == 0) {
        reader->file_has_ended = !ferror(reader->file);
        leave(reader, cc_fail_read(reader->message, reader->file));
    }
    reader->source.next_input_byte = reader->buffer;
    reader->source.bytes_in_buffer = size;
    return TRUE;
}

static void skip_bytes(j_decompress_ptr jpeg, long count) {
    struct jpeg_source_mgr *source = jpeg->src;
    while (count > 0 && (size_t)count > source->bytes_in_buffer) {
        count -= (long)source->bytes_in_buffer;
        fill_buffer(jpeg);
    }
    if (count > 0) {
        source->next_input_byte += count;
        source->bytes_in_buffer -= (size_t)count;
    }
}

/// Calls a step that may leave through longjmp. This is the only setjmp. The step is a separate function, so
/// that no local variable has to survive the longjmp.
static cc_status guard(cc_jpeg_reader *reader, void (*step)(cc_jpeg_reader *), cc_message *message) {
    reader->status = CC_OK;
    reader->message = message;
    if (setjmp(reader->escape) == 0) { step(reader); }
    reader->has_failed = reader->status != CC_OK;
    return reader->status;
}

// The header

static void create(cc_jpeg_reader *reader) {
    struct jpeg_decompress_struct *jpeg = &reader->jpeg;
    jpeg->err = jpeg_std_error(&reader->errors);
    reader->errors.error_exit = on_error;
    reader->errors.emit_message = on_message;
    jpeg->client_data = reader;
    jpeg_create_decompress(jpeg);

    reader->progress.progress_monitor = on_progress;
    jpeg->progress = &reader->progress;
    reader->source.init_source = do_nothing;
    reader->source.fill_input_buffer = fill_buffer;
    reader->source.skip_input_data = skip_bytes;
    reader->source.resync_to_restart = jpeg_resync_to_restart;
    reader->source.term_source = do_nothing;
    jpeg->src = &reader->source;
}

static void find_exif(const struct jpeg_decompress_struct *jpeg, cc_image *image) {
    static const uint8_t name[6] = "Exif\0";
    for (jpeg_saved_marker_ptr marker = jpeg->marker_list; marker != NULL; marker = marker->next) {
        if (marker->data_length > sizeof name && memcmp(marker->data, name, sizeof name) == 0) {
            image->exif = marker->data + sizeof name;
            image->exif_size = marker->data_length - sizeof name;
            return;
        }
    }
}

/// Reads JFIF's density, in pixels per inch or per centimetre.
static void find_density(const struct jpeg_decompress_struct *jpeg, cc_image *image) {
    if (!jpeg->saw_JFIF_marker || jpeg->density_unit == 0 || jpeg->density_unit > 2) { return; }
    const double units_per_inch = jpeg->density_unit == 1 ? 1 : 2.54;
    image->pixels_per_inch[0] = jpeg->X_density * units_per_inch;
    image->pixels_per_inch[1] = jpeg->Y_density * units_per_inch;
}

/// Joins the parts of a profile.
static void find_profile(cc_jpeg_reader *reader) {
    unsigned size = 0;
    if (jpeg_read_icc_profile(&reader->jpeg, &reader->profile, &size)) {
        reader->header.image.color.profile = reader->profile;
        reader->header.image.color.profile_size = size;
    }
}

static uint64_t multiple(uint64_t value, uint64_t unit) { return (value + unit - 1) / unit * unit; }

/// Until the last scan, libjpeg keeps the coefficients of whole interleaved units (MCUs), 2 bytes each.
static uint64_t coefficient_bytes(const struct jpeg_decompress_struct *jpeg) {
    uint64_t bytes = 0;
    for (int i = 0; i < jpeg->num_components; i++) {
        const jpeg_component_info *component = &jpeg->comp_info[i];
        bytes += multiple(component->width_in_blocks, (uint64_t)component->h_samp_factor)
            * multiple(component->height_in_blocks, (uint64_t)component->v_samp_factor) * sizeof(JBLOCK);
    }
    return bytes;
}

static void choose_output(cc_jpeg_reader *reader) {
    struct jpeg_decompress_struct *jpeg = &reader->jpeg;
    cc_jpeg_header *header = &reader->header;
    header->image.bytes_per_pixel = 3;
    jpeg->out_color_space = JCS_RGB;
    switch (jpeg->jpeg_color_space) {
    case JCS_GRAYSCALE:
        header->color = CC_JPEG_GRAY;
        header->image.bytes_per_pixel = 1;
        jpeg->out_color_space = JCS_GRAYSCALE;
        return;
    case JCS_RGB: header->color = CC_JPEG_RGB; return;
    case JCS_YCbCr: header->color = CC_JPEG_YCBCR; return;
    case JCS_CMYK:
    case JCS_YCCK:
        header->color = jpeg->jpeg_color_space == JCS_CMYK ? CC_JPEG_CMYK : CC_JPEG_YCCK;
        jpeg->out_color_space = JCS_CMYK;
        return;
    default:
        leave(
            reader,
            cc_fail(
                reader->message, CC_UNSUPPORTED, "its %d components are not a known colour space",
                jpeg->num_components));
    }
}

static void read_header(cc_jpeg_reader *reader) {
    struct jpeg_decompress_struct *jpeg = &reader->jpeg;
    create(reader);
    jpeg_save_markers(jpeg, JPEG_APP0 + 1, 0xFFFF);
    jpeg_save_markers(jpeg, JPEG_APP0 + 2, 0xFFFF);
    jpeg_read_header(jpeg, TRUE);
    if (jpeg->data_precision != 8) {
        leave(
            reader,
            cc_fail(
                reader->message, CC_UNSUPPORTED, "it has %d bits per sample, not 8", jpeg->data_precision));
    }
    choose_output(reader);
    jpeg->dct_method = JDCT_ISLOW;
    jpeg->do_fancy_upsampling = TRUE;
    jpeg->scale_num = 1;
    jpeg->scale_denom = reader->reduction;
    jpeg_calc_output_dimensions(jpeg);

    cc_image *image = &reader->header.image;
    image->width = jpeg->output_width;
    image->height = jpeg->output_height;
    reader->header.is_progressive = jpeg->progressive_mode;
    image->decoder_bytes = jpeg_has_multiple_scans(jpeg) ? coefficient_bytes(jpeg) : 0;
    find_exif(jpeg, image);
    find_density(jpeg, image);
    find_profile(reader);
}

static cc_status start(cc_jpeg_reader *reader, cc_message *message) {
    const cc_status status = guard(reader, read_header, message);
    if (reader->file_has_ended) { cc_fail(message, status, "the file ends before its first row"); }
    return status;
}

cc_status cc_jpeg_open(
    cc_source source, unsigned reduction, cc_jpeg_reader **result, cc_jpeg_header *header,
    cc_message *message) {
    cc_jpeg_reader *reader = calloc(1, sizeof *reader);
    if (reader == NULL) { return cc_fail_memory(message); }
    reader->reduction = reduction;
    uint64_t size;
    cc_status status = cc_open(source, &reader->file, &size, message);
    if (status == CC_OK) { status = start(reader, message); }
    if (status != CC_OK) {
        cc_jpeg_close(reader);
        return status;
    }
    *result = reader;
    *header = reader->header;
    return CC_OK;
}

// Rows

static void begin(cc_jpeg_reader *reader) {
    struct jpeg_decompress_struct *jpeg = &reader->jpeg;
    if (jpeg->out_color_space == JCS_CMYK && !reader->keeps_inks) {
        reader->inks = malloc((size_t)jpeg->output_width * 4);
        if (reader->inks == NULL) { leave(reader, cc_fail_memory(reader->message)); }
    }
    jpeg_start_decompress(jpeg);
    reader->has_begun = true;
}

static void convert_inks(const cc_jpeg_reader *reader, uint8_t *rgb) {
    const uint8_t invert = reader->jpeg.saw_Adobe_marker ? 0 : 255;
    const uint8_t *ink = reader->inks;
    for (uint32_t i = 0; i < reader->jpeg.output_width; i++, ink += 4, rgb += 3) {
        const unsigned light = ink[3] ^ invert;
        for (int c = 0; c < 3; c++) { rgb[c] = cc_product(ink[c] ^ invert, light); }
    }
}

/// Inverts the inks of a file with an Adobe marker, which stores full ink as 0: full ink becomes 255.
static void set_inks_right(const cc_jpeg_reader *reader, uint8_t *row) {
    const uint8_t invert = reader->jpeg.saw_Adobe_marker ? 255 : 0;
    for (size_t i = 0; i < (size_t)reader->jpeg.output_width * 4; i++) { row[i] ^= invert; }
}

static void read_rows(cc_jpeg_reader *reader) {
    if (!reader->has_begun) { begin(reader); }
    for (size_t i = 0; i < reader->count; i++) {
        uint8_t *row = reader->rows + i * reader->stride;
        JSAMPROW line = reader->inks != NULL ? reader->inks : row;
        jpeg_read_scanlines(&reader->jpeg, &line, 1);
        if (reader->inks != NULL) { convert_inks(reader, row); }
        if (reader->keeps_inks) { set_inks_right(reader, row); }
    }
}

/// Prefixes libjpeg's reason with the position in the image.
static void locate(const cc_jpeg_reader *reader, cc_message *message) {
    const struct jpeg_decompress_struct *jpeg = &reader->jpeg;
    const cc_message reason = *message;
    const unsigned row = jpeg->output_scanline * reader->reduction;
    if (!reader->has_begun && reader->file_has_ended) {
        cc_fail(message, CC_DAMAGED, "the file ends in scan %d", jpeg->input_scan_number);
    } else if (!reader->has_begun) {
        cc_fail(message, CC_DAMAGED, "scan %d is damaged: %.150s", jpeg->input_scan_number, reason.text);
    } else {
        cc_fail_at_row(message, reader->file_has_ended, row, jpeg->image_height);
    }
}

static cc_status handle_rows(
    cc_jpeg_reader *reader, void (*step)(cc_jpeg_reader *), uint8_t *rows, size_t stride, size_t count,
    cc_message *message) {
    const uint32_t done = reader->has_begun ? reader->jpeg.output_scanline : 0;
    if (reader->has_failed || count > reader->header.image.height - done) {
        return cc_fail(message, CC_DAMAGED, "there are no more rows");
    }
    reader->rows = rows;
    reader->stride = stride;
    reader->count = count;
    const cc_status status = guard(reader, step, message);
    if (status == CC_DAMAGED) { locate(reader, message); }
    return status;
}

cc_status cc_jpeg_read_rows(
    cc_jpeg_reader *reader, uint8_t *rows, size_t stride, size_t count, cc_message *message) {
    return handle_rows(reader, read_rows, rows, stride, count, message);
}

/// Skipped rows that are decoded nevertheless, because they precede rows that are read. libjpeg needs a
/// quarter of them to interpolate chroma across rows of blocks.
enum { ROWS_BEFORE = 64 };

static void skip_rows(cc_jpeg_reader *reader) {
    if (!reader->has_begun) { begin(reader); }
    while (reader->count > ROWS_BEFORE) {
        const size_t count = reader->count - ROWS_BEFORE;
        reader->count -= jpeg_skip_scanlines(&reader->jpeg, (JDIMENSION)count);
    }
    read_rows(reader);
}

cc_status cc_jpeg_skip_rows(cc_jpeg_reader *reader, uint8_t *row, size_t count, cc_message *message) {
    return handle_rows(reader, skip_rows, row, 0, count, message);
}

static void read_end(cc_jpeg_reader *reader) { jpeg_finish_decompress(&reader->jpeg); }

cc_status cc_jpeg_read_end(cc_jpeg_reader *reader, cc_message *message) {
    const cc_status status = guard(reader, read_end, message);
    if (status == CC_DAMAGED && reader->file_has_ended) {
        cc_fail(message, status, "the file ends before its end marker");
    }
    return status;
}

void cc_jpeg_keep_inks(cc_jpeg_reader *reader) { reader->keeps_inks = true; }

void cc_jpeg_close(cc_jpeg_reader *reader) {
    jpeg_destroy_decompress(&reader->jpeg);  // harmless before jpeg_create_decompress: mem is NULL
    if (reader->file != NULL) { fclose(reader->file); }
    free(reader->inks);
    free(reader->profile);
    free(reader);
}
