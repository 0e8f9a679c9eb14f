// Reads bits, the first of a byte lowest (RFC 1951, section 3.1.1).

#ifndef TILEWRIGHT_INFLATE_BIT_READER_H
#define TILEWRIGHT_INFLATE_BIT_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct cc_bit_reader {
    /// Bytes that have not been taken.
    const uint8_t *next, *end;
    /// Bits that have been taken and not been used. After cc_refill_quickly there may be others above
    /// `count`, the very ones that come there when their bytes are taken.
    uint64_t bits;
    unsigned count;
} cc_bit_reader;

enum {
    /// Bits that are there after refilling, unless the input ends before.
    CC_REFILLED = 56,
    /// Bytes that cc_refill_quickly reads.
    CC_REFILL_BYTES = 8,
};

static inline size_t cc_bytes_left(const cc_bit_reader *reader) {
    return (size_t)(reader->end - reader->next);
}

static inline uint64_t cc_low_bits(uint64_t bits, unsigned count) {
    return bits & ((UINT64_C(1) << count) - 1);
}

/// Takes bytes one by one, as many as there are and have room.
static inline void cc_refill(cc_bit_reader *reader) {
    while (reader->count < CC_REFILLED && reader->next < reader->end) {
        reader->bits |= (uint64_t)*reader->next++ << reader->count;
        reader->count += 8;
    }
}

/// Takes bytes together; at least CC_REFILL_BYTES are left.
static inline void cc_refill_quickly(cc_bit_reader *reader) {
    uint64_t word;
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    memcpy(&word, reader->next, sizeof word);
#else
    word = 0;
    for (int i = 0; i < 8; i++) { word |= (uint64_t)reader->next[i] << (i * 8); }
#endif
    reader->bits |= word << reader->count;
    // As many whole bytes as fit below bit 63; the count then lies in 56 to 63.
    reader->next += (63 - reader->count) >> 3;
    reader->count |= CC_REFILLED;
}

/// Uses bits that are there.
static inline void cc_skip_bits(cc_bit_reader *reader, unsigned count) {
    reader->bits >>= count;
    reader->count -= count;
}

static inline uint32_t cc_use_bits(cc_bit_reader *reader, unsigned count) {
    const uint32_t value = (uint32_t)cc_low_bits(reader->bits, count);
    cc_skip_bits(reader, count);
    return value;
}

/// Gives whole bytes back.
static inline void cc_give_back(cc_bit_reader *reader) {
    reader->next -= reader->count / 8;
    reader->count %= 8;
    reader->bits = cc_low_bits(reader->bits, reader->count);
}

#endif
