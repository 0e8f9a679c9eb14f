// Colour profiles, for every kind of pixels.

#include "CCodec.h"
#include "fuzzing.h"

static void convert(const uint8_t *bytes, size_t size, cc_pixel_form form) {
    const cc_color_tags tags = {.profile = bytes, .profile_size = size};
    cc_color *color;
    cc_color_summary summary;
    cc_message message;
    if (cc_color_create(&tags, form, &color, &summary, &message) != CC_OK || color == NULL) { return; }
    uint16_t pixels[4 * 100];  // or 5 samples of 8 bits
    uint8_t result[4 * 100];
    for (size_t i = 0; i < 4 * 100; i++) { pixels[i] = (uint16_t)(i * 40503); }
    cc_color_convert(color, pixels, 100, result);
    cc_color_destroy(color);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    convert(bytes, size, (cc_pixel_form){CC_SPACE_GRAY, 1, 8});
    convert(bytes, size, (cc_pixel_form){CC_SPACE_RGB, 4, 16});
    convert(bytes, size, (cc_pixel_form){CC_SPACE_CMYK, 4, 8});
    convert(bytes, size, (cc_pixel_form){CC_SPACE_CMYK, 5, 8});
    return 0;
}
