#include "heif_tile.h"

#include <errno.h>
#include <libheif/heif.h>
#include <stdlib.h>
#include <string.h>

#include "heif_bitstream.h"
#include "heif_guard.h"
#include "../message.h"

enum {
    HVC1 = 0x68766331,
    // libheif itself takes 512 MB at most.
    LARGEST_DATA = 512 << 20,
    // Of the boxes around data and configuration.
    ROOM = 512,
};

// libheif

static cc_status fail_decoder(uint32_t codec, cc_heif_obstacle *obstacle, cc_message *message) {
    *obstacle = codec == HVC1 ? CC_HEIF_NO_HEVC_DECODER : CC_HEIF_NO_AV1_DECODER;
    return cc_fail(
        message, CC_UNSUPPORTED, "libheif %s has no decoder for %s here", heif_get_version(),
        codec == HVC1 ? "HEVC" : "AV1");
}

/// A question to libheif.
typedef struct search {
    uint32_t codec;
    bool has_decoder;
} search;

static void find_decoder(void *argument) {
    search *search = argument;
#if LIBHEIF_HAVE_VERSION(1, 14, 0)
    heif_init(NULL);  // loads plug-ins, which decoders may be
#endif
    search->has_decoder =
        heif_have_decoder_for_format(search->codec == HVC1 ? heif_compression_HEVC : heif_compression_AV1);
}

cc_status cc_heif_check_decoder(uint32_t codec, cc_heif_obstacle *obstacle, cc_message *message) {
    if (heif_get_version() == NULL) {
        *obstacle = CC_HEIF_NO_LIBRARY;
        return cc_fail(message, CC_UNSUPPORTED, "libheif, which decodes it, cannot be loaded");
    }
    search search = {.codec = codec};
    if (cc_heif_guard(find_decoder, &search) != CC_HEIF_RETURNED) { return cc_fail_memory(message); }
    return search.has_decoder ? CC_OK : fail_decoder(codec, obstacle, message);
}

// A file of one image

typedef struct writer {
    uint8_t *bytes;
    size_t size;
} writer;

static void put(writer *file, uint64_t number, unsigned bytes) {
    for (unsigned i = bytes; i > 0; i--) { file->bytes[file->size++] = (uint8_t)(number >> (8 * (i - 1))); }
}

static void put_bytes(writer *file, const uint8_t *bytes, size_t size) {
    if (size > 0) { memcpy(file->bytes + file->size, bytes, size); }
    file->size += size;
}

/// Begins a box; returns where.
static size_t begin(writer *file, uint32_t type) {
    put(file, 0, 4);
    put(file, type, 4);
    return file->size - 8;
}

/// Begins a full box, of version and flags.
static size_t begin_full(writer *file, uint32_t type, uint32_t version_and_flags) {
    const size_t start = begin(file, type);
    put(file, version_and_flags, 4);
    return start;
}

static void end(writer *file, size_t start) {
    writer place = {file->bytes, start};
    put(&place, file->size - start, 4);
}

static void put_head(writer *file, uint32_t codec) {
    const uint32_t brand = codec == HVC1 ? CC_FOURCC('h', 'e', 'i', 'c') : CC_FOURCC('a', 'v', 'i', 'f');
    const size_t box = begin(file, CC_FOURCC('f', 't', 'y', 'p'));
    put(file, brand, 4);
    put(file, 0, 4);
    put(file, CC_FOURCC('m', 'i', 'f', '1'), 4);
    put(file, brand, 4);
    end(file, box);
}

/// One item of ID 1, a picture, the primary one.
static void put_item(writer *file, uint32_t codec) {
    size_t box = begin_full(file, CC_FOURCC('h', 'd', 'l', 'r'), 0);
    put(file, 0, 4);
    put(file, CC_FOURCC('p', 'i', 'c', 't'), 4);
    put(file, 0, 8);
    put(file, 0, 5);  // three reserved numbers in all, and an empty name
    end(file, box);
    box = begin_full(file, CC_FOURCC('p', 'i', 't', 'm'), 0);
    put(file, 1, 2);
    end(file, box);
    box = begin_full(file, CC_FOURCC('i', 'i', 'n', 'f'), 0);
    put(file, 1, 2);
    const size_t entry = begin_full(file, CC_FOURCC('i', 'n', 'f', 'e'), 2 << 24);
    put(file, 1, 2);
    put(file, 0, 2);
    put(file, codec, 4);
    put(file, 0, 1);
    end(file, entry);
    end(file, box);
}

/// Whether this release gives out luma and chroma as they are coded.
///
/// Earlier ones give out RGB only, made of chroma that is repeated, and samples of limited range come out off
/// by more than one.
static bool gives_planes(void) { return heif_get_version_number() >= 0x01130000; }

/// Names a matrix with which the planes come out as they are coded, whatever they mean: that of RGB, so that
/// they are copied as green, blue and red; or, from a release that gives out planes, the one that it wants
/// anyway.
static void put_matrix(writer *file) {
    const size_t box = begin(file, CC_FOURCC('c', 'o', 'l', 'r'));
    put(file, CC_FOURCC('n', 'c', 'l', 'x'), 4);
    put(file, 1, 2);
    put(file, 13, 2);
    put(file, gives_planes() ? 6 : 0, 2);
    put(file, 0x80, 1);
    end(file, box);
}

static void put_properties(writer *file, const cc_heif_layer *layer, const cc_box *configuration) {
    const size_t box = begin(file, CC_FOURCC('i', 'p', 'r', 'p'));
    const size_t list = begin(file, CC_FOURCC('i', 'p', 'c', 'o'));
    size_t property = begin(file, configuration->type);
    put_bytes(file, configuration->content.next, cc_cursor_left(&configuration->content));
    end(file, property);
    property = begin_full(file, CC_FOURCC('i', 's', 'p', 'e'), 0);
    put(file, layer->tile_width, 4);
    put(file, layer->tile_height, 4);
    end(file, property);
    put_matrix(file);
    end(file, list);
    const size_t links = begin_full(file, CC_FOURCC('i', 'p', 'm', 'a'), 0);
    put(file, 1, 4);
    put(file, 1, 2);
    put(file, 3, 1);
    put(file, 0x8102, 2);  // the configuration is essential
    put(file, 3, 1);
    end(file, links);
    end(file, box);
}

/// Writes all that stands before the data.
static void put_description(
    writer *file, const cc_heif_layer *layer, const cc_box *configuration, size_t data_size) {
    put_head(file, layer->codec);
    const size_t meta = begin_full(file, CC_FOURCC('m', 'e', 't', 'a'), 0);
    put_item(file, layer->codec);
    put_properties(file, layer, configuration);
    const size_t location = begin_full(file, CC_FOURCC('i', 'l', 'o', 'c'), 0);
    put(file, 0x4400, 2);
    put(file, 1, 2);
    put(file, 1, 2);
    put(file, 0, 2);
    put(file, 1, 2);
    const size_t offset = file->size;
    put(file, 0, 4);
    put(file, data_size, 4);
    end(file, location);
    end(file, meta);
    put(file, data_size + 8, 4);
    put(file, CC_FOURCC('m', 'd', 'a', 't'), 4);
    writer place = {file->bytes, offset};
    put(&place, file->size, 4);
}

static cc_status make_file(
    const cc_heif_file *file, const cc_heif_layer *layer, const cc_item *tile, cc_heif_job *job,
    cc_message *message) {
    cc_box configuration;
    uint64_t size;
    cc_status status = cc_heif_item_size(file, tile, &size, message);
    if (status != CC_OK) { return status; }
    if (!cc_heif_configuration(&file->meta, tile, &configuration)) {
        return cc_fail(message, CC_DAMAGED, "an image does not say how it is coded");
    }
    if (size > LARGEST_DATA) {
        return cc_fail(message, CC_UNSUPPORTED, "an image has more than %d MB of data", LARGEST_DATA >> 20);
    }
    writer made = {malloc(ROOM + cc_cursor_left(&configuration.content) + (size_t)size), 0};
    if (made.bytes == NULL) { return cc_fail_memory(message); }
    job->file = made.bytes;
    put_description(&made, layer, &configuration, (size_t)size);
    status = cc_heif_read_item(file, tile, made.bytes + made.size, message);
    if (status != CC_OK) { return status; }
    job->file_size = made.size + (size_t)size;
    const cc_cursor data = {made.bytes + made.size, made.bytes + job->file_size, false};
    return cc_heif_inspect(
        &configuration, data, layer->tile_width, layer->tile_height, &job->points, message);
}

cc_status cc_heif_prepare(
    const cc_heif_file *file, const cc_heif_layer *layer, const cc_item *tile, cc_heif_job *job,
    cc_message *message) {
    job->codec = layer->codec;
    job->width = layer->tile_width;
    job->height = layer->tile_height;
    job->bits = layer->bits;
    job->chroma = layer->chroma;
    const cc_status status = make_file(file, layer, tile, job, message);
    if (status != CC_OK) {
        free(job->file);
        job->file = NULL;
    }
    return status;
}

// Decoding

/// What a step holds, which ends with it unless something is thrown.
typedef struct decoding {
    cc_heif_job *job;
    struct heif_context *context;
    struct heif_image_handle *handle;
    struct heif_image *image;
} decoding;

/// libheif's reason in one line. It goes to terminals.
static void copy_reason(const char *reason, char *text, size_t size) {
    size_t length = 0;
    for (; reason != NULL && reason[length] != 0 && length + 1 < size; length++) {
        const char letter = reason[length];
        text[length] = letter >= ' ' && letter <= '~' ? letter : ' ';
    }
    while (length > 0 && text[length - 1] == ' ') { length--; }
    text[length] = 0;
}

/// Decoders call some of their failures to get memory damage.
static bool fails(cc_heif_job *job, struct heif_error error) {
    if (error.code == heif_error_Ok) { return false; }
    const bool is_refused =
        error.code == heif_error_Memory_allocation_error && error.subcode == heif_suberror_Unspecified;
    char text[150];
    copy_reason(error.message, text, sizeof text);
    job->status = is_refused || errno == ENOMEM
        ? cc_fail_memory(&job->message)
        : cc_fail(&job->message, CC_DAMAGED, "it cannot be decoded: %s", text);
    return true;
}

// Samples

/// A plane of the samples to fill: which of libheif's, how large, and how far apart the columns and rows are
/// that count.
typedef struct plane {
    enum heif_channel channel;
    uint32_t width, height;
    unsigned column_step, row_step;
} plane;

static bool halves_columns(cc_heif_chroma chroma) { return chroma == CC_HEIF_420 || chroma == CC_HEIF_422; }

static bool halves_rows(cc_heif_chroma chroma) { return chroma == CC_HEIF_420; }

static uint32_t halved(uint32_t edge, bool is_halved) { return is_halved ? (edge + 1) / 2 : edge; }

static uint64_t samples_of(uint32_t width, uint32_t height, cc_heif_chroma chroma, bool is_luma_alone) {
    const uint64_t luma = (uint64_t)width * height;
    if (chroma == CC_HEIF_GRAY || is_luma_alone) { return luma; }
    return luma + 2 * (uint64_t)halved(width, halves_columns(chroma)) * halved(height, halves_rows(chroma));
}

uint64_t cc_heif_tile_bytes(const cc_heif_layer *layer, bool is_luma_alone) {
    return samples_of(layer->tile_width, layer->tile_height, layer->chroma, is_luma_alone)
        * (layer->bits > 8 ? 2 : 1);
}

/// Lists the planes; returns how many, or 0 if the image is not what was announced.
static unsigned list_planes(const cc_heif_job *job, const struct heif_image *image, plane planes[3]) {
    static const enum heif_channel coded[] = {heif_channel_Y, heif_channel_Cb, heif_channel_Cr};
    // Planes whose matrix was said to be that of RGB; see put_matrix.
    static const enum heif_channel copied[] = {heif_channel_G, heif_channel_B, heif_channel_R};
    static const enum heif_chroma forms[] = {
        heif_chroma_monochrome, heif_chroma_420, heif_chroma_422, heif_chroma_444};
    const enum heif_colorspace space = heif_image_get_colorspace(image);
    const bool is_copied = space == heif_colorspace_RGB, is_gray = space == heif_colorspace_monochrome;
    const bool wants_luma = job->is_luma_alone || job->chroma == CC_HEIF_GRAY;
    if (is_copied == gives_planes() && !is_gray) { return 0; }
    if (!wants_luma
        && (is_gray || (!is_copied && heif_image_get_chroma_format(image) != forms[job->chroma]))) {
        return 0;
    }
    for (unsigned i = 0; i < 3; i++) {
        const bool columns = i > 0 && halves_columns(job->chroma), rows = i > 0 && halves_rows(job->chroma);
        planes[i] = (plane){
            .channel = is_copied ? copied[i] : coded[i],
            .width = halved(job->width, columns),
            .height = halved(job->height, rows),
            .column_step = is_copied && columns ? 2 : 1,
            .row_step = is_copied && rows ? 2 : 1,
        };
    }
    return wants_luma ? 1 : 3;
}

static uint8_t *copy_row(const uint8_t *row, const plane *plane, unsigned bytes, uint8_t *result) {
    if (plane->column_step == 1) {
        memcpy(result, row, (size_t)plane->width * bytes);
    } else if (bytes == 1) {
        for (uint32_t i = 0; i < plane->width; i++) { result[i] = row[2 * (size_t)i]; }
    } else {
        for (uint32_t i = 0; i < plane->width; i++) {
            memcpy(result + 2 * (size_t)i, row + 4 * (size_t)i, 2);
        }
    }
    return result + (size_t)plane->width * bytes;
}

/// Copies a plane; NULL if libheif's is smaller, or has other samples.
static uint8_t *copy_plane(
    const cc_heif_job *job, const struct heif_image *image, const plane *plane, uint8_t *result) {
    int stride = 0;
    const uint8_t *bytes = heif_image_get_plane_readonly(image, plane->channel, &stride);
    const int width = heif_image_get_width(image, plane->channel);
    const int height = heif_image_get_height(image, plane->channel);
    const int64_t columns = (int64_t)(plane->width - 1) * plane->column_step + 1;
    const int64_t rows = (int64_t)(plane->height - 1) * plane->row_step + 1;
    if (bytes == NULL || width < columns || height < rows
        || heif_image_get_bits_per_pixel_range(image, plane->channel) != (int)job->bits) {
        return NULL;
    }
    for (uint32_t row = 0; row < plane->height; row++) {
        result = copy_row(
            bytes + (size_t)row * plane->row_step * (size_t)stride, plane, job->bits > 8 ? 2 : 1, result);
    }
    return result;
}

static void take_samples(decoding *work) {
    cc_heif_job *job = work->job;
    plane planes[3];
    const unsigned count = list_planes(job, work->image, planes);
    const uint64_t samples = samples_of(job->width, job->height, job->chroma, count == 1);
    job->samples = malloc((size_t)samples * (job->bits > 8 ? 2 : 1));
    if (job->samples == NULL) {
        job->status = cc_fail_memory(&job->message);
        return;
    }
    uint8_t *result = count > 0 ? job->samples : NULL;
    for (unsigned i = 0; i < count && result != NULL; i++) {
        result = copy_plane(job, work->image, &planes[i], result);
    }
    if (result == NULL) {
        job->status = cc_fail(&job->message, CC_DAMAGED, "its image data are not what its description says");
    }
}

// Steps

static void run(void *argument) {
    decoding *work = argument;
    cc_heif_job *job = work->job;
    errno = 0;
    work->context = heif_context_alloc();
    if (work->context == NULL) {
        job->status = cc_fail_memory(&job->message);
        return;
    }
    if (fails(
            job,
            heif_context_read_from_memory_without_copy(work->context, job->file, job->file_size, NULL))) {
        return;
    }
    if (fails(job, heif_context_get_primary_image_handle(work->context, &work->handle))) { return; }
    if (fails(
            job,
            heif_decode_image(
                work->handle, &work->image, heif_colorspace_undefined, heif_chroma_undefined, NULL))) {
        return;
    }
    take_samples(work);
}

static void decode(decoding *work) {
    cc_heif_job *job = work->job;
    switch (cc_heif_guard(run, work)) {
    case CC_HEIF_OUT_OF_MEMORY: job->status = cc_fail_memory(&job->message); break;
    case CC_HEIF_THREW:
        job->status = cc_fail(&job->message, CC_DAMAGED, "it cannot be decoded: libheif gave up");
        break;
    default:
        // After something was thrown, nobody knows what state they are in.
        if (work->image != NULL) { heif_image_release(work->image); }
        if (work->handle != NULL) { heif_image_handle_release(work->handle); }
        if (work->context != NULL) { heif_context_free(work->context); }
    }
    free(job->file);
    job->file = NULL;
}

void cc_heif_decode(cc_heif_job *job) {
    decoding work = {.job = job};
    decode(&work);
    if (job->status != CC_OK) {
        free(job->samples);
        job->samples = NULL;
    }
}
