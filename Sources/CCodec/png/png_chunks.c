#include "png_chunks.h"

#include <errno.h>
#include <libdeflate.h>

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

static uint32_t big_endian(const uint8_t bytes[4]) {
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

/// Reads bytes of the file, and notes why it read fewer.
static size_t read_file(cc_chunks *chunks, uint8_t *bytes, size_t size) {
    cc_failure *failure = &chunks->failure;
    if (failure->status != CC_OK) { return 0; }
    const size_t count = fread(bytes, 1, size, chunks->file);
    if (count < size && ferror(chunks->file)) {
        failure->status = cc_fail_errno(&failure->reason, CC_READ_FAILED, errno);
    } else if (count < size) {
        failure->status = cc_fail(&failure->reason, CC_DAMAGED, "the file ends");
        failure->file_has_ended = true;
    }
    return count;
}

static void take_header(cc_chunks *chunks, const uint8_t header[CC_CHUNK_HEADER]) {
    chunks->left = big_endian(header);
    chunks->type = big_endian(header + 4);
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

bool cc_chunks_end(cc_chunks *chunks) {
    uint8_t skipped[4096];
    while (chunks->left > 0) {
        if (cc_chunks_read(chunks, skipped, sizeof skipped) == 0) { return false; }
    }
    uint8_t crc[4];
    if (read_file(chunks, crc, sizeof crc) < sizeof crc) { return false; }
    return big_endian(crc) == chunks->crc || fail_crc(chunks);
}

static bool is_letter(uint8_t byte) { return (byte >= 'A' && byte <= 'Z') || (byte >= 'a' && byte <= 'z'); }

bool cc_chunks_next(cc_chunks *chunks) {
    if (!cc_chunks_end(chunks)) { return false; }
    chunks->type = 0;
    uint8_t header[CC_CHUNK_HEADER];
    if (read_file(chunks, header, sizeof header) < sizeof header) { return false; }
    for (int i = 4; i < CC_CHUNK_HEADER; i++) {
        if (!is_letter(header[i])) { return fail(chunks, "invalid chunk type"); }
    }
    take_header(chunks, header);
    return chunks->left <= INT32_MAX || fail(chunks, "chunk length out of range");
}
