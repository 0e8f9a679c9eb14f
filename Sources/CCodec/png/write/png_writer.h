// The writer of images of one size, and how it compresses them.

#ifndef TILEWRIGHT_PNG_WRITER_H
#define TILEWRIGHT_PNG_WRITER_H

#include <libdeflate.h>

#include "CCodec.h"
#include "../deflate/deflate.h"
#include "png_form.h"
#include "png_rows.h"

/// Those that the effort needs; the others are NULL.
typedef struct cc_compressors {
    struct libdeflate_compressor *fast, *scan, *drawing, *far, *optimal, *last;
} cc_compressors;

struct cc_png_writer {
    cc_png_effort effort;
    uint32_t width;
    uint32_t height;
    cc_compressors compressors;
    cc_deflater *deflater;  // of drawings; NULL if images are too large for it

    uint8_t *indices;   // width * height
    uint8_t *packed;    // rows in the form chosen, each behind the byte of its filter, 0
    uint8_t *zeros;     // a row
    uint8_t *scratch;   // a row under each of the filters tried
    uint8_t *filtered;  // the rows, each behind the byte of its filter
    uint8_t *stream;    // the zlib stream
    size_t stream_capacity;
    uint8_t *file;
    uint32_t *pixels;  // of the filtered rows, one by one

    // The call in progress.
    const uint8_t *rgba;
    cc_form form;
    cc_rows rows;
    size_t stream_size;
};

/// Allocates what compresses; false if memory is refused. Streams need `capacity` bytes of the rows' bytes,
/// their filters among them.
bool cc_png_allocate_compressors(cc_png_writer *writer, size_t filtered, size_t *capacity);

void cc_png_free_compressors(cc_png_writer *writer);

/// Bytes of memory that the compressors of an effort touch.
size_t cc_png_compressor_bytes(cc_png_effort effort);

/// Compresses the image to writer->stream: its form is chosen, and its rows are packed.
void cc_png_compress(cc_png_writer *writer);

#endif
