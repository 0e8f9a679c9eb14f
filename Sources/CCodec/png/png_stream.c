#include "png_stream.h"

#include <isa-l/igzip_lib.h>
#include <libdeflate.h>
#include <stdlib.h>
#include <string.h>

// Enough that ISA-L's work at the start and end of each call is small beside inflating; libpng
// itself writes IDAT chunks of 8192 bytes.
enum { INPUT = 65536 };

// ISA-L counts in 32 bits.
enum { LARGEST_OUTPUT = 1 << 30 };

// Chunks are read ahead of what is inflated: `chunks` may have failed behind data that is still to
// be inflated.
struct cc_png_stream {
    cc_chunks chunks;
    cc_failure failure;
    bool has_begun;
    struct inflate_state inflater;
    int result;  // of the last isal_inflate
    uint8_t input[INPUT];
};

cc_png_stream *cc_png_stream_create(FILE *file, const uint8_t header[CC_CHUNK_HEADER]) {
    cc_png_stream *stream = malloc(sizeof *stream);
    if (stream == NULL) { return NULL; }
    cc_chunks_begin(&stream->chunks, file, header);
    stream->failure = (cc_failure){.status = CC_OK};
    stream->has_begun = false;
    stream->result = ISAL_DECOMP_OK;
    isal_inflate_init(&stream->inflater);
    stream->inflater.next_in = stream->input;
    stream->inflater.avail_in = 0;
    return stream;
}

size_t cc_png_stream_bytes(void) { return sizeof(cc_png_stream); }

bool cc_png_stream_fail(cc_png_stream *stream, const char *reason) {
    cc_failure *failure = &stream->failure;
    failure->file_has_ended = false;
    failure->status = cc_fail(&failure->reason, CC_DAMAGED, "%s", reason);
    return false;
}

/// There are no more chunks with image data.
static bool fail_at_end(cc_png_stream *stream) {
    stream->failure = stream->chunks.failure;
    return stream->failure.status != CC_OK ? false : cc_png_stream_fail(stream, "Not enough image data");
}

/// Fills the input behind what is left of it, out of as many chunks as it takes.
static bool refill(cc_png_stream *stream) {
    struct inflate_state *inflater = &stream->inflater;
    cc_chunks *chunks = &stream->chunks;
    size_t count = inflater->avail_in;
    memmove(stream->input, inflater->next_in, count);
    while (count < INPUT && chunks->type == CC_IDAT && chunks->failure.status == CC_OK) {
        if (chunks->left > 0) {
            count += cc_chunks_read(chunks, stream->input + count, INPUT - count);
        } else {
            cc_chunks_next(chunks);
        }
    }
    const bool has_more = count > inflater->avail_in;
    inflater->next_in = stream->input;
    inflater->avail_in = (uint32_t)count;
    return has_more || fail_at_end(stream);
}

/// The two bytes before the deflated data (RFC 1950, section 2.2).
static bool read_head(cc_png_stream *stream) {
    struct inflate_state *inflater = &stream->inflater;
    if (!refill(stream)) { return false; }
    if (inflater->avail_in < 2) { return fail_at_end(stream); }
    const uint8_t method = inflater->next_in[0], flags = inflater->next_in[1];
    inflater->next_in += 2;
    inflater->avail_in -= 2;
    stream->has_begun = true;
    const char *reason = (method << 8 | flags) % 31 != 0 ? "IDAT: incorrect header check"
        : (method & 15) != 8                             ? "IDAT: unknown compression method"
        : method >> 4 > 7                                ? "IDAT: invalid window size"
        : (flags & 32) != 0                              ? "IDAT: missing dictionary"
                                                         : NULL;
    return reason == NULL || cc_png_stream_fail(stream, reason);
}

static const char *reason_of(int result) {
    switch (result) {
    case ISAL_INVALID_BLOCK: return "IDAT: invalid block";
    case ISAL_INVALID_SYMBOL: return "IDAT: invalid code";
    // ISAL_INVALID_LOOKBACK: without zlib's head, which is not given to it, there is no other.
    default: return "IDAT: invalid distance too far back";
    }
}

/// Inflates what is left before the damage. ISA-L inflates up to 64 kB ahead: damage behind the last
/// pixel does not matter.
static bool take_rest(cc_png_stream *stream, uint8_t *bytes, size_t size, size_t *done) {
    struct inflate_state *inflater = &stream->inflater;
    const size_t left = (size_t)(inflater->tmp_out_valid - inflater->tmp_out_processed);
    const size_t count = left < size - *done ? left : size - *done;
    if (count == 0) { return cc_png_stream_fail(stream, reason_of(stream->result)); }
    memcpy(bytes + *done, inflater->tmp_out_buffer + inflater->tmp_out_processed, count);
    inflater->tmp_out_processed += (int32_t)count;
    *done += count;
    return true;
}

/// Inflates what is there and adds its size to *done. Returns whether to go on.
static bool inflate_some(cc_png_stream *stream, uint8_t *bytes, size_t size, size_t *done) {
    if (stream->result < 0) { return take_rest(stream, bytes, size, done); }
    struct inflate_state *inflater = &stream->inflater;
    const size_t wanted = size - *done < LARGEST_OUTPUT ? size - *done : LARGEST_OUTPUT;
    const uint32_t input = inflater->avail_in;
    inflater->next_out = bytes + *done;
    inflater->avail_out = (uint32_t)wanted;
    stream->result = isal_inflate(inflater);
    const size_t count = wanted - inflater->avail_out;
    *done += count;
    if (stream->result < 0 || count > 0 || inflater->avail_in < input) { return true; }
    if (inflater->block_state == ISAL_BLOCK_FINISH) {
        return cc_png_stream_fail(stream, "Not enough image data");
    }
    return refill(stream);
}

/// Inflates all of a small image at once, for which libdeflate takes two thirds of ISA-L's time. False if
/// its data did not all fit into the input, or is not sound; then nothing has been taken of it.
static bool inflate_whole(cc_png_stream *stream, uint8_t *bytes, size_t size) {
    struct inflate_state *inflater = &stream->inflater;
    if (stream->chunks.type == CC_IDAT || stream->chunks.failure.status != CC_OK) { return false; }
    struct libdeflate_decompressor *decompressor = libdeflate_alloc_decompressor();
    if (decompressor == NULL) { return false; }
    size_t count = 0;
    const enum libdeflate_result result = libdeflate_deflate_decompress(
        decompressor, inflater->next_in, inflater->avail_in, bytes, size, &count);
    libdeflate_free_decompressor(decompressor);
    return result == LIBDEFLATE_SUCCESS && count == size;
}

size_t cc_png_stream_read_whole(cc_png_stream *stream, uint8_t *bytes, size_t size) {
    if (!read_head(stream)) { return 0; }
    return inflate_whole(stream, bytes, size) ? size : cc_png_stream_read(stream, bytes, size);
}

size_t cc_png_stream_read(cc_png_stream *stream, uint8_t *bytes, size_t size) {
    size_t done = 0;
    if (stream->failure.status != CC_OK) { return 0; }
    if (!stream->has_begun && !read_head(stream)) { return 0; }
    while (done < size && inflate_some(stream, bytes, size, &done)) {}
    return done;
}

bool cc_png_stream_finish(cc_png_stream *stream) {
    cc_chunks *chunks = &stream->chunks;
    while (chunks->type != CC_IEND && chunks->failure.status == CC_OK) {
        if (chunks->type == CC_IHDR) { return cc_png_stream_fail(stream, "IHDR: out of place"); }
        cc_chunks_next(chunks);
    }
    if (chunks->failure.status == CC_OK) { cc_chunks_end(chunks); }
    stream->failure = chunks->failure;
    return chunks->failure.status == CC_OK
        || (chunks->failure.file_has_ended && cc_png_stream_is_complete(stream));
}

bool cc_png_stream_is_complete(const cc_png_stream *stream) { return stream->chunks.type != CC_IDAT; }

const cc_failure *cc_png_stream_failure(const cc_png_stream *stream) { return &stream->failure; }

void cc_png_stream_destroy(cc_png_stream *stream) { free(stream); }
