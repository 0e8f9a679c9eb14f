// The TIFF reader: directories, tags, and pixels in every form. libtiff itself is not instrumented.

#include <math.h>

#include "CCodec.h"
#include "fuzzing.h"

/// The pixels are limited, since a file of a few hundred bytes can claim any number of them.
enum { DIRECTORIES = 16, TAGS_OF_POSITION = 6, MOST_PIXELS = 1 << 16 };

/// The tags of GeoTIFF; reading them must be safe, whether they contain numbers or text.
static const uint32_t tags[TAGS_OF_POSITION] = {33550, 33922, 34264, 34735, 34736, 34737};

static size_t read_tags(const cc_tiff_reader *reader) {
    double numbers[16];
    size_t sum = 0;
    for (size_t i = 0; i < TAGS_OF_POSITION; i++) {
        size_t size = 0;
        cc_tiff_numbers(reader, tags[i], numbers, 16);
        const char *text = cc_tiff_text(reader, tags[i], &size);
        // Every byte is read, for the sanitizer to see.
        for (size_t k = 0; text != NULL && k < size; k++) { sum += (unsigned char)text[k]; }
    }
    return sum;
}

/// A form with one colour and four bands, the last as alpha if the file has enough samples.
static cc_tiff_form form_of(cc_tiff_color color, const cc_tiff_header *header) {
    cc_tiff_form form = {
        .color = color,
        .bands = {0, 1, 2, 3},
        .alpha = -1,
        .is_premultiplied = true,
        .low = 0,
        .high = 255,
        .has_nodata = header->has_nodata,
        .nodata = header->nodata,
        .bytes_per_pixel = 4,
    };
    if (color == CC_TIFF_PALETTE) { form.bands[3] = 0; }
    const int colors = color == CC_TIFF_RGB || color == CC_TIFF_LAB ? 3 : 1;
    if (color < CC_TIFF_PALETTE && header->samples > colors) { form.alpha = header->samples - 1; }
    return form;
}

/// Reads the whole image, then a part of it, and its range.
static void read_pixels(cc_tiff_reader *reader, const cc_tiff_header *header) {
    const uint32_t width = header->width, height = header->height;
    const size_t row = (size_t)width * 4;
    uint8_t *pixels = malloc(row * height);
    cc_message message;
    cc_tiff_survey survey = {.low = INFINITY, .high = -INFINITY, .upper = -1};
    cc_tiff_task task = {.width = width, .height = height, .pixels = pixels, .stride = row};
    cc_status status = cc_tiff_read(reader, &task, &message);
    if (status == CC_OK && !header->is_sequential) {
        const cc_tiff_task part = {
            .column = width / 2,
            .row = height / 3,
            .width = width - width / 2,
            .height = 1,
            .pixels = pixels,
            .stride = row,
        };
        status = cc_tiff_read(reader, &part, &message);
        task.survey = &survey;
        if (status == CC_OK) { cc_tiff_read(reader, &task, &message); }
    }
    free(pixels);
}

static void read_color(const char *path, uint64_t offset, uint64_t mask, cc_tiff_color color) {
    cc_tiff_reader *reader, *duplicate;
    cc_tiff_header header;
    cc_message message;
    if (cc_tiff_open(path, offset, NULL, &reader, &header, &message) != CC_OK) { return; }
    const cc_tiff_form form = form_of(color, &header);
    const bool is_small =
        (uint64_t)header.width * header.height <= MOST_PIXELS && header.block_bytes <= LARGEST_IMAGE;
    read_tags(reader);
    if (is_small && cc_tiff_set_form(reader, &form, &message) == CC_OK
        && (mask == 0 || cc_tiff_set_mask(reader, NULL, mask, 0, &message) == CC_OK)) {
        if (cc_tiff_duplicate(reader, &duplicate, &message) == CC_OK) {
            read_pixels(duplicate, &header);
            cc_tiff_close(duplicate);
        }
    }
    cc_tiff_close(reader);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    const char *path = file_of(bytes, size);
    cc_tiff_directory directories[DIRECTORIES];
    size_t count;
    cc_message message;
    if (cc_tiff_list(path, directories, DIRECTORIES, &count, &message) != CC_OK) { return 0; }
    for (size_t i = 0; i < count && i < 3; i++) {
        for (cc_tiff_color color = CC_TIFF_GRAY; color <= CC_TIFF_CMYK; color++) {
            read_color(path, directories[i].offset, 0, color);
        }
        read_color(path, directories[i].offset, 0, CC_TIFF_LAB);
        if (i > 0) { read_color(path, directories[0].offset, directories[i].offset, 0); }
    }
    return 0;
}
