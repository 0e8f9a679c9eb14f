#include <errno.h>
#include <webp/decode.h>

#include "CCodec.h"
#include "../message.h"

/// libwebp calls some of its failures to get memory damage.
static cc_status check(VP8StatusCode code, cc_message *message) {
    if (code != VP8_STATUS_OK && errno == ENOMEM) { return cc_fail_memory(message); }
    switch (code) {
    case VP8_STATUS_OK: return CC_OK;
    case VP8_STATUS_NOT_ENOUGH_DATA:
    case VP8_STATUS_SUSPENDED: return cc_fail(message, CC_DAMAGED, "the file ends within its image data");
    default: return cc_fail(message, CC_DAMAGED, "its image data is damaged");
    }
}

cc_status cc_webp_read_size(
    const uint8_t *bytes, size_t size, uint32_t *width, uint32_t *height, cc_message *message) {
    WebPBitstreamFeatures features;
    errno = 0;
    const cc_status status = check(WebPGetFeatures(bytes, size, &features), message);
    if (status != CC_OK) { return status; }
    if (features.has_animation) { return cc_fail(message, CC_UNSUPPORTED, "it is an animation"); }
    *width = (uint32_t)features.width;
    *height = (uint32_t)features.height;
    return CC_OK;
}

cc_status cc_webp_decode(
    const uint8_t *bytes, size_t size, uint32_t width, uint32_t height, uint8_t *rgba, cc_message *message) {
    WebPDecoderConfig config;
    if (!WebPInitDecoderConfig(&config)) {
        return cc_fail(message, CC_UNSUPPORTED, "libwebp is of another version than its headers");
    }
    config.output.colorspace = MODE_RGBA;
    config.output.is_external_memory = 1;
    config.output.u.RGBA.rgba = rgba;
    config.output.u.RGBA.stride = (int)width * 4;
    config.output.u.RGBA.size = (size_t)width * height * 4;
    errno = 0;
    return check(WebPDecode(bytes, size, &config), message);
}
