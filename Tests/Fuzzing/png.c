// The PNG reader, and the colour conversion of its rows.

#include "CCodec.h"
#include "fuzzing.h"

static void read_all(cc_png_reader *reader, const cc_png_header *header, size_t depth) {
    const size_t row = (size_t)header->image.width * header->image.bytes_per_pixel * depth;
    if (row > LARGEST_IMAGE || row * header->image.height > LARGEST_IMAGE) { return; }
    cc_message message;
    uint8_t *pixels = malloc(row);
    for (uint32_t y = 0; y < header->image.height; y++) {
        if (cc_png_read_rows(reader, pixels, row, 1, &message) != CC_OK) { break; }
    }
    free(pixels);
}

static void read_file(const uint8_t *bytes, size_t size, bool keeps_depth) {
    cc_png_reader *reader;
    cc_png_header header;
    cc_message message;
    const cc_source source = {.bytes = bytes, .size = size};
    if (cc_png_open(source, &reader, &header, &message) != CC_OK) { return; }
    const bool is_deep = keeps_depth && header.bit_depth == 16;
    if (is_deep) { cc_png_keep_depth(reader, &header); }
    read_all(reader, &header, is_deep ? 2 : 1);
    cc_png_close(reader);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    if (size == 0) { return 0; }
    read_file(bytes, size, false);
    read_file(bytes, size, true);
    return 0;
}
