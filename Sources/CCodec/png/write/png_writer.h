// Shared by the files of the PNG writer: forms of pixels, filtered rows, and files around a zlib stream.

#ifndef TILEWRIGHT_PNG_WRITER_H
#define TILEWRIGHT_PNG_WRITER_H

#include <libdeflate.h>

#include "../../shared.h"
#include "../deflate/deflate.h"
#include "../png_filter.h"

// Forms: the pixel formats of PNG, and the one that stores an image in the fewest bits

typedef struct cc_form {
    /// As in IHDR: 1, 2, 4 or 8; 0 gray, 2 RGB, 3 palette, 4 gray + alpha, 6 RGBA.
    int bit_depth;
    int color_type;
    /// Bits from one pixel to the next.
    int pixel_bits;
    /// With a palette: its entries; tRNS has the alphas of the first `transparent_entries`.
    cc_rgba palette[CC_MOST_COLORS];
    int palette_size;
    int transparent_entries;
    /// With at most 256 colours: the stored value for each colour, by its index in the list of colours.
    uint8_t values[CC_MOST_COLORS];
    /// Whether pixels are stored as `values`.
    bool is_indexed;
} cc_form;

/// Chooses the form of an image. `is_opaque` says that all alphas are known to be 255. `indices` has room for
/// a byte per pixel, and is filled if the form is indexed.
void cc_choose_form(
    const uint8_t *rgba, size_t width, size_t height, bool is_opaque, uint8_t *indices, cc_form *form);

/// Writes a row of pixels in a form; `indices` belong to this row.
void cc_pack_row(
    const cc_form *form, const uint8_t *rgba, const uint8_t *indices, size_t width, uint8_t *packed);

// Rows: the filters with which they compress best

/// For each row, the filter with the lowest cc_filtered_cost, without trying CC_FILTER_AVERAGE. All other
/// strategies are values of cc_filter: one filter for all rows.
enum { CC_FILTER_ADAPTIVE = CC_FILTERS };

enum { CC_ADAPTIVE_FILTERS = 4 };

/// The rows of an image. Its samples are whole bytes, or packed into bytes; filters do not help packed
/// samples.
typedef struct cc_rows {
    /// The rows without gaps, each preceded by a filter byte of 0 (CC_FILTER_NONE).
    const uint8_t *bytes;
    /// A row of zeros, used as the row before the first.
    const uint8_t *zeros;
    size_t row_bytes;
    size_t height;
    /// Bytes of a pixel.
    size_t pixel;
    /// Room for CC_ADAPTIVE_FILTERS filtered rows.
    uint8_t *scratch;
} cc_rows;

/// Writes the rows from `first` up to `end`, each preceded by its filter byte. `strategy` is a cc_filter or
/// CC_FILTER_ADAPTIVE. Returns the number of bytes written.
size_t cc_filter_rows(const cc_rows *rows, int strategy, size_t first, size_t end, uint8_t *filtered);

/// The distance from one row, or its filter byte, to the next.
static inline size_t cc_rows_stride(const cc_rows *rows) { return 1 + rows->row_bytes; }

/// An estimate of the size after deflate, in halves of a literal: literals and matches are counted in one
/// greedy pass. It shows which of two versions of the same rows compresses better, some ten times faster than
/// compressing both.
size_t cc_estimated_size(const uint8_t *bytes, size_t count);

/// The likely subject of an image, by the share of pixels that equal their left neighbours.
typedef enum cc_subject {
    /// At least five eighths: deflate finds long matches, so only a few positions are worth searching.
    CC_DRAWING,
    /// At least half: a drawing with fine detail, or a sharpened one. Many positions are worth searching.
    CC_DENSE_DRAWING,
    /// At least an eighth: a drawing with noise. Deflate finds short matches.
    CC_SCAN,
    /// Fewer: deflate finds hardly any matches, and encodes byte by byte.
    CC_PHOTOGRAPH,
} cc_subject;

/// The subject of an image. Empty pixels, all zeros, do not count. Examines every fourth row.
cc_subject cc_subject_of(const uint8_t *rgba, size_t width, size_t height);

// Files around a zlib stream

/// The size of a file without its zlib stream: signature, IHDR, PLTE and tRNS of 256 entries, the frame of
/// IDAT, and IEND. 8 + 25 + 780 + 268 + 12 + 12.
enum { CC_PNG_FRAME_SIZE = 1105 };

/// The content of a file.
typedef struct cc_png_content {
    const cc_form *form;
    uint32_t width;
    uint32_t height;
    /// The rows, filtered and compressed.
    const uint8_t *stream;
    size_t stream_size;
} cc_png_content;

/// Writes a file to `file`, which has room for the stream and CC_PNG_FRAME_SIZE bytes more.
cc_status cc_png_write_file(
    const cc_png_content *content, uint8_t *file, size_t *file_size, cc_message *message);

// The writer

// libdeflate's levels, chosen by measurement on tiles of plans and of photographs.
enum {
    // For photographs, almost only Huffman coding helps: higher levels gain 4 % in twice the time.
    CC_LEVEL_FAST = 1,
    // For scans: 9 % smaller than with level 1, in one and a half times the time. Level 6 gains another 5 %
    // in twice the time.
    CC_LEVEL_SCAN = 2,
    // libdeflate's highest level is 12.
    CC_LEVELS = 13,
};

// This filter averages noise. On samples, files are at most 2 % larger than with the best other filter, and
// mostly smaller.
enum { CC_PHOTOGRAPH_FILTER = CC_FILTER_AVERAGE };

struct cc_png_writer {
    cc_png_effort effort;
    uint32_t width;
    uint32_t height;
    // By level, those that the effort needs; the others are NULL.
    struct libdeflate_compressor *compressors[CC_LEVELS];
    cc_deflater *deflater;  // for drawings; NULL if images are too large for it

    uint8_t *indices;   // width * height
    uint8_t *packed;    // rows in the chosen form, each preceded by a filter byte of 0
    uint8_t *zeros;     // a row
    uint8_t *scratch;   // a row for each filter that is tried
    uint8_t *filtered;  // the rows, each preceded by its filter byte
    uint8_t *stream;    // the zlib stream
    size_t stream_capacity;
    uint8_t *file;
    uint32_t *pixels;  // of the filtered rows, a value each

    // The call in progress.
    const uint8_t *rgba;
    cc_form form;
    cc_rows rows;
    size_t stream_size;
};

/// Allocates compressors; false if memory is refused. `filtered` is the size of the rows with their filter
/// bytes; *capacity is set to the size that their streams need.
bool cc_png_allocate_compressors(cc_png_writer *writer, size_t filtered, size_t *capacity);

void cc_png_free_compressors(cc_png_writer *writer);

/// Bytes of memory that the compressors of an effort touch.
size_t cc_png_compressor_bytes(cc_png_effort effort);

/// Compresses the image to writer->stream: its form is chosen, and its rows are packed.
void cc_png_compress(cc_png_writer *writer);

#endif
