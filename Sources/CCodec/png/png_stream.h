// The image data of a PNG file: what its IDAT chunks hold together, inflated.

#ifndef TILEWRIGHT_PNG_STREAM_H
#define TILEWRIGHT_PNG_STREAM_H

#include "png_chunks.h"

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
/// Neither is the window's size in the stream's head, a bound for memory that is here whatever it
/// says.
const uint8_t *cc_png_stream_read(cc_png_stream *stream, size_t size, size_t *count);

/// The same for all of a small image, once and first: more quickly if it is sound.
const uint8_t *cc_png_stream_read_whole(cc_png_stream *stream, size_t size, size_t *count);

/// Reads the file to its IEND chunk and checks the CRCs on the way. What the image data holds
/// behind its last pixel does not matter, be it too much or without an end. A file that ends behind
/// an IDAT chunk is taken as it is.
bool cc_png_stream_finish(cc_png_stream *stream);

/// Whether the chunks with image data have been read, and their CRCs were right.
bool cc_png_stream_is_complete(const cc_png_stream *stream);

/// Notes why the image data cannot be used, and returns false.
bool cc_png_stream_fail(cc_png_stream *stream, const char *reason);

/// What ended the stream: of all that is wrong with it, what stands first.
const cc_failure *cc_png_stream_failure(const cc_png_stream *stream);

/// NULL is allowed.
void cc_png_stream_destroy(cc_png_stream *stream);

#endif
