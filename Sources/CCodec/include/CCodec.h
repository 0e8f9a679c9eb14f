// The fence around libpng, libjpeg, libdeflate and ISA-L: setjmp, error handlers and the libraries'
// structs stay behind these functions.
//
// Threading: there are no globals. A handle is used by one thread at a time; different handles are
// independent of each other.
// Errors: whatever can fail returns a status; unless that is CC_OK, the message holds one clause of
// English, in lower case, without the file's name and without a full stop. A reader that has failed
// may only be closed; a writer goes on with the next image.
// Sizes: rows and pixels are counted in pixels, strides and buffers in bytes.

#ifndef TILEWRIGHT_CCODEC_H
#define TILEWRIGHT_CCODEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum cc_status {
    CC_OK = 0,
    /// The file cannot be opened; the message is the system's.
    CC_CANNOT_OPEN,
    /// The system failed to read from a file that is open; the message is the system's.
    CC_READ_FAILED,
    /// The file ends too early, or its contents contradict the format.
    CC_DAMAGED,
    /// The file is sound as far as we can see, but of a kind that is not read.
    CC_UNSUPPORTED,
    /// The system refused memory.
    CC_OUT_OF_MEMORY,
} cc_status;

/// Why a call failed: NUL-terminated, cut where it is too long.
typedef struct cc_message {
    char text[256];
} cc_message;

/// What is known of an image once its header is read.
typedef struct cc_image {
    uint32_t width;
    uint32_t height;
    /// Of a row as it is delivered: 1 gray; 3 red, green, blue; 4 with straight alpha. 8 bits each.
    uint32_t bytes_per_pixel;
    /// Memory that the decoder will allocate when the first row is asked for.
    uint64_t decoder_bytes;
    /// The metadata's EXIF block from its TIFF header on, or NULL; it lives as long as the handle.
    const uint8_t *exif;
    size_t exif_size;
} cc_image;

// PNG in

typedef struct cc_png_reader cc_png_reader;

typedef struct cc_png_header {
    cc_image image;
    /// As in IHDR: 1, 2, 4, 8 or 16 bits per sample; 0 gray, 2 RGB, 3 palette, 4 gray + alpha, 6
    /// RGBA.
    int bit_depth;
    int color_type;
    /// Whether a tRNS chunk makes a colour or palette entries transparent.
    bool has_transparency;
    bool is_interlaced;
} cc_png_header;

/// Opens a PNG file and reads it up to its first pixel. The limits of libpng on width and height
/// are lifted to those of the format; nothing proportional to them is allocated here. On success
/// *reader is to be closed by the caller.
cc_status cc_png_open(
    const char *path, cc_png_reader **reader, cc_png_header *header, cc_message *message);

/// Decodes the next `count` rows to `rows`; no more than are left. An interlaced image is decoded
/// whole by the first call. Gray of less than 8 bits is spread over 0...255, 16 bits are scaled to
/// 8 with rounding after tRNS has been compared at full depth. A chunk with a wrong CRC is an
/// error, wherever it stands; that the file ends behind the IDAT chunk of the last pixel, without
/// IEND, is not.
cc_status cc_png_read_rows(
    cc_png_reader *reader, uint8_t *rows, size_t stride, size_t count, cc_message *message);

/// NULL is allowed.
void cc_png_close(cc_png_reader *reader);

// JPEG in

typedef struct cc_jpeg_reader cc_jpeg_reader;

typedef enum cc_jpeg_color {
    CC_JPEG_GRAY,
    CC_JPEG_RGB,
    CC_JPEG_YCBCR,
    CC_JPEG_CMYK,
    CC_JPEG_YCCK,
} cc_jpeg_color;

typedef struct cc_jpeg_header {
    cc_image image;
    cc_jpeg_color color;
    bool is_progressive;
} cc_jpeg_header;

/// Opens a JPEG file and reads it up to its first scan. On success *reader is to be closed by the
/// caller.
///
/// A `reduction` of 2, 4 or 8 reads squares of so many pixels as one, out of the low frequencies of
/// each block; width and height are those of the reduced image, whose last column and row may stand
/// for fewer pixels. 1 reads all pixels.
cc_status cc_jpeg_open(
    const char *path, unsigned reduction, cc_jpeg_reader **reader, cc_jpeg_header *header,
    cc_message *message);

/// Decodes the next `count` rows to `rows`; no more than are left. An image of several scans is
/// absorbed whole by the first call. Inks become light by multiplication: R = (1 - C) * (1 - K),
/// where a file with an Adobe marker stores 1 - C and 1 - K. What libjpeg would patch with gray,
/// missing or contradictory scan data, is an error here.
cc_status cc_jpeg_read_rows(
    cc_jpeg_reader *reader, uint8_t *rows, size_t stride, size_t count, cc_message *message);

/// NULL is allowed.
void cc_jpeg_close(cc_jpeg_reader *reader);

// PNG out

typedef struct cc_png_writer cc_png_writer;

typedef enum cc_png_effort {
    CC_PNG_FAST,
    CC_PNG_STANDARD,
    CC_PNG_SMALL,
} cc_png_effort;

/// A writer for images of up to width * height pixels; allocates all that encoding them needs.
cc_status cc_png_writer_create(
    cc_png_effort effort, uint32_t width, uint32_t height, cc_png_writer **writer,
    cc_message *message);

/// Encodes an image of the size given to cc_png_writer_create, RGBA with straight alpha, rows
/// without gaps, as the smallest of gray, palette, gray + alpha, RGB and RGBA that holds its pixels
/// exactly. *bytes points into the writer and holds until its next call.
cc_status cc_png_write(
    cc_png_writer *writer, const uint8_t *rgba, const uint8_t **bytes, size_t *size,
    cc_message *message);

/// NULL is allowed.
void cc_png_writer_destroy(cc_png_writer *writer);

/// Whether RGBA pixels, at least one, are all the same; known at the first that differs.
bool cc_is_uniform(const uint8_t *rgba, size_t pixels);

// JPEG out

typedef struct cc_jpeg_writer cc_jpeg_writer;

/// A writer at libjpeg's `quality`, 1...100: chroma is halved both ways below 90, whole from 90 on.
cc_status cc_jpeg_writer_create(int quality, cc_jpeg_writer **writer, cc_message *message);

/// Encodes RGBA pixels, rows without gaps, as gray where all of them are; alpha is ignored. *bytes
/// points into the writer and holds until its next call. Width and height are 1...65500.
cc_status cc_jpeg_write(
    cc_jpeg_writer *writer, const uint8_t *rgba, uint32_t width, uint32_t height,
    const uint8_t **bytes, size_t *size, cc_message *message);

/// NULL is allowed.
void cc_jpeg_writer_destroy(cc_jpeg_writer *writer);

#endif
