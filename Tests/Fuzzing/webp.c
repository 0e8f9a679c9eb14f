// The decoding of WebP tiles, and the reader of WebP files.

#include "CCodec.h"
#include "fuzzing.h"

static void decode_tile(const uint8_t *bytes, size_t size) {
    uint32_t width, height;
    cc_message message;
    if (cc_webp_read_size(bytes, size, &width, &height, &message) != CC_OK) { return; }
    const size_t capacity = (size_t)width * height * 4;
    if (capacity > LARGEST_IMAGE) { return; }
    uint8_t *rgba = malloc(capacity);
    cc_webp_decode(bytes, size, width, height, rgba, &message);
    free(rgba);
}

/// Reads bytes to which the header points, which must be in the file.
static uint8_t sum_of(const uint8_t *bytes, size_t size) {
    uint8_t sum = 0;
    for (size_t i = 0; i < size; i++) { sum ^= bytes[i]; }
    return sum;
}

static void read_file(const uint8_t *bytes, size_t size) {
    cc_webp_reader *reader;
    cc_webp_header header;
    cc_message message;
    if (cc_webp_open(file_of(bytes, size), &reader, &header, &message) != CC_OK) { return; }
    const cc_image *image = &header.image;
    static volatile uint8_t sum;
    sum = sum_of(image->exif, image->exif_size) ^ sum_of(image->color.profile, image->color.profile_size);
    const size_t row = (size_t)image->width * image->bytes_per_pixel;
    if (row * image->height <= LARGEST_IMAGE) {
        uint8_t *pixels = malloc(row * image->height);
        cc_webp_read_rows(reader, pixels, row, image->height, &message);
        free(pixels);
    }
    cc_webp_close(reader);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    decode_tile(bytes, size);
    if (size > 0) { read_file(bytes, size); }
    return 0;
}
