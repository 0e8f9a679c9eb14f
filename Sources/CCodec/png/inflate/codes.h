// Codes of a block.

#ifndef TILEWRIGHT_INFLATE_CODES_H
#define TILEWRIGHT_INFLATE_CODES_H

#include "block_head.h"

#define CC_INLINE static inline __attribute__((always_inline))

/// The entry of the bits that come next, or the one that leads to another table.
CC_INLINE cc_prefix_entry
cc_look_up(const cc_bit_reader *input, const cc_prefix_entry *table, unsigned bits) {
    return table[cc_low_bits(input->bits, bits)];
}

/// Goes on to the other table, if an entry leads there.
CC_INLINE cc_prefix_entry
cc_look_further(cc_bit_reader *input, const cc_prefix_entry *table, unsigned bits, cc_prefix_entry entry) {
    if (__builtin_expect((entry & CC_IS_LONGER) == 0, 1)) { return entry; }
    cc_skip_bits(input, bits);
    return table[(entry >> CC_VALUE_SHIFT) + cc_low_bits(input->bits, cc_code_bits_of(entry))];
}

CC_INLINE cc_prefix_entry cc_look_up_literal(const cc_inflater *inflater, const cc_bit_reader *input) {
    return cc_look_up(input, inflater->literals, CC_LITERAL_TABLE_BITS);
}

CC_INLINE cc_prefix_entry
cc_look_further_for_literal(const cc_inflater *inflater, cc_bit_reader *input, cc_prefix_entry entry) {
    return cc_look_further(input, inflater->literals, CC_LITERAL_TABLE_BITS, entry);
}

CC_INLINE cc_prefix_entry cc_look_up_distance(const cc_inflater *inflater, cc_bit_reader *input) {
    const cc_prefix_entry entry = cc_look_up(input, inflater->distances, CC_DISTANCE_TABLE_BITS);
    return cc_look_further(input, inflater->distances, CC_DISTANCE_TABLE_BITS, entry);
}

/// Uses the bits of a length or distance, and returns it.
CC_INLINE uint32_t cc_use_value(cc_bit_reader *input, cc_prefix_entry entry) {
    const uint64_t added = cc_low_bits(input->bits, cc_bits_of(entry)) >> cc_code_bits_of(entry);
    cc_skip_bits(input, cc_bits_of(entry));
    return (entry >> CC_VALUE_SHIFT) + (uint32_t)added;
}

/// Whether an entry ends the block, or is none at all.
static inline bool cc_is_end(cc_inflater *inflater, cc_bit_reader *input, cc_prefix_entry entry) {
    if ((entry & CC_IS_SPECIAL) == 0) { return false; }
    if (entry >> CC_VALUE_SHIFT == CC_NO_SYMBOL) {
        inflater->state = CC_INFLATE_INVALID_CODE;
    } else {
        cc_skip_bits(input, cc_bits_of(entry));
        cc_end_block(inflater);
    }
    return true;
}

#endif
