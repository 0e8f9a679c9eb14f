#include <libdeflate.h>
#include <stdlib.h>
#include <string.h>

#include "deflate/tokens.h"
#include "inflate/inflate.h"
#include "png_reader.h"

// Chunks

static bool fail(cc_chunks *chunks, const char *reason) {
    chunks->failure.status = cc_fail(&chunks->failure.reason, CC_DAMAGED, "%s", reason);
    return false;
}

static bool fail_crc(cc_chunks *chunks) {
    const char type[] = {
        (char)(chunks->type >> 24), (char)(chunks->type >> 16), (char)(chunks->type >> 8), (char)chunks->type,
        0};
    cc_failure *failure = &chunks->failure;
    failure->status = cc_fail(&failure->reason, CC_DAMAGED, "%s: CRC error", type);
    return false;
}

/// Reads bytes of the file, and notes why it read fewer.
static size_t read_file(cc_chunks *chunks, uint8_t *bytes, size_t size) {
    cc_failure *failure = &chunks->failure;
    if (failure->status != CC_OK) { return 0; }
    const size_t count = fread(bytes, 1, size, chunks->file);
    if (count < size) {
        failure->file_has_ended = !ferror(chunks->file);
        failure->status = cc_fail_read(&failure->reason, chunks->file);
    }
    return count;
}

static void take_header(cc_chunks *chunks, const uint8_t header[CC_CHUNK_HEADER]) {
    chunks->left = cc_big_endian(header);
    chunks->type = cc_big_endian(header + 4);
    chunks->crc = libdeflate_crc32(0, header + 4, 4);
}

void cc_chunks_begin(cc_chunks *chunks, FILE *file, const uint8_t header[CC_CHUNK_HEADER]) {
    *chunks = (cc_chunks){.file = file};
    take_header(chunks, header);
}

size_t cc_chunks_read(cc_chunks *chunks, uint8_t *bytes, size_t size) {
    const size_t count = read_file(chunks, bytes, size < chunks->left ? size : chunks->left);
    chunks->crc = libdeflate_crc32(chunks->crc, bytes, count);
    chunks->left -= (uint32_t)count;
    return count;
}

/// Skips the rest of the current chunk, and checks its CRC.
static bool end_chunk(cc_chunks *chunks) {
    uint8_t skipped[4096];
    while (chunks->left > 0) {
        if (cc_chunks_read(chunks, skipped, sizeof skipped) == 0) { return false; }
    }
    uint8_t crc[4];
    if (read_file(chunks, crc, sizeof crc) < sizeof crc) { return false; }
    return cc_big_endian(crc) == chunks->crc || fail_crc(chunks);
}

static bool is_letter(uint8_t byte) { return (byte >= 'A' && byte <= 'Z') || (byte >= 'a' && byte <= 'z'); }

bool cc_chunks_next(cc_chunks *chunks) {
    if (!end_chunk(chunks)) { return false; }
    chunks->type = 0;
    uint8_t header[CC_CHUNK_HEADER];
    if (read_file(chunks, header, sizeof header) < sizeof header) { return false; }
    for (int i = 4; i < CC_CHUNK_HEADER; i++) {
        if (!is_letter(header[i])) { return fail(chunks, "invalid chunk type"); }
    }
    take_header(chunks, header);
    return chunks->left <= INT32_MAX || fail(chunks, "chunk length out of range");
}

// Image data

// A buffer so large that moving its unread rest is cheap compared with inflating. libpng itself writes IDAT
// chunks of 8192 bytes.
enum { INPUT = 65536 };

// Chunks are read ahead of inflating: `chunks` may already have failed while there are data to inflate.
struct cc_png_stream {
    cc_chunks chunks;
    cc_failure failure;
    bool has_begun;
    cc_inflater inflater;
    // The inflated bytes kept from before the latest call, and those of the latest call.
    size_t before, count;
    uint8_t input[INPUT];
    // The window of matches, then the latest bytes.
    uint8_t output[];
};

size_t cc_png_stream_bytes(size_t size) { return sizeof(cc_png_stream) + CC_WINDOW + size; }

cc_png_stream *cc_png_stream_create(FILE *file, const uint8_t header[CC_CHUNK_HEADER], size_t size) {
    cc_png_stream *stream = malloc(cc_png_stream_bytes(size));
    if (stream == NULL) { return NULL; }
    cc_chunks_begin(&stream->chunks, file, header);
    stream->failure = (cc_failure){.status = CC_OK};
    stream->has_begun = false;
    stream->before = stream->count = 0;
    cc_inflater_begin(&stream->inflater);
    stream->inflater.input.next = stream->inflater.input.end = stream->input;
    return stream;
}

bool cc_png_stream_fail(cc_png_stream *stream, const char *reason) {
    cc_failure *failure = &stream->failure;
    failure->file_has_ended = false;
    failure->status = cc_fail(&failure->reason, CC_DAMAGED, "%s", reason);
    return false;
}

/// Fails because there are no more chunks with image data.
static bool fail_at_end(cc_png_stream *stream) {
    stream->failure = stream->chunks.failure;
    return stream->failure.status != CC_OK ? false : cc_png_stream_fail(stream, "Not enough image data");
}

/// Refills the input after its unread rest, from several chunks if necessary.
static bool refill(cc_png_stream *stream) {
    cc_bit_reader *input = &stream->inflater.input;
    cc_chunks *chunks = &stream->chunks;
    const size_t left = cc_bytes_left(input);
    size_t count = left;
    memmove(stream->input, input->next, left);
    while (count < INPUT && chunks->type == CC_IDAT && chunks->failure.status == CC_OK) {
        if (chunks->left > 0) {
            count += cc_chunks_read(chunks, stream->input + count, INPUT - count);
        } else {
            cc_chunks_next(chunks);
        }
    }
    input->next = stream->input;
    input->end = stream->input + count;
    stream->inflater.input_is_last = chunks->type != CC_IDAT || chunks->failure.status != CC_OK;
    return count > left || fail_at_end(stream);
}

/// Reads the two bytes before the deflated data (RFC 1950, section 2.2).
static bool read_head(cc_png_stream *stream) {
    cc_bit_reader *input = &stream->inflater.input;
    if (!refill(stream)) { return false; }
    if (cc_bytes_left(input) < 2) { return fail_at_end(stream); }
    const uint8_t method = *input->next++, flags = *input->next++;
    stream->has_begun = true;
    const char *reason = (method << 8 | flags) % 31 != 0 ? "IDAT: incorrect header check"
        : (method & 15) != 8                             ? "IDAT: unknown compression method"
        : method >> 4 > 7                                ? "IDAT: invalid window size"
        : (flags & 32) != 0                              ? "IDAT: missing dictionary"
                                                         : NULL;
    return reason == NULL || cc_png_stream_fail(stream, reason);
}

/// The reason why the inflater cannot continue; NULL if more input may help.
static const char *reason_of(cc_inflate_state state) {
    switch (state) {
    case CC_INFLATE_INVALID_BLOCK: return "IDAT: invalid block";
    case CC_INFLATE_INVALID_CODE: return "IDAT: invalid code";
    case CC_INFLATE_INVALID_DISTANCE: return "IDAT: invalid distance too far back";
    case CC_INFLATE_END: return "Not enough image data";
    default: return NULL;
    }
}

/// The first of the latest bytes.
static uint8_t *latest(cc_png_stream *stream) { return stream->output + CC_WINDOW; }

/// Keeps the window of matches, and makes room after it.
static void move_window(cc_png_stream *stream) {
    const size_t all = stream->before + stream->count;
    const size_t kept = all < CC_WINDOW ? all : CC_WINDOW;
    memmove(latest(stream) - kept, latest(stream) + stream->count - kept, kept);
    stream->before = kept;
    stream->count = 0;
}

/// Inflates the available input. Returns whether to continue.
static bool inflate_some(cc_png_stream *stream, size_t size) {
    cc_inflater *inflater = &stream->inflater;
    const size_t left = cc_bytes_left(&inflater->input);
    const size_t count = cc_inflate(
        inflater, latest(stream) - stream->before, latest(stream) + stream->count, size - stream->count);
    stream->count += count;
    if (count > 0 || cc_bytes_left(&inflater->input) < left) { return true; }
    const char *reason = reason_of(inflater->state);
    return reason == NULL ? refill(stream) : cc_png_stream_fail(stream, reason);
}

/// Inflates a whole small image with libdeflate, which takes five sixths of the time. False if its data do
/// not fit into the input, or are not sound; then no input is used.
static bool inflate_whole(cc_png_stream *stream, size_t size) {
    const cc_bit_reader *input = &stream->inflater.input;
    if (!stream->inflater.input_is_last || stream->chunks.failure.status != CC_OK) { return false; }
    struct libdeflate_decompressor *decompressor = libdeflate_alloc_decompressor();
    if (decompressor == NULL) { return false; }
    const enum libdeflate_result result = libdeflate_deflate_decompress(
        decompressor, input->next, cc_bytes_left(input), latest(stream), size, &stream->count);
    libdeflate_free_decompressor(decompressor);
    if (result == LIBDEFLATE_SUCCESS && stream->count == size) { return true; }
    stream->count = 0;
    return false;
}

const uint8_t *cc_png_stream_read_whole(cc_png_stream *stream, size_t size, size_t *count) {
    if (!read_head(stream) || !inflate_whole(stream, size)) {
        return cc_png_stream_read(stream, size, count);
    }
    *count = size;
    return latest(stream);
}

const uint8_t *cc_png_stream_read(cc_png_stream *stream, size_t size, size_t *count) {
    move_window(stream);
    if (stream->failure.status == CC_OK && (stream->has_begun || read_head(stream))) {
        while (stream->count < size && inflate_some(stream, size)) {}
    }
    *count = stream->count;
    return latest(stream);
}

bool cc_png_stream_finish(cc_png_stream *stream) {
    cc_chunks *chunks = &stream->chunks;
    while (chunks->type != CC_IEND && chunks->failure.status == CC_OK) {
        if (chunks->type == CC_IHDR) { return cc_png_stream_fail(stream, "IHDR: out of place"); }
        cc_chunks_next(chunks);
    }
    if (chunks->failure.status == CC_OK) { end_chunk(chunks); }
    stream->failure = chunks->failure;
    return chunks->failure.status == CC_OK
        || (chunks->failure.file_has_ended && cc_png_stream_is_complete(stream));
}

bool cc_png_stream_is_complete(const cc_png_stream *stream) { return stream->chunks.type != CC_IDAT; }

const cc_failure *cc_png_stream_failure(const cc_png_stream *stream) { return &stream->failure; }
