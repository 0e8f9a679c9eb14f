// What the files of the PNG reader share: chunks, what they say of colours, inflated image data, and rows
// that are decoded without libpng.

#ifndef TILEWRIGHT_PNG_READER_H
#define TILEWRIGHT_PNG_READER_H

#include <png.h>

#include "../message.h"

// Chunks (specification, section 5.3): a length, a type, data, and a CRC of type and data. After the header
// they are read here and not by libpng, which does not give away the state that inflating IDAT needs.

/// The bytes before a chunk's data: length and type.
enum { CC_CHUNK_HEADER = 8 };

/// Chunk types: four letters, the first in the highest byte.
enum { CC_IDAT = 0x49444154, CC_IEND = 0x49454E44, CC_IHDR = 0x49484452 };

/// Why reading has ended too early; CC_OK while it has not.
typedef struct cc_failure {
    cc_status status;
    bool file_has_ended;
    cc_message reason;
} cc_failure;

typedef struct cc_chunks {
    FILE *file;
    /// Of the current chunk; 0 while the next one's header is missing.
    uint32_t type;
    /// Bytes of the current chunk's data that have not been read.
    uint32_t left;
    uint32_t crc;
    /// Once something has failed, nothing more is read.
    cc_failure failure;
} cc_chunks;

/// Takes over a file that has been read up to the data of a chunk with this header.
void cc_chunks_begin(cc_chunks *chunks, FILE *file, const uint8_t header[CC_CHUNK_HEADER]);

/// Reads the next `size` bytes of the current chunk's data, or as many as are left of it. Returns
/// how many. If the file ends before, it returns how many there were, and `failure` says so.
size_t cc_chunks_read(cc_chunks *chunks, uint8_t *bytes, size_t size);

/// Skips what is left of the current chunk, and checks its CRC.
bool cc_chunks_end(cc_chunks *chunks);

/// Ends the current chunk and reads the header of the next.
bool cc_chunks_next(cc_chunks *chunks);

static inline uint32_t cc_big_endian(const uint8_t bytes[4]) {
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

// Colours

/// Reads the chunks of a PNG file from its beginning to its first IDAT, and rewinds it. Of cICP,
/// iCCP, sRGB, and gAMA with cHRM, the first in this order counts (specification, section 4.3).
/// Damage to the file is not reported: reading the pixels meets it again. It fails if the system
/// does. tags->profile is to be freed by the caller.
cc_status cc_png_find_color(FILE *file, cc_color_tags *tags, cc_message *message);

// Image data: what the IDAT chunks hold together, inflated

typedef struct cc_png_stream cc_png_stream;

/// A stream over a file that has been read up to the data of an IDAT chunk with this header, of which at most
/// `size` bytes are read at a time; NULL if there is no memory for it.
cc_png_stream *cc_png_stream_create(FILE *file, const uint8_t header[CC_CHUNK_HEADER], size_t size);

/// The memory of a stream.
size_t cc_png_stream_bytes(size_t size);

/// Inflates the next `size` bytes, which stay until the next call. *count says how many there are, if fewer
/// because the image data or the file ends or is damaged; cc_png_stream_failure says which.
///
/// CRCs are checked. The Adler-32 at the end of the stream is not: the CRCs vouch for every byte.
/// Neither is the window's size in the stream's head: memory for the largest is always there.
const uint8_t *cc_png_stream_read(cc_png_stream *stream, size_t size, size_t *count);

/// The same for all of a small image, once and first: faster if it is sound.
const uint8_t *cc_png_stream_read_whole(cc_png_stream *stream, size_t size, size_t *count);

/// Reads the file to its IEND chunk and checks the CRCs on the way. What the image data holds
/// behind its last pixel does not matter, be it too much or without an end. A file that ends behind
/// an IDAT chunk is accepted.
bool cc_png_stream_finish(cc_png_stream *stream);

/// Whether the chunks with image data have been read, and their CRCs were right.
bool cc_png_stream_is_complete(const cc_png_stream *stream);

/// Notes why the image data cannot be used, and returns false.
bool cc_png_stream_fail(cc_png_stream *stream, const char *reason);

/// What ended the stream: of all that is wrong with it, the first in the file.
const cc_failure *cc_png_stream_failure(const cc_png_stream *stream);

/// NULL is allowed.
void cc_png_stream_destroy(cc_png_stream *stream);

// Rows: the common forms are decoded without libpng, several times faster. They are inflated and unfiltered
// into the rows that are delivered, without another copy.

/// How stored pixels become delivered ones if the two differ: palettes, gray of few bits, gray with a
/// transparent value, gray with alpha.
typedef struct cc_expansion {
    /// Of a stored pixel: 1, 2, 4 or 8, leftmost pixels in the highest bits, or 16 for gray with
    /// alpha.
    uint32_t stored_bits;
    /// Of a delivered pixel: 1 gray, 3 RGB, 4 RGBA.
    uint32_t bytes_per_pixel;
    /// The pixel that each stored value of up to 8 bits stands for.
    uint8_t pixels[256][4];
} cc_expansion;

/// The form of an image whose rows are not interlaced.
typedef struct cc_direct_form {
    uint32_t width;
    uint32_t height;
    /// Of a stored pixel: 1, 2, 4, 8, 16, 24 or 32.
    uint32_t bits_per_pixel;
    /// Whether `expansion` makes the delivered pixels; else they are the stored ones.
    bool is_expanded;
    cc_expansion expansion;
} cc_direct_form;

/// The form of an image whose header libpng has read; false if it is left to libpng: interlaced,
/// 16 bits, or RGB with a transparent colour.
bool cc_direct_form_of(png_structp png, png_infop info, cc_direct_form *form);

typedef struct cc_direct cc_direct;

/// The memory that decoding takes.
uint64_t cc_direct_bytes(const cc_direct_form *form);

/// A decoder for a file that has been read up to the data of its first IDAT chunk, with the header of
/// that chunk; NULL if there is no memory for it.
cc_direct *cc_direct_create(const cc_direct_form *form, FILE *file, const uint8_t header[CC_CHUNK_HEADER]);

/// Decodes the next `count` rows to `rows`; no more than are left. With the last row the file is
/// read to its end. *decoded is set to the number of rows that are sound. Returns whether all is
/// well; if not, cc_direct_failure says why.
bool cc_direct_read(cc_direct *direct, uint8_t *rows, size_t stride, size_t count, size_t *decoded);

/// Why there are no more rows.
const cc_failure *cc_direct_failure(const cc_direct *direct);

/// NULL is allowed.
void cc_direct_destroy(cc_direct *direct);

#endif
