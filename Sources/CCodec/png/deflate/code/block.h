// Blocks of a deflate stream.

#ifndef TILEWRIGHT_DEFLATE_BLOCK_H
#define TILEWRIGHT_DEFLATE_BLOCK_H

#include "bit_writer.h"
#include "costs.h"

/// What a block says.
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

/// Writes a block in the form that takes the fewest bits: with a code of its own, with deflate's, or stored.
void cc_write_block(const cc_block *block, cc_bit_writer *writer);

#endif
