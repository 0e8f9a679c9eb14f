// The decoding of WebP tiles.

#include "CCodec.h"
#include "fuzzing.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    uint32_t width, height;
    cc_message message;
    if (cc_webp_read_size(bytes, size, &width, &height, &message) != CC_OK) { return 0; }
    const size_t capacity = (size_t)width * height * 4;
    if (capacity > LARGEST_IMAGE) { return 0; }
    uint8_t *rgba = malloc(capacity);
    cc_webp_decode(bytes, size, width, height, rgba, &message);
    free(rgba);
    return 0;
}
