// Blocks of a deflate stream, and their bits.

#ifndef TILEWRIGHT_DEFLATE_BLOCK_H
#define TILEWRIGHT_DEFLATE_BLOCK_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "tokens.h"

// The bits of a stream, the first of a byte lowest

/// Writes eight bytes at a time, so the buffer needs room for eight more bytes.
typedef struct cc_bit_writer {
    uint8_t *next;
    uint64_t bits;
    unsigned count;
} cc_bit_writer;

/// Adds up to 56 bits; higher bits of `value` must be 0. cc_flush_bits makes room for 56 bits.
static inline void cc_put_bits(cc_bit_writer *writer, uint64_t value, unsigned count) {
    writer->bits |= value << writer->count;
    writer->count += count;
}

/// Writes whole bytes, so that fewer than eight bits remain.
static inline void cc_flush_bits(cc_bit_writer *writer) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    memcpy(writer->next, &writer->bits, 8);
#else
    for (int i = 0; i < 8; i++) { writer->next[i] = (uint8_t)(writer->bits >> (i * 8)); }
#endif
    const unsigned bytes = writer->count / 8;
    writer->next += bytes;
    writer->bits >>= bytes * 8;
    writer->count %= 8;
}

/// Fills the last byte with zeros.
static inline void cc_align_bits(cc_bit_writer *writer) {
    cc_put_bits(writer, 0, (8 - writer->count % 8) % 8);
    cc_flush_bits(writer);
}

// Blocks

/// The content of a block.
typedef struct cc_block {
    const cc_token *tokens;
    size_t count;
    /// Frequencies of the tokens' symbols, and of one end symbol.
    const cc_frequencies *frequencies;
    /// The bytes that the tokens encode.
    const uint8_t *bytes;
    size_t size;
    bool is_last;
} cc_block;

/// Writes a block in the smallest form: with its own code, with the fixed code, or stored.
void cc_write_block(const cc_block *block, cc_bit_writer *writer);

#endif
