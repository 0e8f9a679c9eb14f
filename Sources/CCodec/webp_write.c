#include <errno.h>
#include <stdlib.h>
#include <webp/decode.h>
#include <webp/encode.h>

#include "CCodec.h"
#include "message.h"

enum {
    // libwebp's effort, 0...6. For lossy files, 2 takes half the time of 4, and files are 6 % larger at the
    // same error. With 6, files are 3 % smaller, in 4 to 10 times the time.
    LOSSY_METHOD = 4,
    // For lossless files, 0 takes a quarter of the time, and more than twice the bytes for drawings. With 3,
    // files are 1 or 2 % smaller, in twice the time. 6 takes three times the time of 1, and is not smaller
    // than 3.
    LOSSLESS_METHOD = 1,
    // For lossless files, libwebp uses its quality, 0...100, as a second effort. With 20, drawings are a
    // sixth larger; 75 makes almost no difference.
    LOSSLESS_EFFORT = 50,
};

struct cc_webp_writer {
    WebPConfig config;
    WebPMemoryWriter memory;  // its buffer is kept from image to image
};

static void configure(WebPConfig *config, bool is_lossless, int quality) {
    config->lossless = is_lossless;
    config->quality = is_lossless ? LOSSLESS_EFFORT : (float)quality;
    config->method = is_lossless ? LOSSLESS_METHOD : LOSSY_METHOD;
    config->alpha_quality = 100;  // lossless
    // In a lossless file, a pixel with alpha 0 stays (0, 0, 0, 0), which costs a thousandth of the bytes. A
    // lossy file is smaller if such pixels may have any colour.
    config->exact = is_lossless;
}

cc_status cc_webp_writer_create(bool is_lossless, int quality, cc_webp_writer **result, cc_message *message) {
    cc_webp_writer *writer = calloc(1, sizeof *writer);
    if (writer == NULL) { return cc_fail_memory(message); }
    WebPMemoryWriterInit(&writer->memory);
    if (!WebPConfigInit(&writer->config)) {
        free(writer);
        return cc_fail(message, CC_UNSUPPORTED, "libwebp has a different version than its headers");
    }
    configure(&writer->config, is_lossless, quality);
    *result = writer;
    return CC_OK;
}

static cc_status fail(WebPEncodingError error, cc_message *message) {
    switch (error) {
    case VP8_ENC_ERROR_OUT_OF_MEMORY:
    case VP8_ENC_ERROR_BITSTREAM_OUT_OF_MEMORY:
    case VP8_ENC_ERROR_BAD_WRITE:  // to memory
    case VP8_ENC_OK:               // unreported failure: out of memory for alpha
        return cc_fail_memory(message);
    default: return cc_fail(message, CC_UNSUPPORTED, "libwebp gives up with error %d", (int)error);
    }
}

static bool encode(cc_webp_writer *writer, WebPPicture *picture, const uint8_t *rgba, bool is_opaque) {
    const int stride = picture->width * 4;
    const int is_taken = is_opaque ? WebPPictureImportRGBX(picture, rgba, stride)
                                   : WebPPictureImportRGBA(picture, rgba, stride);
    return is_taken && WebPEncode(&writer->config, picture);
}

/// Whether the encoded file contains all pixels.
static bool is_whole(const cc_webp_writer *writer) {
    int width, height;
    uint8_t *rgba = WebPDecodeRGBA(writer->memory.mem, writer->memory.size, &width, &height);
    WebPFree(rgba);
    return rgba != NULL;
}

cc_status cc_webp_write(
    cc_webp_writer *writer, const uint8_t *rgba, uint32_t width, uint32_t height, bool is_opaque,
    const uint8_t **bytes, size_t *size, cc_message *message) {
    WebPPicture picture;
    WebPPictureInit(&picture);  // WebPConfigInit has checked the version
    picture.use_argb = writer->config.lossless;
    picture.width = (int)width;
    picture.height = (int)height;
    picture.writer = WebPMemoryWrite;
    picture.custom_ptr = &writer->memory;
    writer->memory.size = 0;
    errno = 0;
    // libwebp may report success with half of an image if memory for the rest is refused. Then errno is
    // ENOMEM; but an allocator that finds memory elsewhere also sets it.
    const bool is_done = encode(writer, &picture, rgba, is_opaque) && (errno != ENOMEM || is_whole(writer));
    const WebPEncodingError error = picture.error_code;
    WebPPictureFree(&picture);
    if (!is_done) { return fail(error, message); }
    *bytes = writer->memory.mem;
    *size = writer->memory.size;
    return CC_OK;
}

void cc_webp_writer_destroy(cc_webp_writer *writer) {
    WebPMemoryWriterClear(&writer->memory);
    free(writer);
}
