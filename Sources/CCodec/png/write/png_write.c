#include <stdlib.h>
#include <string.h>

#include <libdeflate.h>

#include "CCodec.h"
#include "../../memory.h"
#include "../../message.h"
#include "png_estimate.h"
#include "png_file.h"
#include "png_form.h"
#include "png_rows.h"

// libdeflate's levels, beside those that views have too; chosen by measurement on tiles of plans and of
// photographs.
enum {
    // 7 gains 1 % for a quarter more time.
    LEVEL_DRAWING = 6,
    // Looks furthest back for matches: on unfiltered drawings up to 5 % less than LEVEL_DRAWING for
    // three times the time.
    LEVEL_FAR = 9,
    // The first that weighs choices against each other: 3 to 5 % less for some fifteen times the
    // time. 11 and 12 gain 2 and 4 % more, for two and five times as long again.
    LEVEL_OPTIMAL = 10,
};

typedef struct compressors {
    struct libdeflate_compressor *fast, *scan, *drawing, *far, *optimal;
} compressors;

struct cc_png_writer {
    cc_png_effort effort;
    uint32_t width;
    uint32_t height;
    compressors compressors;

    uint8_t *indices;   // width * height
    uint8_t *packed;    // rows in the form chosen, after a row of zeros
    uint8_t *scratch;   // a row under each of the filters tried
    uint8_t *filtered;  // the rows, each behind the byte of its filter
    uint8_t *stream;    // the zlib stream
    size_t stream_capacity;
    uint8_t *file;

    // The call in progress.
    cc_form form;
    cc_rows rows;
    size_t stream_size;
};

// Rows

static void pack(cc_png_writer *writer, const uint8_t *rgba) {
    const size_t width = writer->width;
    const size_t row_bytes = (width * (size_t)writer->form.pixel_bits + 7) / 8;
    // RGBA lies as it should already.
    const bool is_packed = writer->form.pixel_bits == 32;
    memset(writer->packed, 0, row_bytes);
    for (size_t y = 0; y < writer->height && !is_packed; y++) {
        cc_pack_row(
            &writer->form, rgba + y * width * 4, writer->indices + y * width, width,
            writer->packed + (y + 1) * row_bytes);
    }
    writer->rows = (cc_rows){
        .bytes = is_packed ? rgba : writer->packed + row_bytes,
        .zeros = writer->packed,
        .row_bytes = row_bytes,
        .height = writer->height,
        .pixel = (size_t)(writer->form.pixel_bits + 7) / 8,
        .scratch = writer->scratch,
    };
}

/// Filters all rows to writer->filtered, and returns how many bytes they are.
static size_t filter(cc_png_writer *writer, int strategy) {
    return cc_filter_rows(&writer->rows, strategy, 0, writer->height, writer->filtered);
}

/// Filters a quarter of the rows to writer->filtered: strips of 4, so that matches between rows
/// count, and many, so that few details are missed.
static size_t filter_sample(cc_png_writer *writer, int strategy) {
    enum { STRIP = 4, STEP = 16, FIRST = 6 };
    size_t size = 0;
    for (size_t y = FIRST; y + STRIP <= writer->height; y += STEP) {
        size += cc_filter_rows(&writer->rows, strategy, y, y + STRIP, writer->filtered + size);
    }
    return size;
}

/// Compresses the filtered rows to writer->stream.
static size_t deflate_rows(cc_png_writer *writer, struct libdeflate_compressor *compressor, size_t size) {
    return libdeflate_zlib_compress(
        compressor, writer->filtered, size, writer->stream, writer->stream_capacity);
}

/// The strategy that suits a sample best, among the strategies worth trying on a drawing.
static int strategy_of_estimate(cc_png_writer *writer) {
    const size_t plain_size = filter_sample(writer, CC_FILTER_NONE);
    const size_t plain = cc_estimated_size(writer->filtered, plain_size);
    const size_t adaptive_size = filter_sample(writer, CC_FILTER_ADAPTIVE);
    const size_t adaptive = cc_estimated_size(writer->filtered, adaptive_size);
    return plain < adaptive ? CC_FILTER_NONE : CC_FILTER_ADAPTIVE;
}

/// The strategy that compresses best: tried on all of a drawing, on a sample of anything else.
static int strategy_of_trials(cc_png_writer *writer, cc_subject subject) {
    const int strategies[] = {CC_FILTER_NONE, CC_FILTER_AVERAGE, CC_FILTER_PAETH, CC_FILTER_ADAPTIVE};
    const compressors *compressors = &writer->compressors;
    int best = CC_FILTER_NONE;
    size_t least = SIZE_MAX;
    for (size_t i = 0; i < sizeof strategies / sizeof *strategies; i++) {
        const int strategy = strategies[i];
        const size_t size = subject == CC_DRAWING
            ? deflate_rows(writer, compressors->drawing, filter(writer, strategy))
            : deflate_rows(writer, compressors->fast, filter_sample(writer, strategy));
        if (size < least) {
            least = size;
            best = strategy;
        }
    }
    return best;
}

/// Compresses unfiltered rows both far and optimally: either can be the smaller one.
static void keep_smaller(cc_png_writer *writer, size_t size) {
    // Until it is written, the file has room.
    const size_t far = libdeflate_zlib_compress(
        writer->compressors.far, writer->filtered, size, writer->file, writer->stream_capacity);
    if (far < writer->stream_size) {
        memcpy(writer->stream, writer->file, far);
        writer->stream_size = far;
    }
}

static void compress_small(cc_png_writer *writer, bool can_filter, cc_subject subject) {
    const int strategy = can_filter ? strategy_of_trials(writer, subject) : CC_FILTER_NONE;
    const size_t size = filter(writer, strategy);
    writer->stream_size = deflate_rows(writer, writer->compressors.optimal, size);
    if (strategy == CC_FILTER_NONE) { keep_smaller(writer, size); }
}

/// The strategy if there is no time for trials.
static int quick_strategy(cc_png_writer *writer, bool can_filter, cc_subject subject) {
    if (!can_filter) { return CC_FILTER_NONE; }
    if (subject == CC_PHOTOGRAPH) { return CC_PHOTOGRAPH_FILTER; }
    // Rows of zeros are what CC_LEVEL_FAST is slowest at: twice the time of unfiltered rows.
    if (subject == CC_DRAWING && writer->effort == CC_PNG_FAST) { return CC_FILTER_NONE; }
    return strategy_of_estimate(writer);
}

static void compress_quickly(cc_png_writer *writer, bool can_filter, cc_subject subject) {
    const compressors *compressors = &writer->compressors;
    struct libdeflate_compressor *const standard[] = {
        [CC_DRAWING] = compressors->drawing,
        [CC_SCAN] = compressors->scan,
        [CC_PHOTOGRAPH] = compressors->fast,
    };
    struct libdeflate_compressor *compressor = standard[subject];
    if (writer->effort == CC_PNG_FAST) { compressor = compressors->fast; }
    const size_t size = filter(writer, quick_strategy(writer, can_filter, subject));
    writer->stream_size = deflate_rows(writer, compressor, size);
}

static void compress(cc_png_writer *writer, const uint8_t *rgba) {
    // Neighbouring indices and packed bits say nothing of each other's colours.
    const bool can_filter = writer->form.bit_depth == 8 && writer->form.palette_size == 0;
    const cc_subject subject = can_filter ? cc_subject_of(rgba, writer->width, writer->height) : CC_DRAWING;
    if (writer->effort == CC_PNG_SMALL) {
        compress_small(writer, can_filter, subject);
    } else {
        compress_quickly(writer, can_filter, subject);
    }
}

// The fence

static bool allocate_compressor(int level, struct libdeflate_compressor **compressor) {
    *compressor = libdeflate_alloc_compressor(level);
    return *compressor != NULL;
}

/// Only the compressors that the effort needs; false if memory is refused.
static bool allocate_compressors(cc_png_effort effort, compressors *compressors) {
    if (!allocate_compressor(CC_LEVEL_FAST, &compressors->fast)) { return false; }
    if (effort == CC_PNG_FAST) { return true; }
    if (!allocate_compressor(LEVEL_DRAWING, &compressors->drawing)) { return false; }
    if (effort == CC_PNG_STANDARD) { return allocate_compressor(CC_LEVEL_SCAN, &compressors->scan); }
    return allocate_compressor(LEVEL_FAR, &compressors->far)
        && allocate_compressor(LEVEL_OPTIMAL, &compressors->optimal);
}

static bool allocate(cc_png_writer *writer) {
    const size_t pixels = (size_t)writer->width * writer->height;
    const size_t row = (size_t)writer->width * 4;
    const size_t filtered = writer->height * (row + 1);
    writer->stream_capacity = libdeflate_zlib_compress_bound(NULL, filtered);
    writer->indices = cc_allocate(pixels);
    writer->packed = cc_allocate((writer->height + 1) * row);
    writer->scratch = cc_allocate(CC_ADAPTIVE_FILTERS * row);
    writer->filtered = cc_allocate(filtered);
    writer->stream = cc_allocate(writer->stream_capacity);
    writer->file = cc_allocate(writer->stream_capacity + CC_PNG_FRAME_SIZE);
    return writer->indices && writer->packed && writer->scratch && writer->filtered && writer->stream
        && writer->file && allocate_compressors(writer->effort, &writer->compressors);
}

cc_status cc_png_writer_create(
    cc_png_effort effort, uint32_t width, uint32_t height, cc_png_writer **result, cc_message *message) {
    cc_png_writer *writer = calloc(1, sizeof *writer);
    if (writer == NULL) { return cc_fail_memory(message); }
    writer->effort = effort;
    writer->width = width;
    writer->height = height;
    if (!allocate(writer)) {
        cc_png_writer_destroy(writer);
        return cc_fail_memory(message);
    }
    *result = writer;
    return CC_OK;
}

cc_status cc_png_write(
    cc_png_writer *writer, const uint8_t *rgba, const uint8_t **bytes, size_t *size, cc_message *message) {
    cc_choose_form(rgba, writer->width, writer->height, writer->indices, &writer->form);
    pack(writer, rgba);
    compress(writer, rgba);
    const cc_png_content content = {
        .form = &writer->form,
        .width = writer->width,
        .height = writer->height,
        .stream = writer->stream,
        .stream_size = writer->stream_size,
    };
    *bytes = writer->file;
    return cc_png_write_file(&content, writer->file, size, message);
}

void cc_png_writer_destroy(cc_png_writer *writer) {
    libdeflate_free_compressor(writer->compressors.fast);
    libdeflate_free_compressor(writer->compressors.scan);
    libdeflate_free_compressor(writer->compressors.drawing);
    libdeflate_free_compressor(writer->compressors.far);
    libdeflate_free_compressor(writer->compressors.optimal);
    free(writer->indices);
    free(writer->packed);
    free(writer->scratch);
    free(writer->filtered);
    free(writer->stream);
    free(writer->file);
    free(writer);
}
