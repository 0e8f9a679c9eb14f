// The JPEG reader, whole and reduced.

#include "CCodec.h"
#include "fuzzing.h"

static void read_all(cc_jpeg_reader *reader, const cc_jpeg_header *header) {
    const size_t row = (size_t)header->image.width * 4;
    if (row * header->image.height > LARGEST_IMAGE
        || header->image.decoder_bytes > LARGEST_IMAGE) {
        return;
    }
    cc_message message;
    uint8_t *pixels = malloc(row);
    for (uint32_t y = 0; y < header->image.height; y++) {
        if (cc_jpeg_read_rows(reader, pixels, row, 1, &message) != CC_OK) { break; }
    }
    free(pixels);
}

static void read_file(const char *path, unsigned reduction, bool keeps_inks) {
    cc_jpeg_reader *reader;
    cc_jpeg_header header;
    cc_message message;
    if (cc_jpeg_open(path, reduction, &reader, &header, &message) != CC_OK) { return; }
    const bool has_inks = header.color == CC_JPEG_CMYK || header.color == CC_JPEG_YCCK;
    if (keeps_inks && has_inks) { cc_jpeg_keep_inks(reader); }
    read_all(reader, &header);
    cc_jpeg_close(reader);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    const char *path = file_of(bytes, size);
    read_file(path, 1, false);
    read_file(path, 8, true);
    return 0;
}
