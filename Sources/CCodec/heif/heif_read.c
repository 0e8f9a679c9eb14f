#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "CCodec.h"
#include "../colour/code_points.h"
#include "../message.h"
#include "heif_rows.h"
#include "heif_tile.h"
#include "heif_turn.h"

enum {
    // Columns of a layer that become rows of a picture at a time: a cache line of samples.
    BAND = 64,
    // Cameras write some kilobytes.
    LARGEST_EXIF = 16 << 20,
    // Of libheif, its decoders and their threads, whatever the image.
    FIXED_BYTES = 16 << 20,
    // Of a picture of several tiles. MIAF (ISO/IEC 23000-22) wants as many.
    SMALLEST_TILE = 64,
};

struct cc_heif_reader {
    cc_heif_file file;
    cc_heif_picture picture;
    cc_heif_header header;
    uint8_t *exif;
    bool keeps_depth;

    bool has_begun;
    bool has_failed;
    uint32_t next_row;
    cc_heif_mixer mixer;
    /// A row of the layers that is mirrored, or columns of them that become rows.
    uint8_t *band;
    uint32_t band_first, band_count;
};

// The header

/// The EXIF block begins with the place of its TIFF header.
static cc_status read_exif(cc_heif_reader *reader, cc_message *message) {
    const cc_item *item = reader->picture.exif;
    uint64_t size;
    cc_message ignored;
    // An image is never refused for its metadata.
    if (item == NULL || cc_heif_item_size(&reader->file, item, &size, &ignored) != CC_OK || size < 4
        || size > LARGEST_EXIF) {
        return CC_OK;
    }
    reader->exif = malloc((size_t)size);
    if (reader->exif == NULL) { return cc_fail_memory(message); }
    const cc_status status = cc_heif_read_item(&reader->file, item, reader->exif, message);
    if (status != CC_OK) { return status == CC_DAMAGED ? CC_OK : status; }
    cc_cursor cursor = {reader->exif, reader->exif + size, false};
    cc_cursor_part(&cursor, cc_cursor_number(&cursor, 4));
    reader->header.image.exif = cursor.next;
    reader->header.image.exif_size = cc_cursor_left(&cursor);
    return CC_OK;
}

static void find_color(const cc_heif_picture *picture, cc_color_tags *tags) {
    if (picture->profile.next != NULL && cc_cursor_left(&picture->profile) > 0) {
        tags->profile = picture->profile.next;
        tags->profile_size = cc_cursor_left(&picture->profile);
    } else if (picture->has_code_points) {
        cc_use_code_points(picture->code_points.primaries, picture->code_points.transfer, tags);
    }
}

/// Memory for the cache of each layer, a band, and lines of numbers.
static uint64_t decoder_bytes(const cc_heif_reader *reader) {
    const cc_heif_picture *picture = &reader->picture;
    const cc_heif_turn *turn = &picture->turn;
    const bool swaps = cc_heif_swaps_axes(turn);
    const uint64_t pixel = (uint64_t)reader->header.image.bytes_per_pixel * 2;
    uint64_t bytes = FIXED_BYTES + cc_heif_cache_bytes(&picture->color, false, swaps)
        + (uint64_t)turn->width * (swaps ? BAND : 1) * pixel + (uint64_t)turn->width * 5 * sizeof(int32_t);
    if (picture->alpha.tiles != NULL) { bytes += cc_heif_cache_bytes(&picture->alpha, true, swaps); }
    return bytes;
}

static void fill_header(cc_heif_reader *reader) {
    const cc_heif_picture *picture = &reader->picture;
    cc_heif_header *header = &reader->header;
    const bool is_gray = picture->color.chroma == CC_HEIF_GRAY, has_alpha = picture->alpha.tiles != NULL;
    header->image.width = picture->turn.width;
    header->image.height = picture->turn.height;
    header->image.bytes_per_pixel = has_alpha ? 4 : is_gray ? 1 : 3;
    header->is_av1 = picture->color.codec == CC_FOURCC('a', 'v', '0', '1');
    header->chroma = picture->color.chroma;
    header->bits = picture->color.bits;
    header->has_alpha = has_alpha;
    header->columns = picture->color.columns;
    header->rows = picture->color.rows;
    header->images = picture->images;
    header->has_gain_map = picture->has_gain_map;
    header->has_movie = reader->file.has_movie;
    header->image.decoder_bytes = decoder_bytes(reader);
    find_color(picture, &header->image.color);
}

static cc_status check_tiles(const cc_heif_layer *layer, cc_message *message) {
    const bool is_grid = (uint64_t)layer->columns * layer->rows > 1;
    if (!is_grid || (layer->tile_width >= SMALLEST_TILE && layer->tile_height >= SMALLEST_TILE)) {
        return CC_OK;
    }
    return cc_fail(message, CC_UNSUPPORTED, "its tiles are smaller than %d pixels", SMALLEST_TILE);
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
    cc_heif_obstacle *obstacle = &reader->header.obstacle;
    cc_status status = cc_heif_describe(&reader->file, message);
    if (status != CC_OK) { return status; }
    const cc_item *primary = cc_meta_item(&reader->file.meta, reader->file.meta.primary);
    if (primary == NULL) { return refuse(&reader->file, obstacle, message); }
    status = cc_heif_compose(&reader->file, primary, &reader->picture, message);
    if (status == CC_OK) { status = check_tiles(&reader->picture.color, message); }
    if (status == CC_OK) { status = read_exif(reader, message); }
    if (status == CC_OK) { fill_header(reader); }
    if (status == CC_OK) { status = cc_heif_check_decoder(reader->picture.color.codec, obstacle, message); }
    return status;
}

/// Reads the header of a file of that size, which the reader closes.
static cc_status open_file(
    FILE *file, uint64_t size, cc_heif_reader **result, cc_heif_header *header, cc_message *message) {
    cc_heif_reader *reader = calloc(1, sizeof *reader);
    if (reader == NULL) {
        fclose(file);
        return cc_fail_memory(message);
    }
    reader->file.file = file;
    reader->file.size = size;
    const cc_status status = start(reader, message);
    *header = reader->header;
    if (status != CC_OK) {
        cc_heif_close(reader);
        return status;
    }
    *result = reader;
    return CC_OK;
}

cc_status cc_heif_open(
    const char *path, cc_heif_reader **result, cc_heif_header *header, cc_message *message) {
    *header = (cc_heif_header){0};
    FILE *file = fopen(path, "rb");
    if (file != NULL && fseeko(file, 0, SEEK_END) == 0) {
        const off_t size = ftello(file);
        if (size >= 0) { return open_file(file, (uint64_t)size, result, header, message); }
    }
    const cc_status status = cc_fail_errno(message, CC_CANNOT_OPEN, errno);
    if (file != NULL) { fclose(file); }
    return status;
}

cc_status cc_heif_open_bytes(
    const uint8_t *bytes, size_t size, cc_heif_reader **result, cc_heif_header *header, cc_message *message) {
    *header = (cc_heif_header){0};
    FILE *file = cc_open_bytes(bytes, size, message);
    if (file == NULL) { return CC_OUT_OF_MEMORY; }
    return open_file(file, size, result, header, message);
}

void cc_heif_keep_depth(cc_heif_reader *reader) { reader->keeps_depth = reader->header.bits > 8; }

// Rows

/// The code points of the file, or else those of its first tile.
static cc_status find_code_points(
    const cc_heif_reader *reader, cc_heif_code_points *points, cc_message *message) {
    const cc_heif_picture *picture = &reader->picture;
    *points = picture->code_points;
    if (picture->has_code_points) { return CC_OK; }
    cc_heif_job job = {0};
    // What is said nowhere is taken as in JPEG.
    job.points = (cc_heif_code_points){.matrix = 2, .has_full_range = true};
    const cc_status status =
        cc_heif_prepare(&reader->file, &picture->color, picture->color.tiles[0], &job, message);
    free(job.file);
    *points = job.points;
    return status;
}

static cc_status find_matrix(cc_heif_reader *reader, cc_message *message) {
    const cc_heif_picture *picture = &reader->picture;
    cc_heif_code_points points;
    const cc_status status = find_code_points(reader, &points, message);
    if (status != CC_OK) { return status; }
    const bool is_gray = picture->color.chroma == CC_HEIF_GRAY;
    const int32_t largest = reader->keeps_depth ? 65535 : 255;
    if (cc_heif_make_matrix(&points, picture->color.bits, is_gray, largest, &reader->mixer.matrix)) {
        return CC_OK;
    }
    return cc_fail(
        message, CC_UNSUPPORTED, "its colours are coded by the matrix %u of H.273, which is not read",
        points.matrix);
}

/// Room for a row of the layers, or for columns of them.
static cc_status make_room(cc_heif_reader *reader, cc_message *message) {
    cc_heif_mixer *mixer = &reader->mixer;
    const cc_heif_turn *turn = &reader->picture.turn;
    const bool swaps = cc_heif_swaps_axes(turn);
    const uint32_t span = swaps ? BAND : turn->width;
    // Chroma lines begin one sample before, and end one behind.
    mixer->longest = span + 4;
    mixer->lines = malloc(5 * (size_t)mixer->longest * sizeof *mixer->lines);
    const size_t pixel = (size_t)mixer->samples * mixer->sample_bytes;
    reader->band = malloc((size_t)turn->width * (swaps ? BAND : 1) * pixel + BAND * pixel);
    return mixer->lines != NULL && reader->band != NULL ? CC_OK : cc_fail_memory(message);
}

static cc_status begin(cc_heif_reader *reader, cc_message *message) {
    const cc_heif_picture *picture = &reader->picture;
    cc_heif_mixer *mixer = &reader->mixer;
    const bool swaps = cc_heif_swaps_axes(&picture->turn);
    reader->has_begun = true;
    mixer->samples = reader->header.image.bytes_per_pixel;
    mixer->sample_bytes = reader->keeps_depth ? 2 : 1;
    mixer->has_alpha = picture->alpha.tiles != NULL;
    mixer->is_premultiplied = picture->is_premultiplied;
    cc_status status = find_matrix(reader, message);
    if (status == CC_OK) { status = make_room(reader, message); }
    if (status == CC_OK) {
        status = cc_heif_cache_init(&mixer->color, &reader->file, &picture->color, false, swaps, message);
    }
    if (status == CC_OK && mixer->has_alpha) {
        status = cc_heif_cache_init(&mixer->alpha, &reader->file, &picture->alpha, true, swaps, message);
    }
    return status;
}

/// Reads a row of the picture that is a row of the layers.
static cc_status read_along(cc_heif_reader *reader, uint32_t row, uint8_t *pixels, cc_message *message) {
    const cc_heif_turn *turn = &reader->picture.turn;
    const uint32_t from = (uint32_t)(turn->e * row + turn->f);
    if (turn->a == 1) {
        return cc_heif_mix(&reader->mixer, (uint32_t)turn->c, from, turn->width, pixels, message);
    }
    const uint32_t first = (uint32_t)(turn->c - (turn->width - 1));
    const cc_status status = cc_heif_mix(&reader->mixer, first, from, turn->width, reader->band, message);
    const size_t pixel = (size_t)reader->mixer.samples * reader->mixer.sample_bytes;
    const uint8_t *source = reader->band + turn->width * pixel;
    for (uint32_t x = 0; x < turn->width && status == CC_OK; x++) {
        source -= pixel;
        memcpy(pixels + x * pixel, source, pixel);
    }
    return status;
}

/// Turns columns of the layers into the rows of the picture from `row` on, up to the next edge of a tile.
static cc_status read_band(cc_heif_reader *reader, uint32_t row, cc_message *message) {
    const cc_heif_turn *turn = &reader->picture.turn;
    const uint32_t width = reader->picture.color.tile_width;
    const uint32_t column = (uint32_t)(turn->b * row + turn->c), left = turn->height - row;
    const uint32_t in_tile = turn->b > 0 ? width - column % width : column % width + 1;
    uint32_t count = left < BAND ? left : BAND;
    if (count > in_tile) { count = in_tile; }
    const uint32_t first = turn->b > 0 ? column : column - (count - 1);
    const size_t pixel = (size_t)reader->mixer.samples * reader->mixer.sample_bytes;
    const size_t stride = turn->width * pixel;
    uint8_t *part = reader->band + stride * BAND;
    for (uint32_t x = 0; x < turn->width; x++) {
        const uint32_t from = (uint32_t)(turn->d * x + turn->f);
        const cc_status status = cc_heif_mix(&reader->mixer, first, from, count, part, message);
        if (status != CC_OK) { return status; }
        for (uint32_t y = 0; y < count; y++) {
            const uint32_t place = turn->b > 0 ? y : count - 1 - y;
            memcpy(reader->band + y * stride + x * pixel, part + place * pixel, pixel);
        }
    }
    reader->band_first = row;
    reader->band_count = count;
    return CC_OK;
}

/// Reads a row of the picture that is a column of the layers.
static cc_status read_across(cc_heif_reader *reader, uint32_t row, uint8_t *pixels, cc_message *message) {
    if (row - reader->band_first >= reader->band_count) {
        const cc_status status = read_band(reader, row, message);
        if (status != CC_OK) { return status; }
    }
    const size_t size =
        (size_t)reader->picture.turn.width * reader->mixer.samples * reader->mixer.sample_bytes;
    memcpy(pixels, reader->band + (row - reader->band_first) * size, size);
    return CC_OK;
}

cc_status cc_heif_read_rows(
    cc_heif_reader *reader, void *rows, size_t stride, size_t count, cc_message *message) {
    if (reader->has_failed || count > reader->header.image.height - reader->next_row) {
        return cc_fail(message, CC_DAMAGED, "there are no more rows");
    }
    const bool swaps = cc_heif_swaps_axes(&reader->picture.turn);
    cc_status status = reader->has_begun ? CC_OK : begin(reader, message);
    for (size_t i = 0; i < count && status == CC_OK; i++) {
        uint8_t *row = (uint8_t *)rows + i * stride;
        status = swaps ? read_across(reader, reader->next_row, row, message)
                       : read_along(reader, reader->next_row, row, message);
        reader->next_row++;
    }
    reader->has_failed = status != CC_OK;
    return status;
}

void cc_heif_close(cc_heif_reader *reader) {
    if (reader->mixer.color.layer != NULL) { cc_heif_cache_free(&reader->mixer.color); }
    if (reader->mixer.alpha.layer != NULL) { cc_heif_cache_free(&reader->mixer.alpha); }
    free(reader->mixer.lines);
    free(reader->band);
    free(reader->exif);
    cc_heif_release_picture(&reader->picture);
    cc_heif_forget(&reader->file);
    fclose(reader->file.file);
    free(reader);
}
