#include <errno.h>
#include <libheif/heif.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../colour/color.h"
#include "heif.h"

enum {
    LARGEST_FILE = 512 << 20,
    // Cameras write some kilobytes.
    LARGEST_EXIF = 16 << 20,
    // Memory of libheif, its decoders and their threads for any image.
    FIXED_BYTES = 16 << 20,
    // Tiles that libheif decodes at the same time.
    THREADS = 4,
};

struct cc_heif_reader {
    cc_heif_file file;
    cc_heif_picture picture;
    bool keeps_depth;
    bool has_failed;
    uint32_t next_row;
    struct heif_image *image;
    cc_heif_pixels pixels;
};

/// Whether this release of libheif returns luma and chroma as they are coded.  Earlier releases return only
/// RGB. They repeat chroma samples, and for limited range their results are wrong by more than one. So the
/// copy declares the samples as RGB: these releases then copy them as green, blue and red.
static bool gives_planes(void) { return heif_get_version_number() >= 0x01130000; }

// The decoder

/// A search for a decoder in libheif.
typedef struct search {
    bool is_av1, has_decoder;
} search;

static void find_decoder(void *argument) {
    search *search = argument;
#if LIBHEIF_HAVE_VERSION(1, 14, 0)
    heif_init(NULL);  // loads plug-ins, which may contain decoders
#endif
    search->has_decoder =
        heif_have_decoder_for_format(search->is_av1 ? heif_compression_AV1 : heif_compression_HEVC);
}

/// Whether libheif can be loaded, and has a decoder for the codec.
static cc_status check_decoder(bool is_av1, cc_heif_obstacle *obstacle, cc_message *message) {
    if (heif_get_version() == NULL) {
        *obstacle = CC_HEIF_NO_LIBRARY;
        return cc_fail(message, CC_UNSUPPORTED, "libheif, which decodes it, cannot be loaded");
    }
    search search = {.is_av1 = is_av1};
    if (cc_heif_guard(find_decoder, &search) != CC_HEIF_RETURNED) { return cc_fail_memory(message); }
    if (search.has_decoder) { return CC_OK; }
    *obstacle = is_av1 ? CC_HEIF_NO_AV1_DECODER : CC_HEIF_NO_HEVC_DECODER;
    return cc_fail(
        message, CC_UNSUPPORTED, "libheif %s has no decoder for %s here", heif_get_version(),
        is_av1 ? "AV1" : "HEVC");
}

// The header

static void find_color(const cc_heif_picture *picture, cc_color_tags *tags) {
    if (cc_cursor_left(&picture->profile) > 0) {
        tags->profile = picture->profile.next;
        tags->profile_size = cc_cursor_left(&picture->profile);
    } else if (picture->has_code_points) {
        cc_use_code_points(picture->code_points.primaries, picture->code_points.transfer, tags);
    }
}

/// Memory for the file, libheif's copy of the data, decoding, and the planes of the whole image.
static uint64_t decoder_bytes(const cc_heif_reader *reader) {
    // For two pixels.
    static const unsigned samples[] = {2, 3, 4, 6};
    const cc_heif_picture *picture = &reader->picture;
    const uint64_t pixels = (uint64_t)picture->width * picture->height,
                   tiles = picture->header.columns * picture->header.rows;
    const unsigned bytes = picture->coded.bits > 8 ? 2 : 1;
    // A decoder has its frame, sometimes a second frame, and data about blocks. libheif has a copy, and
    // another copy in a different format.
    const uint64_t decoded = 4 * samples[picture->coded.chroma] * bytes / 2 + 1;
    const uint64_t whole = pixels * bytes * ((tiles > 1 ? 4 : 0) + (picture->header.has_alpha ? 4 : 0));
    const uint64_t line = 6 * sizeof(int32_t) + 4 * CC_HEIF_BAND * sizeof(uint16_t);
    return FIXED_BYTES + reader->file.size + 2 * picture->data_size + whole
        + (tiles < THREADS ? tiles : THREADS) * picture->largest * decoded + picture->turn.width * line;
}

static void fill_header(cc_heif_reader *reader) {
    cc_heif_picture *picture = &reader->picture;
    cc_heif_header *header = &picture->header;
    header->image.width = picture->turn.width;
    header->image.height = picture->turn.height;
    header->image.bytes_per_pixel = picture->header.has_alpha ? 4
        : picture->coded.chroma == CC_HEIF_GRAY               ? 1
                                                              : 3;
    header->is_av1 = picture->first->type == CC_AV01;
    header->chroma = picture->coded.chroma;
    header->bits = picture->coded.bits;
    header->has_movie = reader->file.has_movie;
    const size_t exif_size = cc_cursor_left(&picture->exif);
    if (exif_size > 0 && exif_size <= LARGEST_EXIF) {
        header->image.exif = picture->exif.next;
        header->image.exif_size = exif_size;
    }
    header->image.decoder_bytes = decoder_bytes(reader);
    find_color(picture, &header->image.color);
}

/// The error for a file without a primary image.
static cc_status refuse(const cc_heif_file *file, cc_heif_obstacle *obstacle, cc_message *message) {
    if (file->has_movie) {
        *obstacle = CC_HEIF_SEQUENCE;
        return cc_fail(message, CC_UNSUPPORTED, "it is a sequence of images without a still one");
    }
    if (file->is_short) {
        return cc_fail(
            message, CC_UNSUPPORTED, "its description has the short form ('mini'), which is not read");
    }
    if (!file->has_meta) { return cc_fail(message, CC_DAMAGED, "it has no description of images"); }
    return cc_fail(message, CC_DAMAGED, "it does not say which image is its primary");
}

static cc_status start(cc_heif_reader *reader, cc_message *message) {
    cc_heif_obstacle *obstacle = &reader->picture.header.obstacle;
    cc_status status = cc_heif_describe(&reader->file, message);
    if (status != CC_OK) { return status; }
    cc_item *primary = cc_heif_item(&reader->file, reader->file.primary);
    if (primary == NULL) { return refuse(&reader->file, obstacle, message); }
    status = cc_heif_compose(&reader->file, primary, &reader->picture, message);
    if (status == CC_OK) {
        fill_header(reader);
        status = check_decoder(reader->picture.header.is_av1, obstacle, message);
    }
    return status;
}

cc_status cc_heif_open(
    cc_source source, cc_heif_reader **result, cc_heif_header *header, cc_message *message) {
    *header = (cc_heif_header){0};
    cc_heif_reader *reader = calloc(1, sizeof *reader);
    if (reader == NULL) { return cc_fail_memory(message); }
    cc_status status = cc_load(source, LARGEST_FILE, &reader->file.bytes, &reader->file.size, message);
    if (status == CC_OK) { status = start(reader, message); }
    *header = reader->picture.header;
    if (status != CC_OK) {
        cc_heif_close(reader);
        return status;
    }
    *result = reader;
    return CC_OK;
}

void cc_heif_keep_depth(cc_heif_reader *reader) { reader->keeps_depth = reader->picture.header.bits > 8; }

// Decoding

/// The resources of a decoding step. They are released at its end unless an exception is thrown.
typedef struct decoding {
    const uint8_t *bytes;
    size_t size;
    struct heif_context *context;
    struct heif_image_handle *handle;
    struct heif_image *image;
    cc_status status;
    cc_message *message;
} decoding;

/// When memory runs out, some decoders report damage.
static bool fails(decoding *work, struct heif_error error) {
    if (error.code == heif_error_Ok) { return false; }
    const bool is_refused =
        error.code == heif_error_Memory_allocation_error && error.subcode == heif_suberror_Unspecified;
    // libheif's reason in one line. It is printed to terminals.
    char text[150];
    snprintf(text, sizeof text, "%s", error.message != NULL ? error.message : "");
    for (char *letter = text; *letter != 0; letter++) {
        if (*letter < ' ' || *letter > '~') { *letter = ' '; }
    }
    for (size_t length = strlen(text); length > 0 && text[length - 1] == ' ';) { text[--length] = 0; }
    work->status = is_refused || errno == ENOMEM
        ? cc_fail_memory(work->message)
        : cc_fail(work->message, CC_DAMAGED, "it cannot be decoded: %s", text);
    return true;
}

static void run(void *argument) {
    decoding *work = argument;
    errno = 0;
    work->context = heif_context_alloc();
    if (work->context == NULL) {
        work->status = cc_fail_memory(work->message);
        return;
    }
    if (fails(work, heif_context_read_from_memory_without_copy(work->context, work->bytes, work->size, NULL))
        || fails(work, heif_context_get_primary_image_handle(work->context, &work->handle))) {
        return;
    }
    fails(
        work,
        heif_decode_image(
            work->handle, &work->image, heif_colorspace_undefined, heif_chroma_undefined, NULL));
}

static cc_status decode(cc_heif_reader *reader, cc_message *message) {
    decoding work = {.message = message};
    uint8_t *copy;
    // If libheif returns planes, it leaves them as they are if BT.601 is declared, whatever the matrix is.
    cc_heif_copy(&reader->file, &reader->picture, gives_planes() ? CC_HEIF_BT601 : 0, &copy, &work.size);
    if (copy == NULL) { return cc_fail_memory(message); }
    work.bytes = copy;
    switch (cc_heif_guard(run, &work)) {
    case CC_HEIF_OUT_OF_MEMORY: work.status = cc_fail_memory(message); break;
    case CC_HEIF_THREW:
        work.status = cc_fail(message, CC_DAMAGED, "it cannot be decoded: libheif gave up");
        break;
    default:
        // Not after an exception: the state of the handle and the context is unknown then.
        if (work.handle != NULL) { heif_image_handle_release(work.handle); }
        if (work.context != NULL) { heif_context_free(work.context); }
        reader->image = work.image;
    }
    free(copy);
    return work.status;
}

// Planes

/// Finds a plane of the decoded image; false if it is too small, or has unexpected samples.
static bool find_plane(
    const cc_heif_reader *reader, enum heif_channel channel, unsigned bits, unsigned across, unsigned down,
    cc_heif_plane *plane) {
    const cc_heif_picture *picture = &reader->picture;
    int stride = 0;
    plane->bytes = heif_image_get_plane_readonly(reader->image, channel, &stride);
    plane->stride = (size_t)stride;
    plane->is_wide = bits > 8;
    plane->across = across;
    plane->down = down;
    const int64_t width = (picture->width + across) >> across, height = (picture->height + down) >> down;
    return plane->bytes != NULL && heif_image_get_width(reader->image, channel) >= width
        && heif_image_get_height(reader->image, channel) >= height
        && heif_image_get_bits_per_pixel_range(reader->image, channel) == (int)bits;
}

/// Finds luma and chroma; false if they do not match the description.
static bool find_planes(cc_heif_reader *reader) {
    static const enum heif_channel coded[] = {heif_channel_Y, heif_channel_Cb, heif_channel_Cr};
    static const enum heif_channel copied[] = {heif_channel_G, heif_channel_B, heif_channel_R};
    static const enum heif_chroma forms[] = {
        heif_chroma_monochrome, heif_chroma_420, heif_chroma_422, heif_chroma_444};
    const cc_heif_coded *form = &reader->picture.coded;
    cc_heif_pixels *pixels = &reader->pixels;
    const enum heif_colorspace space = heif_image_get_colorspace(reader->image);
    const bool is_copied = space == heif_colorspace_RGB, is_gray = space == heif_colorspace_monochrome;
    const bool wants_gray = form->chroma == CC_HEIF_GRAY;
    if (is_gray ? !wants_gray : is_copied == gives_planes()) { return false; }
    if (!is_copied && !wants_gray && heif_image_get_chroma_format(reader->image) != forms[form->chroma]) {
        return false;
    }
    pixels->is_smooth_across = form->chroma == CC_HEIF_420 || form->chroma == CC_HEIF_422;
    pixels->is_smooth_down = form->chroma == CC_HEIF_420;
    const enum heif_channel *channels = is_copied ? copied : coded;
    const unsigned across = !is_copied && pixels->is_smooth_across,
                   down = !is_copied && pixels->is_smooth_down;
    bool has_all = find_plane(reader, channels[0], form->bits, 0, 0, &pixels->planes[0]);
    for (unsigned i = 1; i < 3 && !wants_gray && has_all; i++) {
        has_all = find_plane(reader, channels[i], form->bits, across, down, &pixels->planes[i]);
    }
    if (has_all && reader->picture.header.has_alpha) {
        pixels->alpha_bits = (unsigned)heif_image_get_bits_per_pixel_range(reader->image, heif_channel_Alpha);
        has_all = pixels->alpha_bits <= 16
            && find_plane(reader, heif_channel_Alpha, pixels->alpha_bits, 0, 0, &pixels->alpha);
    }
    return has_all;
}

static cc_status begin(cc_heif_reader *reader, cc_message *message) {
    const cc_heif_picture *picture = &reader->picture;
    cc_heif_pixels *pixels = &reader->pixels;
    pixels->width = picture->width;
    pixels->height = picture->height;
    pixels->turn = picture->turn;
    pixels->samples = reader->picture.header.image.bytes_per_pixel;
    pixels->sample_bytes = reader->keeps_depth ? 2 : 1;
    pixels->is_premultiplied = picture->is_premultiplied;
    // The code points of the file take precedence.
    const cc_heif_code_points *points =
        picture->has_code_points ? &picture->code_points : &picture->coded.points;
    if (!cc_heif_make_matrix(
            points, picture->coded.bits, picture->coded.chroma == CC_HEIF_GRAY,
            reader->keeps_depth ? 65535 : 255, &pixels->matrix)) {
        return cc_fail(
            message, CC_UNSUPPORTED, "its colours are coded by the matrix %u of H.273, which is not read",
            points->matrix);
    }
    const cc_status status = decode(reader, message);
    if (status != CC_OK) { return status; }
    if (!find_planes(reader)) {
        return cc_fail(message, CC_DAMAGED, "its image data does not match its description");
    }
    return cc_heif_make_room(pixels) ? CC_OK : cc_fail_memory(message);
}

cc_status cc_heif_read_rows(
    cc_heif_reader *reader, void *rows, size_t stride, size_t count, cc_message *message) {
    if (reader->has_failed || count > reader->picture.header.image.height - reader->next_row) {
        return cc_fail(message, CC_DAMAGED, "there are no more rows");
    }
    const cc_status status = reader->pixels.lines == NULL ? begin(reader, message) : CC_OK;
    reader->has_failed = status != CC_OK;
    for (size_t i = 0; i < count && status == CC_OK; i++) {
        cc_heif_mix(&reader->pixels, reader->next_row++, (uint8_t *)rows + i * stride);
    }
    return status;
}

void cc_heif_close(cc_heif_reader *reader) {
    if (reader->image != NULL) { heif_image_release(reader->image); }
    cc_heif_free_room(&reader->pixels);
    cc_heif_forget(&reader->file);
    free(reader);
}
