#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <webp/decode.h>
#include <webp/encode.h>

#include "shared.h"

// A WebP file is a RIFF container: https://developers.google.com/speed/webp/docs/riff_container

enum {
    // Even the largest lossless image, 16383 x 16383 pixels, is hardly larger.
    LARGEST_FILE = 1 << 30,
    RIFF_HEADER = 12,
    CHUNK_HEADER = 8,
    // Memory in addition to the rows: tables of codes, and some rows.
    FIXED_BYTES = 4 << 20,
};

struct cc_webp_reader {
    uint8_t *bytes;
    size_t size;
    cc_webp_header header;
    uint8_t *rows;
    bool has_failed;
    uint32_t next_row;
};

// Images in memory

/// errno must be 0 before the call to libwebp: when memory runs out, libwebp sometimes reports damage.
static cc_status check(VP8StatusCode code, cc_message *message) {
    if (code == VP8_STATUS_OK) { return CC_OK; }
    if (code == VP8_STATUS_OUT_OF_MEMORY || errno == ENOMEM) { return cc_fail_memory(message); }
    if (code == VP8_STATUS_NOT_ENOUGH_DATA || code == VP8_STATUS_SUSPENDED) {
        return cc_fail(message, CC_DAMAGED, "the file ends within its image data");
    }
    return cc_fail(message, CC_DAMAGED, "its image data is damaged");
}

/// Decodes to rows of 3 or 4 bytes per pixel.
static cc_status decode(const cc_webp_reader *reader, uint8_t *rows, size_t stride, cc_message *message) {
    const cc_image *image = &reader->header.image;
    WebPDecoderConfig config;
    if (!WebPInitDecoderConfig(&config)) {
        return cc_fail(message, CC_UNSUPPORTED, "libwebp has a different version than its headers");
    }
    config.output.colorspace = image->bytes_per_pixel == 4 ? MODE_RGBA : MODE_RGB;
    config.output.is_external_memory = 1;
    config.output.u.RGBA.rgba = rows;
    config.output.u.RGBA.stride = (int)stride;
    config.output.u.RGBA.size = stride * (image->height - 1) + (size_t)image->width * image->bytes_per_pixel;
    errno = 0;
    return check(WebPDecode(reader->bytes, reader->size, &config), message);
}

// The container

static uint32_t number(const uint8_t bytes[4]) {
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

/// The content of the first chunk with a name, or NULL.
static const uint8_t *find_chunk(const cc_webp_reader *reader, const char name[4], size_t *size) {
    for (size_t place = RIFF_HEADER; place < reader->size && reader->size - place >= CHUNK_HEADER;) {
        const uint8_t *chunk = reader->bytes + place;
        const size_t length = number(chunk + 4), left = reader->size - place - CHUNK_HEADER;
        if (length > left) { return NULL; }
        if (memcmp(chunk, name, 4) == 0) {
            *size = length;
            return chunk + CHUNK_HEADER;
        }
        // Chunks with an odd size are padded.
        place += CHUNK_HEADER + length + (length & 1);
    }
    return NULL;
}

static void find_metadata(cc_webp_reader *reader) {
    static const uint8_t name[6] = "Exif\0";
    cc_image *image = &reader->header.image;
    image->color.profile = find_chunk(reader, "ICCP", &image->color.profile_size);
    image->exif = find_chunk(reader, "EXIF", &image->exif_size);
    // Some writers prefix the block as in a JPEG.
    if (image->exif != NULL && image->exif_size > sizeof name
        && memcmp(image->exif, name, sizeof name) == 0) {
        image->exif += sizeof name;
        image->exif_size -= sizeof name;
    }
}

// The header

/// Memory for all rows, and for intermediate data: four bytes per pixel for a lossless image, five for a
/// lossy image with alpha.
static uint64_t decoder_bytes(const cc_webp_reader *reader) {
    const cc_webp_header *header = &reader->header;
    const uint64_t pixels = (uint64_t)header->image.width * header->image.height;
    const unsigned before = header->is_lossless ? 4 : header->image.bytes_per_pixel == 4 ? 5 : 0;
    return pixels * (header->image.bytes_per_pixel + before) + reader->size + FIXED_BYTES;
}

static cc_status read_header(cc_webp_reader *reader, cc_message *message) {
    WebPBitstreamFeatures features = {0};
    cc_webp_header *header = &reader->header;
    errno = 0;
    const cc_status status = check(WebPGetFeatures(reader->bytes, reader->size, &features), message);
    if (status != CC_OK) { return status; }
    header->is_animated = features.has_animation;
    if (header->is_animated) { return cc_fail(message, CC_UNSUPPORTED, "it is an animation"); }
    header->image.width = (uint32_t)features.width;
    header->image.height = (uint32_t)features.height;
    header->is_lossless = features.format == 2;
    header->image.bytes_per_pixel = features.has_alpha ? 4 : 3;
    header->image.decoder_bytes = decoder_bytes(reader);
    find_metadata(reader);
    return CC_OK;
}

cc_status cc_webp_open(
    cc_source source, cc_webp_reader **result, cc_webp_header *header, cc_message *message) {
    *header = (cc_webp_header){0};
    cc_webp_reader *reader = calloc(1, sizeof *reader);
    if (reader == NULL) { return cc_fail_memory(message); }
    cc_status status = cc_load(source, LARGEST_FILE, &reader->bytes, &reader->size, message);
    if (status == CC_OK) { status = read_header(reader, message); }
    *header = reader->header;
    if (status != CC_OK) {
        cc_webp_close(reader);
        return status;
    }
    *result = reader;
    return CC_OK;
}

void cc_webp_prefer_rgba(cc_webp_reader *reader, cc_webp_header *header) {
    header->image.bytes_per_pixel = reader->header.image.bytes_per_pixel = 4;
}

// Rows

cc_status cc_webp_read_rows(
    cc_webp_reader *reader, uint8_t *rows, size_t stride, size_t count, cc_message *message) {
    const cc_image *image = &reader->header.image;
    if (reader->has_failed || count > image->height - reader->next_row) {
        return cc_fail(message, CC_DAMAGED, "there are no more rows");
    }
    const size_t size = (size_t)image->width * image->bytes_per_pixel;
    const bool takes_all = count == image->height && count > 0;
    cc_status status = CC_OK;
    if (takes_all) {
        status = decode(reader, rows, stride, message);
        reader->next_row = image->height;
    } else if (reader->rows == NULL && count > 0) {
        reader->rows = malloc(size * image->height);
        status = reader->rows != NULL ? decode(reader, reader->rows, size, message) : cc_fail_memory(message);
    }
    reader->has_failed = status != CC_OK;
    for (size_t i = 0; i < count && status == CC_OK && !takes_all; i++) {
        memcpy(rows + i * stride, reader->rows + reader->next_row++ * size, size);
    }
    return status;
}

void cc_webp_close(cc_webp_reader *reader) {
    free(reader->bytes);
    free(reader->rows);
    free(reader);
}

// Writing

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
