// The reader of WebP files, as tiles and as images.

#include "CCodec.h"
#include "fuzzing.h"

/// Reads bytes to which the header points, which must be in the file.
static uint8_t sum_of(const uint8_t *bytes, size_t size) {
    uint8_t sum = 0;
    for (size_t i = 0; i < size; i++) { sum ^= bytes[i]; }
    return sum;
}

static void read_file(cc_source source, bool is_tile) {
    cc_webp_reader *reader;
    cc_webp_header header;
    cc_message message;
    if (cc_webp_open(source, &reader, &header, &message) != CC_OK) { return; }
    if (is_tile) { cc_webp_prefer_rgba(reader, &header); }
    const cc_image *image = &header.image;
    static volatile uint8_t sum;
    sum = sum_of(image->exif, image->exif_size) ^ sum_of(image->color.profile, image->color.profile_size);
    const size_t row = (size_t)image->width * image->bytes_per_pixel;
    if (row * image->height <= LARGEST_IMAGE) {
        uint8_t *pixels = malloc(row * image->height);
        // All rows at once, or one by one, which takes another way.
        const uint32_t count = is_tile ? image->height : 1;
        for (uint32_t y = 0; y < image->height; y += count) {
            if (cc_webp_read_rows(reader, pixels + y * row, row, count, &message) != CC_OK) { break; }
        }
        free(pixels);
    }
    cc_webp_close(reader);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    if (size == 0) { return 0; }
    read_file((cc_source){.bytes = bytes, .size = size}, true);
    read_file((cc_source){.path = file_of(bytes, size)}, false);
    return 0;
}
