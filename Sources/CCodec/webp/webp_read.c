#include <webp/decode.h>

#include "CCodec.h"
#include "../message.h"

static cc_status check(VP8StatusCode code, cc_message *message) {
    switch (code) {
    case VP8_STATUS_OK: return CC_OK;
    case VP8_STATUS_OUT_OF_MEMORY: return cc_fail(message, CC_OUT_OF_MEMORY, "out of memory");
    case VP8_STATUS_UNSUPPORTED_FEATURE:
        return cc_fail(message, CC_UNSUPPORTED, "it is of a kind of WebP that is not read");
    case VP8_STATUS_SUSPENDED:
    case VP8_STATUS_NOT_ENOUGH_DATA:
        return cc_fail(message, CC_DAMAGED, "the file ends within its image data");
    default: return cc_fail(message, CC_DAMAGED, "its image data is damaged");
    }
}

cc_status cc_webp_read_size(
    const uint8_t *bytes, size_t size, uint32_t *width, uint32_t *height, cc_message *message) {
    WebPBitstreamFeatures features;
    const cc_status status = check(WebPGetFeatures(bytes, size, &features), message);
    if (status != CC_OK) { return status; }
    if (features.has_animation) { return cc_fail(message, CC_UNSUPPORTED, "it is an animation"); }
    *width = (uint32_t)features.width;
    *height = (uint32_t)features.height;
    return CC_OK;
}

cc_status cc_webp_decode(
    const uint8_t *bytes, size_t size, uint8_t *rgba, size_t capacity, cc_message *message) {
    WebPDecoderConfig config;
    if (!WebPInitDecoderConfig(&config)) {
        return cc_fail(message, CC_UNSUPPORTED, "libwebp is of another version than its headers");
    }
    const cc_status status = check(WebPGetFeatures(bytes, size, &config.input), message);
    if (status != CC_OK) { return status; }
    config.output.colorspace = MODE_RGBA;
    config.output.is_external_memory = 1;
    config.output.u.RGBA.rgba = rgba;
    config.output.u.RGBA.stride = config.input.width * 4;
    config.output.u.RGBA.size = capacity;
    return check(WebPDecode(bytes, size, &config), message);
}
