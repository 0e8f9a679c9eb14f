// The reader of HEIC and AVIF files, with libheif and its decoders.

#include "CCodec.h"
#include "fuzzing.h"

static void read_all(cc_heif_reader *reader, const cc_heif_header *header) {
    const size_t row = (size_t)header->image.width * header->image.bytes_per_pixel * 2;
    if (row > LARGEST_IMAGE || row * header->image.height > LARGEST_IMAGE) { return; }
    cc_message message;
    uint8_t *pixels = malloc(row);
    for (uint32_t y = 0; y < header->image.height; y++) {
        if (cc_heif_read_rows(reader, pixels, row, 1, &message) != CC_OK) { break; }
    }
    free(pixels);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    cc_heif_reader *reader;
    cc_heif_header header;
    cc_message message;
    const cc_source source = {.bytes = bytes, .size = size};
    if (size == 0 || cc_heif_open(source, &reader, &header, &message) != CC_OK) { return 0; }
    if (size % 2 == 1) { cc_heif_keep_depth(reader); }
    read_all(reader, &header);
    cc_heif_close(reader);
    return 0;
}
