// The JPEG reader, whole and reduced.

#include "CCodec.h"
#include "fuzzing.h"

static void read_all(cc_jpeg_reader *reader, const cc_jpeg_header *header) {
    const size_t row = (size_t)header->image.width * 4;
    if (row * header->image.height > LARGEST_IMAGE || header->image.decoder_bytes > LARGEST_IMAGE) { return; }
    cc_message message;
    cc_status status = CC_OK;
    uint8_t *pixels = malloc(row);
    for (uint32_t y = 0; y < header->image.height && status == CC_OK; y++) {
        status = cc_jpeg_read_rows(reader, pixels, row, 1, &message);
    }
    if (status == CC_OK) { cc_jpeg_read_end(reader, &message); }
    free(pixels);
}

static void read_file(cc_source source, unsigned reduction, bool keeps_inks) {
    cc_jpeg_reader *reader;
    cc_jpeg_header header;
    cc_message message;
    if (cc_jpeg_open(source, reduction, &reader, &header, &message) != CC_OK) { return; }
    const bool has_inks = header.color == CC_JPEG_CMYK || header.color == CC_JPEG_YCCK;
    if (has_inks && keeps_inks) { cc_jpeg_keep_inks(reader); }
    read_all(reader, &header);
    cc_jpeg_close(reader);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    if (size > 0) { read_file((cc_source){.bytes = bytes, .size = size}, 1, false); }
    read_file((cc_source){.path = file_of(bytes, size)}, 8, true);
    return 0;
}
