// Shared by the files of the PNG reader: chunks, their colour information, inflated image data, and rows that
// are decoded without libpng.

#ifndef TILEWRIGHT_PNG_READER_H
#define TILEWRIGHT_PNG_READER_H

#include <png.h>

#include "../shared.h"

// Chunks (specification, section 5.3): a length, a type, data, and a CRC of type and data. Chunks after the
// header are read here, since libpng does not provide the state that inflating IDAT needs.

/// The bytes before a chunk's data: length and type.
enum { CC_CHUNK_HEADER = 8 };

/// Chunk types: four letters, the first in the highest byte.
enum { CC_IDAT = 0x49444154, CC_IEND = 0x49454E44, CC_IHDR = 0x49484452 };

/// The reason why reading has ended too early, or CC_OK.
typedef struct cc_failure {
    cc_status status;
    bool file_has_ended;
    cc_message reason;
} cc_failure;

typedef struct cc_chunks {
    FILE *file;
    /// The type of the current chunk; 0 until the next chunk's header has been read.
    uint32_t type;
    /// Unread bytes of the current chunk's data.
    uint32_t left;
    uint32_t crc;
    /// After a failure, nothing more is read.
    cc_failure failure;
} cc_chunks;

/// Begins with a file that has been read up to the data of a chunk with this header.
void cc_chunks_begin(cc_chunks *chunks, FILE *file, const uint8_t header[CC_CHUNK_HEADER]);

/// Reads up to `size` bytes of the current chunk's data, and returns their number. If the file ends early,
/// fewer bytes are returned, and `failure` is set.
size_t cc_chunks_read(cc_chunks *chunks, uint8_t *bytes, size_t size);

/// Skips the rest of the current chunk, checks its CRC, and reads the header of the next.
bool cc_chunks_next(cc_chunks *chunks);

static inline uint32_t cc_big_endian(const uint8_t bytes[4]) {
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

// Colours

/// Reads the chunks of a PNG file from its beginning to its first IDAT, and rewinds it. The first of these
/// that is present counts: cICP, iCCP, sRGB, gAMA with cHRM (specification, section 4.3). Fails only on
/// system errors: damage is found again when pixels are read. The caller must free tags->profile.
cc_status cc_png_find_color(FILE *file, cc_color_tags *tags, cc_message *message);

// Image data: the joined and inflated data of the IDAT chunks

typedef struct cc_png_stream cc_png_stream;

/// Creates a stream for a file that has been read up to the data of an IDAT chunk with this header. At most
/// `size` bytes will be read at a time. NULL if there is not enough memory. The caller must free it.
cc_png_stream *cc_png_stream_create(FILE *file, const uint8_t header[CC_CHUNK_HEADER], size_t size);

/// The memory of a stream.
size_t cc_png_stream_bytes(size_t size);

/// Inflates the next `size` bytes, which are valid until the next call. *count is their number. It is less
/// than `size` if the image data or the file end, or are damaged; cc_png_stream_failure has the reason.  CRCs
/// are checked. The Adler-32 at the end of the stream is not checked, since CRCs check every byte. The window
/// size in the stream's header is not checked either: memory for the largest window is always available.
const uint8_t *cc_png_stream_read(cc_png_stream *stream, size_t size, size_t *count);

/// The same for a whole small image, as the first and only call: faster if the image is sound.
const uint8_t *cc_png_stream_read_whole(cc_png_stream *stream, size_t size, size_t *count);

/// Reads the file to its IEND chunk, and checks CRCs. Image data after the last pixel are ignored, even if
/// they are too long or lack an end. A file that ends after an IDAT chunk is accepted.
bool cc_png_stream_finish(cc_png_stream *stream);

/// Whether the chunks with image data have been read, and their CRCs were right.
bool cc_png_stream_is_complete(const cc_png_stream *stream);

/// Notes why the image data cannot be used, and returns false.
bool cc_png_stream_fail(cc_png_stream *stream, const char *reason);

/// The failure that ended the stream: the first one in the file.
const cc_failure *cc_png_stream_failure(const cc_png_stream *stream);

// Rows: the common forms are decoded without libpng, several times faster. They are inflated and unfiltered
// directly into the delivered rows, without another copy.

/// The conversion of stored pixels to delivered pixels, if they differ: palettes, gray of few bits, gray with
/// a transparent value, gray with alpha.
typedef struct cc_expansion {
    /// Bits of a stored pixel: 1, 2, 4 or 8, leftmost pixels in the highest bits; or 16 for gray with alpha.
    uint32_t stored_bits;
    /// Bytes of a delivered pixel: 1 gray, 3 RGB, 4 RGBA.
    uint32_t bytes_per_pixel;
    /// The pixel for each stored value of up to 8 bits.
    uint8_t pixels[256][4];
} cc_expansion;

/// The form of an image whose rows are not interlaced.
typedef struct cc_direct_form {
    uint32_t width;
    uint32_t height;
    /// Bits of a stored pixel: 1, 2, 4, 8, 16, 24 or 32.
    uint32_t bits_per_pixel;
    /// Whether `expansion` makes the delivered pixels; else stored pixels are delivered.
    bool is_expanded;
    cc_expansion expansion;
} cc_direct_form;

/// Finds the form of an image whose header libpng has read. False if libpng must decode the image:
/// interlaced, 16 bits, or RGB with a transparent colour.
bool cc_direct_form_of(png_structp png, png_infop info, cc_direct_form *form);

typedef struct cc_direct cc_direct;

/// The memory that decoding takes.
uint64_t cc_direct_bytes(const cc_direct_form *form);

/// Creates a decoder for a file that has been read up to the data of its first IDAT chunk, with that chunk's
/// header; NULL if there is not enough memory.
cc_direct *cc_direct_create(const cc_direct_form *form, FILE *file, const uint8_t header[CC_CHUNK_HEADER]);

/// Decodes the next `count` rows to `rows`; `count` is at most the number of rows that are left. With the
/// last row, the file is read to its end. *decoded is set to the number of sound rows. Returns whether all
/// rows are sound; if not, cc_direct_failure has the reason.
bool cc_direct_read(cc_direct *direct, uint8_t *rows, size_t stride, size_t count, size_t *decoded);

/// The reason why there are no more rows.
const cc_failure *cc_direct_failure(const cc_direct *direct);

/// NULL is allowed.
void cc_direct_destroy(cc_direct *direct);

#endif
