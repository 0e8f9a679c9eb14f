#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tiff.h"

// Opening

static cc_status open_descriptor(
    int descriptor, uint64_t offset, cc_read_log *log, cc_tiff_reader **result, cc_message *message) {
    cc_tiff_reader *reader = calloc(1, sizeof *reader);
    if (reader == NULL) {
        close(descriptor);
        return cc_fail_memory(message);
    }
    reader->offset = offset;
    cc_status status = cc_tiff_file_open(descriptor, log, &reader->file, message);
    if (status == CC_OK) { status = cc_tiff_file_enter(reader->file, offset, message); }
    if (status == CC_OK) { status = cc_tiff_describe(reader->file, &reader->header, message); }
    if (status != CC_OK) {
        cc_tiff_close(reader);
        return status;
    }
    *result = reader;
    return CC_OK;
}

cc_status cc_tiff_open(
    const char *path, uint64_t offset, cc_read_log *log, cc_tiff_reader **reader, cc_tiff_header *header,
    cc_message *message) {
    const int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    const cc_status status = open_descriptor(descriptor, offset, log, reader, message);
    if (status == CC_OK) { *header = (*reader)->header; }
    return status;
}

/// All handles read with pread, so they can share an open file.
static int descriptor_of(const cc_tiff_reader *reader) {
    return fcntl(reader->file->descriptor, F_DUPFD_CLOEXEC, 0);
}

cc_status cc_tiff_duplicate(const cc_tiff_reader *reader, cc_tiff_reader **result, cc_message *message) {
    cc_tiff_reader *copy = NULL;
    cc_status status =
        open_descriptor(descriptor_of(reader), reader->offset, reader->file->log, &copy, message);
    if (status == CC_OK && reader->mask != NULL) {
        status = cc_tiff_duplicate(reader->mask, &copy->mask, message);
        copy->mask_is_separate = reader->mask_is_separate;
    }
    if (status == CC_OK && reader->has_form) {
        status = cc_tiff_set_form(copy, &reader->maker.form, message);
    }
    if (status != CC_OK) {
        cc_tiff_close(copy);
        return status;
    }
    *result = copy;
    return CC_OK;
}

// The form

/// The index of a sample's plane, which is added if it is new.
static uint8_t plane_of(cc_tiff_reader *reader, uint16_t sample) {
    const uint16_t plane = reader->header.is_planar ? sample : 0;
    for (int i = 0; i < reader->plane_count; i++) {
        if (reader->planes[i] == plane) { return (uint8_t)i; }
    }
    reader->planes[reader->plane_count] = plane;
    return (uint8_t)reader->plane_count++;
}

static void place_samples(cc_tiff_reader *reader) {
    cc_pixel_maker *maker = &reader->maker;
    const cc_tiff_form *form = &maker->form;
    reader->plane_count = 0;
    const bool has_inks = form->color == CC_TIFF_CMYK || form->color == CC_TIFF_INKS;
    const bool has_three = form->color == CC_TIFF_RGB || form->color == CC_TIFF_LAB;
    maker->color_count = has_inks ? 4 : has_three ? 3 : 1;
    maker->count = maker->color_count + (form->alpha >= 0);
    for (int i = 0; i < maker->count; i++) {
        const uint16_t sample = i == maker->color_count ? (uint16_t)form->alpha
            : form->color == CC_TIFF_PALETTE            ? 0
                                                        : form->bands[i];
        maker->places[i].plane = plane_of(reader, sample);
        maker->places[i].offset = reader->header.is_planar ? 0 : sample;
    }
}

static void describe_samples(cc_tiff_reader *reader) {
    const cc_tiff_header *header = &reader->header;
    reader->maker.samples = header->is_converted
        ? (cc_samples){.kind = CC_TIFF_UNSIGNED, .bits = 8, .step = 4}
        : (cc_samples){
            .kind = header->kind,
            .bits = header->bits,
            .step = header->is_planar ? 1 : header->samples,
        };
    // The tables of CIELAB handle the samples' signs.
    if (reader->maker.form.color == CC_TIFF_LAB) { reader->maker.samples.kind = CC_TIFF_UNSIGNED; }
}

/// Without this check, missing bands would be read beyond the end of a block.
static bool samples_exist(const cc_tiff_reader *reader) {
    const cc_tiff_form *form = &reader->maker.form;
    const int samples = reader->header.is_converted ? 3 : reader->header.samples;
    const int bands = form->color == CC_TIFF_PALETTE ? 3 : samples;
    const int count = form->color == CC_TIFF_PALETTE ? 3 : reader->maker.color_count;
    for (int i = 0; i < count; i++) {
        if (form->bands[i] >= bands) { return false; }
    }
    return form->alpha < samples;
}

cc_status cc_tiff_set_form(cc_tiff_reader *reader, const cc_tiff_form *form, cc_message *message) {
    uint16_t *colormap[3] = {NULL, NULL, NULL};
    const bool has_colormap =
        TIFFGetField(reader->file->tiff, TIFFTAG_COLORMAP, &colormap[0], &colormap[1], &colormap[2]);
    if (form->color == CC_TIFF_PALETTE
        && !(has_colormap && reader->header.kind == CC_TIFF_UNSIGNED && reader->header.bits <= 16)) {
        return cc_fail(message, CC_DAMAGED, "it has no palette for its samples");
    }
    // libtiff has the tag, even if it had no memory for the values.
    if (has_colormap && (colormap[0] == NULL || colormap[1] == NULL || colormap[2] == NULL)) {
        return cc_fail_memory(message);
    }
    cc_pixel_maker_destroy(&reader->maker);
    const bool is_lab = form->color == CC_TIFF_LAB;
    if (is_lab
        && (reader->header.kind == CC_TIFF_FLOAT || reader->header.bits % 8 != 0
            || reader->header.bits > 16)) {
        return cc_fail(message, CC_UNSUPPORTED, "its CIELAB samples are not 8 or 16 bits");
    }
    reader->maker = (cc_pixel_maker){.form = *form};
    reader->has_form = true;
    describe_samples(reader);
    place_samples(reader);
    if (!samples_exist(reader)) { return cc_fail(message, CC_DAMAGED, "it has too few samples"); }
    // The planes have changed.
    free(reader->block);
    reader->block = NULL;
    reader->has_block = false;
    cc_lab_range lab[3] = {{0}};
    if (is_lab) { cc_tiff_lab_ranges(reader->file->tiff, &reader->header, lab); }
    return cc_pixel_maker_prepare(&reader->maker, colormap, lab) ? CC_OK : cc_fail_memory(message);
}

cc_status cc_tiff_set_mask(
    cc_tiff_reader *reader, const char *path, cc_read_log *log, uint64_t offset, uint32_t opaque,
    cc_message *message) {
    cc_tiff_reader *mask = NULL;
    const bool is_same_file = path == NULL;
    const int descriptor = is_same_file ? descriptor_of(reader) : open(path, O_RDONLY | O_CLOEXEC);
    cc_status status =
        open_descriptor(descriptor, offset, is_same_file ? reader->file->log : log, &mask, message);
    if (status != CC_OK) { return status; }
    const cc_tiff_header *header = &mask->header;
    const bool fits = header->width == reader->header.width && header->height == reader->header.height
        && header->samples == 1 && header->kind == CC_TIFF_UNSIGNED && header->bits <= 16
        && !header->is_converted;
    if (fits && header->is_sequential && !reader->header.is_sequential) {
        status = cc_fail(message, CC_UNSUPPORTED, "the strips of its mask are too large");
    } else if (fits) {
        const cc_tiff_form form = {
            .color = CC_TIFF_GRAY,
            .alpha = -1,
            .high = opaque == 0 ? (1u << header->bits) - 1 : opaque,
            .bytes_per_pixel = 1,
        };
        status = cc_tiff_set_form(mask, &form, message);
    } else {
        status = cc_fail(message, CC_DAMAGED, "its mask does not match it");
    }
    if (status != CC_OK) {
        cc_tiff_close(mask);
        return status;
    }
    cc_tiff_close(reader->mask);
    reader->mask = mask;
    reader->mask_is_separate = !is_same_file;
    return CC_OK;
}

// Blocks

static cc_status allocate_block(cc_tiff_reader *reader, cc_message *message) {
    if (reader->block != NULL) { return CC_OK; }
    const cc_tiff_header *header = &reader->header;
    TIFF *tiff = reader->file->tiff;
    if (header->is_converted) {
        reader->row_bytes = (size_t)4 * header->block_width;
    } else {
        reader->row_bytes = (size_t)(header->is_tiled ? TIFFTileRowSize64(tiff) : TIFFScanlineSize64(tiff));
    }
    const size_t rows = header->is_sequential ? 1 : header->block_height;
    reader->plane_bytes = reader->row_bytes * rows;
    reader->block = malloc(reader->plane_bytes * (size_t)reader->plane_count);
    return reader->block != NULL ? CC_OK : cc_fail_memory(message);
}

/// Adds the position of an error in the image.
static cc_status locate(
    const cc_tiff_reader *reader, const cc_tiff_file *file, uint32_t column, uint32_t row,
    cc_message *message) {
    const cc_status status = cc_tiff_complaint(file, message);
    if (status != CC_DAMAGED) { return status; }
    if (!reader->header.is_tiled) {
        return cc_fail_at_row(message, file->has_ended, row, reader->header.height);
    }
    const cc_message reason = *message;
    return cc_fail(
        message, status, "the tile at column %u, row %u is damaged: %.170s", column, row, reason.text);
}

/// The number of a block, for one of the planes.
static uint32_t block_at(const cc_tiff_reader *reader, uint32_t column, uint32_t row, uint16_t sample) {
    TIFF *tiff = reader->file->tiff;
    return reader->header.is_tiled ? TIFFComputeTile(tiff, column, row, 0, sample)
                                   : TIFFComputeStrip(tiff, row, sample);
}

static cc_status decode_plane(
    cc_tiff_reader *reader, uint32_t column, uint32_t row, int plane, uint8_t *bytes, cc_message *message) {
    TIFF *tiff = reader->file->tiff;
    const cc_tiff_header *header = &reader->header;
    const uint16_t sample = reader->planes[plane];
    const uint32_t block = block_at(reader, column, row, sample);
    const uint32_t rows = header->is_tiled || header->height - row > header->block_height
        ? header->block_height
        : header->height - row;
    const tmsize_t size = (tmsize_t)(reader->row_bytes * rows);
    int has_failed = 0;
    cc_tiff_forget(reader->file);
    const bool is_missing = TIFFGetStrileByteCountWithErr(tiff, block, &has_failed) == 0 && !has_failed
        && TIFFGetStrileOffsetWithErr(tiff, block, &has_failed) == 0;
    if (is_missing && !has_failed) {
        memset(bytes, 0, (size_t)size);
        reader->block_is_missing = true;
        return CC_OK;
    }
    const tmsize_t count = has_failed ? -1
        : header->is_tiled            ? TIFFReadEncodedTile(tiff, block, bytes, size)
                                      : TIFFReadEncodedStrip(tiff, block, bytes, size);
    const bool is_whole = count == size && !reader->file->has_failed;
    return is_whole ? CC_OK : locate(reader, reader->file, column, row, message);
}

/// libtiff returns converted colours as one number per pixel, red in the lowest byte: on little-endian
/// machines, bytes in the order RGBA.
static cc_status convert_block(cc_tiff_reader *reader, uint32_t column, uint32_t row, cc_message *message) {
    const cc_tiff_header *header = &reader->header;
    TIFFRGBAImage image;
    char reason[1024] = "";
    cc_tiff_forget(reader->file);
    // Without memory for the reference values of YCbCr, libtiff would silently continue without them.
    float *values;
    if (TIFFGetFieldDefaulted(reader->file->tiff, TIFFTAG_REFERENCEBLACKWHITE, &values) != 1) {
        return cc_fail_memory(message);
    }
    bool is_whole = TIFFRGBAImageBegin(&image, reader->file->tiff, 1, reason);
    if (is_whole) {
        // As stored: the orientation tag is ignored here.
        image.orientation = image.req_orientation = ORIENTATION_TOPLEFT;
        image.row_offset = (int)row;
        image.col_offset = (int)column;
        const uint32_t width =
            header->width - column < header->block_width ? header->width - column : header->block_width;
        const uint32_t height =
            header->height - row < header->block_height ? header->height - row : header->block_height;
        reader->row_bytes = (size_t)4 * width;
        is_whole = TIFFRGBAImageGet(&image, (uint32_t *)(void *)reader->block, width, height);
        TIFFRGBAImageEnd(&image);
    }
    is_whole = is_whole && !reader->file->has_failed;
    return is_whole ? CC_OK : locate(reader, reader->file, column, row, message);
}

/// Decodes the block that begins at a pixel, unless it was decoded last.
static cc_status load_block(cc_tiff_reader *reader, uint32_t column, uint32_t row, cc_message *message) {
    if (reader->has_block && reader->block_column == column && reader->block_row == row) { return CC_OK; }
    cc_status status = allocate_block(reader, message);
    reader->has_block = false;
    reader->block_is_missing = false;
    if (status == CC_OK && reader->header.is_converted) {
        status = convert_block(reader, column, row, message);
    } else {
        for (int plane = 0; status == CC_OK && plane < reader->plane_count; plane++) {
            uint8_t *bytes = reader->block + (size_t)plane * reader->plane_bytes;
            status = decode_plane(reader, column, row, plane, bytes, message);
        }
    }
    reader->has_block = status == CC_OK;
    reader->block_column = column;
    reader->block_row = row;
    return status;
}

size_t cc_tiff_stored(
    cc_tiff_reader *reader, const cc_tiff_task *task, bool of_mask, cc_byte_range *ranges, size_t capacity) {
    if (of_mask) {
        return reader->mask == NULL ? 0 : cc_tiff_stored(reader->mask, task, false, ranges, capacity);
    }
    const cc_tiff_header *header = &reader->header;
    const bool takes_all = header->is_converted && header->is_planar;
    const int planes = takes_all ? header->samples : header->is_converted ? 1 : reader->plane_count;
    const uint64_t right = (uint64_t)task->column + task->width;
    const uint64_t bottom = (uint64_t)task->row + task->height;
    size_t found = 0;
    for (uint64_t row = task->row / header->block_height * header->block_height; row < bottom;
         row += header->block_height) {
        for (int plane = 0; plane < planes; plane++) {
            const uint16_t sample = header->is_converted ? (uint16_t)plane : reader->planes[plane];
            for (uint64_t column = task->column / header->block_width * header->block_width; column < right;
                 column += header->block_width) {
                const uint32_t block = block_at(reader, (uint32_t)column, (uint32_t)row, sample);
                const uint64_t offset = TIFFGetStrileOffset(reader->file->tiff, block);
                const uint64_t count = TIFFGetStrileByteCount(reader->file->tiff, block);
                if (offset == 0 || count == 0) { continue; }
                if (found < capacity) { ranges[found] = (cc_byte_range){.offset = offset, .count = count}; }
                found++;
            }
        }
    }
    return found;
}

// Rows

static void handle_row(
    const cc_tiff_reader *reader, const cc_tiff_task *task, uint32_t row, uint32_t column, uint32_t count,
    const uint8_t *first_plane, uint32_t block_column) {
    cc_sample_row samples;
    for (int plane = 0; plane < reader->plane_count; plane++) {
        samples.planes[plane] = first_plane + (size_t)plane * reader->plane_bytes;
    }
    const size_t line = row - task->row;
    const size_t place = column - task->column;
    const size_t start = column - block_column;
    const uint8_t *mask = reader->mask == NULL ? NULL : reader->mask_pixels + line * task->width + place;
    if (task->survey != NULL) {
        cc_look_at_pixels(&reader->maker, &samples, start, count, mask, task->survey);
    } else {
        const size_t size = reader->maker.form.bytes_per_pixel;
        cc_make_pixels(
            &reader->maker, &samples, start, count, mask, task->pixels + line * task->stride + place * size);
    }
}

/// Handles the part of a block in the window.
static cc_status handle_block(
    cc_tiff_reader *reader, const cc_tiff_task *task, uint32_t column, uint32_t row, cc_message *message) {
    const cc_tiff_header *header = &reader->header;
    const cc_status status = load_block(reader, column, row, message);
    if (status != CC_OK) { return status; }
    const uint64_t right = (uint64_t)column + header->block_width;
    const uint64_t bottom = (uint64_t)row + header->block_height;
    const uint32_t first_column = column > task->column ? column : task->column;
    const uint32_t first_row = row > task->row ? row : task->row;
    const uint32_t end_column =
        right < (uint64_t)task->column + task->width ? (uint32_t)right : task->column + task->width;
    const uint32_t end_row =
        bottom < (uint64_t)task->row + task->height ? (uint32_t)bottom : task->row + task->height;
    const bool is_blank = reader->block_is_missing && reader->maker.form.has_nodata;
    for (uint32_t y = first_row; y < end_row; y++) {
        if (!is_blank) {
            handle_row(
                reader, task, y, first_column, end_column - first_column,
                reader->block + (size_t)(y - row) * reader->row_bytes, column);
        } else if (task->survey == NULL) {
            const size_t size = reader->maker.form.bytes_per_pixel;
            memset(
                task->pixels + (y - task->row) * task->stride + (first_column - task->column) * size, 0,
                (end_column - first_column) * size);
        }
    }
    return CC_OK;
}

static cc_status handle_blocks(cc_tiff_reader *reader, const cc_tiff_task *task, cc_message *message) {
    const uint32_t width = reader->header.block_width;
    const uint32_t height = reader->header.block_height;
    const uint64_t right = (uint64_t)task->column + task->width;
    const uint64_t bottom = (uint64_t)task->row + task->height;
    for (uint64_t row = task->row / height * height; row < bottom; row += height) {
        for (uint64_t column = task->column / width * width; column < right; column += width) {
            const cc_status status = handle_block(reader, task, (uint32_t)column, (uint32_t)row, message);
            if (status != CC_OK) { return status; }
        }
    }
    return CC_OK;
}

// Strips that are too large to be decoded whole

/// Opens a handle for each plane, since the strips of each are decoded from their beginning.
static cc_status open_streams(cc_tiff_reader *reader, cc_message *message) {
    if (reader->streams[0] != NULL) { return CC_OK; }
    for (int plane = 0; plane < reader->plane_count; plane++) {
        cc_tiff_file **stream = &reader->streams[plane];
        cc_tiff_header header;
        cc_status status = cc_tiff_file_open(descriptor_of(reader), reader->file->log, stream, message);
        if (status == CC_OK) { status = cc_tiff_file_enter(*stream, reader->offset, message); }
        if (status == CC_OK) { status = cc_tiff_describe(*stream, &header, message); }
        if (status != CC_OK) { return status; }
    }
    return allocate_block(reader, message);
}

static cc_status handle_lines(cc_tiff_reader *reader, const cc_tiff_task *task, cc_message *message) {
    cc_status status = open_streams(reader, message);
    if (status != CC_OK) { return status; }
    for (uint32_t row = task->row; row < task->row + task->height; row++) {
        for (int plane = 0; plane < reader->plane_count; plane++) {
            cc_tiff_file *stream = reader->streams[plane];
            uint8_t *line = reader->block + (size_t)plane * reader->plane_bytes;
            cc_tiff_forget(stream);
            const int count = TIFFReadScanline(stream->tiff, line, row, reader->planes[plane]);
            if (count != 1 || stream->has_failed) { return locate(reader, stream, 0, row, message); }
        }
        handle_row(reader, task, row, task->column, task->width, reader->block, 0);
    }
    return CC_OK;
}

// Windows

static cc_status read_mask(cc_tiff_reader *reader, const cc_tiff_task *task, cc_message *message) {
    if (reader->mask == NULL) { return CC_OK; }
    const size_t size = (size_t)task->width * task->height;
    if (size > reader->mask_size) {
        free(reader->mask_pixels);
        reader->mask_pixels = malloc(size);
        reader->mask_size = reader->mask_pixels != NULL ? size : 0;
        if (reader->mask_pixels == NULL) { return cc_fail_memory(message); }
    }
    cc_tiff_task part = *task;
    part.pixels = reader->mask_pixels;
    part.stride = task->width;
    part.survey = NULL;
    const cc_status status = cc_tiff_read(reader->mask, &part, message);
    if (status != CC_OK) {
        const cc_message reason = *message;
        cc_fail(
            message, status, "%s: %.200s", reader->mask_is_separate ? "its .msk file" : "its mask",
            reason.text);
    }
    return status;
}

cc_status cc_tiff_read(cc_tiff_reader *reader, const cc_tiff_task *task, cc_message *message) {
    const cc_status status = read_mask(reader, task, message);
    if (status != CC_OK) { return status; }
    return reader->header.is_sequential ? handle_lines(reader, task, message)
                                        : handle_blocks(reader, task, message);
}

void cc_tiff_close(cc_tiff_reader *reader) {
    if (reader == NULL) { return; }
    for (int plane = 0; plane < CC_MOST_PLANES; plane++) { cc_tiff_file_close(reader->streams[plane]); }
    cc_tiff_close(reader->mask);
    cc_pixel_maker_destroy(&reader->maker);
    free(reader->mask_pixels);
    free(reader->block);
    cc_tiff_file_close(reader->file);
    free(reader);
}
