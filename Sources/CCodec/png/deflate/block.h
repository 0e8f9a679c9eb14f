// Blocks of a deflate stream, and the bits that they are written as.

#ifndef TILEWRIGHT_DEFLATE_BLOCK_H
#define TILEWRIGHT_DEFLATE_BLOCK_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "tokens.h"

// The bits of a stream, the first of a byte lowest

/// Eight bytes at a time are written: as many more than the bits need must have room.
typedef struct cc_bit_writer {
    uint8_t *next;
    uint64_t bits;
    unsigned count;
} cc_bit_writer;

/// Puts up to 56 bits; those of `value` above them are 0. cc_flush_bits makes room for as many.
static inline void cc_put_bits(cc_bit_writer *writer, uint64_t value, unsigned count) {
    writer->bits |= value << writer->count;
    writer->count += count;
}

/// Leaves fewer than eight bits.
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
    /// Of their symbols, and of one end.
    const cc_frequencies *frequencies;
    /// The bytes that the tokens stand for.
    const uint8_t *bytes;
    size_t size;
    bool is_last;
} cc_block;

/// Writes a block in the form that takes the fewest bits: with its own code, with the fixed one, or stored.
void cc_write_block(const cc_block *block, cc_bit_writer *writer);

#endif
