// The chunks of a PNG file (specification, section 5.3): a length, a type, data, and a CRC of type
// and data. Behind the header they are read here and not by libpng, which keeps the state that
// inflating IDAT on one's own would need to itself.

#ifndef TILEWRIGHT_PNG_CHUNKS_H
#define TILEWRIGHT_PNG_CHUNKS_H

#include <stdio.h>

#include "../message.h"

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

#endif
