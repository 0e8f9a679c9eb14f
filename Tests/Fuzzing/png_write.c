// The PNG writer: libpng must decode the file to the same pixels.

#include <png.h>
#include <string.h>

#include "CCodec.h"
#include "fuzzing.h"

enum { MOST_COLUMNS = 300, MOST_BYTES = MOST_COLUMNS * MOST_COLUMNS * 4 };

/// Paints runs, repeated rows and noise from the input, so that a few bytes make a large drawing.
static void paint(const uint8_t *bytes, size_t size, uint32_t width, uint32_t height, uint8_t *rgba) {
    const size_t count = (size_t)width * height;
    size_t done = 0;
    for (size_t i = 0; done < count; i += 4) {
        uint8_t next[4] = {0};
        for (size_t k = 0; k < 4 && size > 0; k++) { next[k] = bytes[(i + k) % size]; }
        size_t run = (size_t)(next[3] & 63) + 1;
        if (run > count - done) { run = count - done; }
        const bool repeats = (next[3] & 64) != 0 && done >= width;
        for (; run > 0; run--, done++) {
            uint8_t *pixel = rgba + done * 4;
            const uint8_t painted[4] = {next[0], next[1], next[2], (next[3] & 128) != 0 ? next[2] : 255};
            memcpy(pixel, repeats ? pixel - (size_t)width * 4 : painted, 4);
        }
    }
}

static void expect_same(const uint8_t *file, size_t size, const uint8_t *rgba, size_t count) {
    static uint8_t decoded[MOST_BYTES];
    png_image image = {.version = PNG_IMAGE_VERSION};
    if (!png_image_begin_read_from_memory(&image, file, size)) { abort(); }
    image.format = PNG_FORMAT_RGBA;
    if (!png_image_finish_read(&image, NULL, decoded, 0, NULL)) { abort(); }
    if (memcmp(decoded, rgba, count) != 0) { abort(); }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    static uint8_t rgba[MOST_BYTES];
    if (size < 3) { return 0; }
    const uint32_t width = bytes[0] + 1u + (bytes[2] & 3) * 11, height = bytes[1] + 1u;
    paint(bytes + 3, size - 3, width, height, rgba);
    cc_png_writer *writer;
    cc_message message;
    if (cc_png_writer_create((cc_png_effort)(bytes[2] >> 2) % 3, width, height, &writer, &message) != CC_OK) {
        return 0;
    }
    const uint8_t *file;
    size_t file_size;
    if (cc_png_write(writer, rgba, false, &file, &file_size, &message) != CC_OK) { abort(); }
    expect_same(file, file_size, rgba, (size_t)width * height * 4);
    cc_png_writer_destroy(writer);
    return 0;
}
