#include <string.h>

#include "png_writer.h"

// libdeflate's levels for images that cc_deflater does not suit, in addition to the levels that views use.
// They were chosen by measurement on tiles of plans and of photographs.
enum {
    // For palettes and dense drawings. 7 gains 1 % for a quarter more time.
    LEVEL_DRAWING = 6,
    // Looks furthest back for matches: on unfiltered drawings up to 5 % less than LEVEL_DRAWING for
    // three times the time.
    LEVEL_FAR = 9,
    // The first level that compares choices: 3 to 5 % less for some fifteen times the time.
    LEVEL_OPTIMAL = 10,
    // Compares choices repeatedly: another 6 % less for drawings, for four times the time.
    LEVEL_LAST = 12,
};

// Rows

/// The bytes of all rows, filtered with a strategy.
static const uint8_t *filter(cc_png_writer *writer, int strategy) {
    if (strategy == CC_FILTER_NONE) { return writer->rows.bytes; }
    const size_t size = cc_filter_rows(&writer->rows, strategy, 0, writer->height, writer->filtered);
    memset(writer->filtered + size, 0, CC_READ_AHEAD);
    return writer->filtered;
}

static size_t filtered_size(const cc_png_writer *writer) {
    return writer->height * cc_rows_stride(&writer->rows);
}

/// Filters a quarter of the rows to writer->filtered. They are strips of 4 rows, so that matches between rows
/// count, and many strips, so that few details are missed. With only an eighth of the rows, wrong choices
/// become frequent.
static size_t filter_sample(cc_png_writer *writer, int strategy) {
    enum { STRIP = 4, STEP = 16, FIRST = 6 };
    size_t size = 0;
    for (size_t y = FIRST; y + STRIP <= writer->height; y += STEP) {
        size += cc_filter_rows(&writer->rows, strategy, y, y + STRIP, writer->filtered + size);
    }
    return size;
}

/// Compresses filtered rows to writer->stream.
static size_t deflate_rows(cc_png_writer *writer, int level, const uint8_t *filtered, size_t size) {
    return libdeflate_zlib_compress(
        writer->compressors[level], filtered, size, writer->stream, writer->stream_capacity);
}

/// Extracts the pixels of the filtered rows.
static void unpack(cc_png_writer *writer, const uint8_t *bytes) {
    const size_t pixel = writer->rows.pixel, width = writer->rows.row_bytes / pixel;
    const uint32_t mask = UINT32_MAX >> (32 - pixel * 8);
    uint32_t *pixels = writer->pixels;
    for (size_t y = 0; y < writer->height; y++) {
        bytes++;  // the filter
        for (size_t x = 0; x < width; x++, bytes += pixel) {
            uint32_t four;
            memcpy(&four, bytes, 4);
            pixels[x] = four & mask;
        }
        pixels += width;
    }
}

/// Filters the rows of a drawing, and compresses them to a stream.
static size_t deflate_drawing(cc_png_writer *writer, int strategy, uint8_t *stream) {
    const uint8_t *filtered = filter(writer, strategy);
    // Unfiltered pixels are the pixels of the image. Without alpha, their fourth byte is always the same.
    const bool is_aligned = (uintptr_t)writer->rgba % sizeof(uint32_t) == 0;
    const bool is_image = is_aligned && strategy == CC_FILTER_NONE && writer->form.pixel_bits >= 24;
    if (!is_image) { unpack(writer, filtered); }
    const cc_raster raster = {
        .bytes = filtered,
        .pixels = is_image ? (const uint32_t *)(const void *)writer->rgba : writer->pixels,
        .width = (uint32_t)(writer->rows.row_bytes / writer->rows.pixel),
        .height = writer->height,
        .pixel = (uint32_t)writer->rows.pixel,
    };
    return cc_deflate(writer->deflater, &raster, stream);
}

/// The strategy that suits a sample best, among the strategies worth trying on a drawing.
static int strategy_of_estimate(cc_png_writer *writer) {
    const size_t plain_size = filter_sample(writer, CC_FILTER_NONE);
    const size_t plain = cc_estimated_size(writer->filtered, plain_size);
    const size_t adaptive_size = filter_sample(writer, CC_FILTER_ADAPTIVE);
    const size_t adaptive = cc_estimated_size(writer->filtered, adaptive_size);
    return plain < adaptive ? CC_FILTER_NONE : CC_FILTER_ADAPTIVE;
}

static bool is_drawing(cc_subject subject) { return subject == CC_DRAWING || subject == CC_DENSE_DRAWING; }

/// The compressed size of rows with a strategy: all rows of a drawing, a sample of other images.
static size_t trial_size(cc_png_writer *writer, cc_subject subject, int strategy) {
    if (is_drawing(subject)) {
        const uint8_t *filtered = filter(writer, strategy);
        return deflate_rows(writer, LEVEL_FAR, filtered, filtered_size(writer));
    }
    const size_t size = filter_sample(writer, strategy);
    return deflate_rows(writer, CC_LEVEL_FAST, writer->filtered, size);
}

/// The strategy that compresses best.
static int strategy_of_trials(cc_png_writer *writer, cc_subject subject) {
    const int strategies[] = {CC_FILTER_NONE, CC_FILTER_AVERAGE, CC_FILTER_PAETH, CC_FILTER_ADAPTIVE};
    int best = CC_FILTER_NONE;
    size_t least = SIZE_MAX;
    for (size_t i = 0; i < sizeof strategies / sizeof *strategies; i++) {
        const size_t size = trial_size(writer, subject, strategies[i]);
        if (size < least) {
            least = size;
            best = strategies[i];
        }
    }
    return best;
}

/// Compresses a drawing with both strategies, keeps the smaller stream, and returns the strategy that will be
/// better with LEVEL_LAST.
static int try_strategies(cc_png_writer *writer) {
    const size_t plain = deflate_drawing(writer, CC_FILTER_NONE, writer->stream);
    // The file's buffer is free until the file is written.
    const size_t adaptive = deflate_drawing(writer, CC_FILTER_ADAPTIVE, writer->file);
    writer->stream_size = plain;
    if (adaptive < plain) {
        memcpy(writer->stream, writer->file, adaptive);
        writer->stream_size = adaptive;
    }
    // LEVEL_LAST gains more on unfiltered rows, by about a fortieth.
    return adaptive < plain - plain / 40 ? CC_FILTER_ADAPTIVE : CC_FILTER_NONE;
}

static void keep_if_smaller(cc_png_writer *writer, size_t size) {
    if (size == 0 || size >= writer->stream_size) { return; }
    memcpy(writer->stream, writer->file, size);
    writer->stream_size = size;
}

/// Compresses the filtered rows, and keeps the stream if it is smaller than the current one.
static void keep_smaller(cc_png_writer *writer, int level, const uint8_t *filtered) {
    const size_t bytes = filtered_size(writer);
    const size_t size = libdeflate_zlib_compress(
        writer->compressors[level], filtered, bytes, writer->file, writer->stream_capacity);
    keep_if_smaller(writer, size);
    if (writer->deflater == NULL || size == 0) { return; }
    keep_if_smaller(writer, cc_recode(writer->deflater, filtered, bytes, writer->file, size, writer->file));
}

static void compress_small_drawing(cc_png_writer *writer) {
    // LEVEL_LAST takes as long for small streams as for large ones. A quarter of a plan's tiles, with a
    // fourteenth of all bytes, are below this size.
    enum { LITTLE = 4096 };
    const int strategy = try_strategies(writer);
    const bool is_little = writer->stream_size < LITTLE;
    keep_smaller(writer, is_little ? LEVEL_FAR : LEVEL_LAST, filter(writer, strategy));
}

static void compress_small(cc_png_writer *writer, bool can_filter, cc_subject subject) {
    if (writer->deflater != NULL && is_drawing(subject) && writer->rows.pixel >= 3) {
        compress_small_drawing(writer);
        return;
    }
    const int strategy = can_filter ? strategy_of_trials(writer, subject) : CC_FILTER_NONE;
    const uint8_t *filtered = filter(writer, strategy);
    writer->stream_size = SIZE_MAX;
    keep_smaller(writer, LEVEL_OPTIMAL, filtered);
    // For unfiltered rows, either stream can be smaller.
    if (strategy == CC_FILTER_NONE) { keep_smaller(writer, LEVEL_FAR, filtered); }
}

/// The strategy if there is no time for trials.
static int quick_strategy(cc_png_writer *writer, bool can_filter, cc_subject subject) {
    if (!can_filter) { return CC_FILTER_NONE; }
    if (subject == CC_PHOTOGRAPH) { return CC_PHOTOGRAPH_FILTER; }
    if (is_drawing(subject) && writer->effort == CC_PNG_FAST) { return CC_FILTER_NONE; }
    return strategy_of_estimate(writer);
}

/// Whether cc_deflater is worth its time: for dense drawings, it saves at most 1 %, and takes one and a half
/// times the time.
static bool uses_deflater(const cc_png_writer *writer, cc_subject subject) {
    return writer->deflater != NULL && subject == CC_DRAWING
        && (writer->rows.pixel >= 3 || writer->effort == CC_PNG_FAST);
}

static void compress_quickly(cc_png_writer *writer, bool can_filter, cc_subject subject) {
    const int strategy = quick_strategy(writer, can_filter, subject);
    if (uses_deflater(writer, subject)) {
        writer->stream_size = deflate_drawing(writer, strategy, writer->stream);
        return;
    }
    static const int levels[] = {
        [CC_DRAWING] = LEVEL_DRAWING,
        [CC_DENSE_DRAWING] = LEVEL_DRAWING,
        [CC_SCAN] = CC_LEVEL_SCAN,
        [CC_PHOTOGRAPH] = CC_LEVEL_FAST,
    };
    const int level = writer->effort == CC_PNG_FAST ? CC_LEVEL_FAST : levels[subject];
    const uint8_t *filtered = filter(writer, strategy);
    writer->stream_size = deflate_rows(writer, level, filtered, filtered_size(writer));
}

void cc_png_compress(cc_png_writer *writer) {
    // Filters do not help palette indices and packed bits: similar values need not be similar colours.
    const bool can_filter = writer->form.bit_depth == 8 && writer->form.palette_size == 0;
    const cc_subject subject =
        can_filter ? cc_subject_of(writer->rgba, writer->width, writer->height) : CC_DRAWING;
    if (writer->effort == CC_PNG_SMALL) {
        compress_small(writer, can_filter, subject);
    } else {
        compress_quickly(writer, can_filter, subject);
    }
}

// Memory

/// Allocates only the compressors that the effort needs; false if memory is refused.
static bool allocate_compressors(cc_png_writer *writer) {
    static const int levels[][4] = {
        [CC_PNG_FAST] = {CC_LEVEL_FAST},
        [CC_PNG_STANDARD] = {CC_LEVEL_FAST, CC_LEVEL_SCAN, LEVEL_DRAWING},
        [CC_PNG_SMALL] = {CC_LEVEL_FAST, LEVEL_FAR, LEVEL_OPTIMAL, LEVEL_LAST},
    };
    for (int i = 0; i < 4 && levels[writer->effort][i] > 0; i++) {
        const int level = levels[writer->effort][i];
        writer->compressors[level] = libdeflate_alloc_compressor(level);
        if (writer->compressors[level] == NULL) { return false; }
    }
    return true;
}

/// The memory of a libdeflate 1.14 compressor, measured with mallinfo2: one table for level 1, two with
/// chains for levels 2 to 9. From level 10 on, it allocates 9 MB, mostly for matches that an image rarely
/// has, so that tiles touch two thirds; of the two compressors, mostly only one is used. The last two values
/// are for cc_deflater, of whose memory drawings touch two thirds.
enum {
    BYTES_OF_LEVEL_1 = 205456,
    BYTES_OF_CHAINS = 671744,
    BYTES_OF_OPTIMAL = 6 << 20,
    BYTES_OF_QUICK_DEFLATER = 800 << 10,
    BYTES_OF_DEFLATER = 1200 << 10,
};

size_t cc_png_compressor_bytes(cc_png_effort effort) {
    switch (effort) {
    case CC_PNG_FAST: return BYTES_OF_LEVEL_1 + BYTES_OF_QUICK_DEFLATER;
    case CC_PNG_STANDARD: return BYTES_OF_LEVEL_1 + 2 * BYTES_OF_CHAINS + BYTES_OF_DEFLATER;
    case CC_PNG_SMALL: break;
    }
    return BYTES_OF_LEVEL_1 + BYTES_OF_CHAINS + BYTES_OF_OPTIMAL + BYTES_OF_DEFLATER;
}

bool cc_png_allocate_compressors(cc_png_writer *writer, size_t filtered, size_t *capacity) {
    *capacity = libdeflate_zlib_compress_bound(NULL, filtered);
    // cc_deflater counts in 32 bits.
    if (filtered < INT32_MAX) {
        writer->deflater = cc_deflater_create(writer->effort);
        if (writer->deflater == NULL) { return false; }
        const size_t bound = cc_deflate_bound(filtered);
        if (bound > *capacity) { *capacity = bound; }
    }
    return allocate_compressors(writer);
}

void cc_png_free_compressors(cc_png_writer *writer) {
    for (int level = 0; level < CC_LEVELS; level++) {
        libdeflate_free_compressor(writer->compressors[level]);
    }
    cc_deflater_destroy(writer->deflater);
}
