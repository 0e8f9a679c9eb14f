#include "inflate.h"

// Either the input is enough for any head, or there is no more input. Functions return false if the input is
// too short or damaged.

static bool has_bits(cc_bit_reader *input, unsigned count) {
    cc_refill(input);
    return input->count >= count;
}

static bool begin_stored(cc_inflater *inflater) {
    cc_bit_reader *input = &inflater->input;
    cc_skip_bits(input, input->count % 8);
    if (!has_bits(input, 32)) { return false; }
    const uint32_t size = cc_use_bits(input, 16), complement = cc_use_bits(input, 16);
    if (size != (complement ^ 0xFFFF)) { return cc_inflate_fail(inflater, CC_INFLATE_INVALID_BLOCK); }
    cc_give_back(input);
    inflater->stored_left = size;
    inflater->state = CC_INFLATE_STORED;
    return true;
}

static bool begin_codes(cc_inflater *inflater, const uint8_t *lengths, size_t literals, size_t distances) {
    if (!cc_make_literal_table(lengths, literals, inflater->literals)
        || !cc_make_distance_table(lengths + literals, distances, inflater->distances)) {
        return cc_inflate_fail(inflater, CC_INFLATE_INVALID_BLOCK);
    }
    inflater->state = CC_INFLATE_CODED;
    return true;
}

static bool begin_fixed(cc_inflater *inflater) {
    uint8_t lengths[CC_LITERAL_SYMBOLS + CC_DISTANCE_SYMBOLS];
    memset(lengths, 8, 144);
    memset(lengths + 144, 9, 256 - 144);
    memset(lengths + 256, 7, 280 - 256);
    memset(lengths + 280, 8, CC_LITERAL_SYMBOLS - 280);
    memset(lengths + CC_LITERAL_SYMBOLS, 5, CC_DISTANCE_SYMBOLS);
    return begin_codes(inflater, lengths, CC_LITERAL_SYMBOLS, CC_DISTANCE_SYMBOLS);
}

/// Reads run-length encoded code lengths. Returns their number.
static size_t read_lengths(
    cc_inflater *inflater, const cc_prefix_entry *table, uint8_t *lengths, size_t count) {
    cc_bit_reader *input = &inflater->input;
    size_t done = 0;
    while (done < count) {
        cc_refill(input);
        // The code is complete: all bits are valid.
        const cc_prefix_entry entry = table[cc_low_bits(input->bits, CC_LENGTH_TABLE_BITS)];
        const uint32_t symbol = entry >> CC_VALUE_SHIFT;
        const unsigned extra = symbol < 16 ? 0 : symbol == 16 ? 2 : symbol == 17 ? 3 : 7;
        if (input->count < cc_bits_of(entry) + extra) { break; }
        cc_skip_bits(input, cc_bits_of(entry));
        if (symbol < 16) {
            lengths[done++] = (uint8_t)symbol;
            continue;
        }
        const size_t run = cc_use_bits(input, extra) + (symbol == 18 ? 11 : 3);
        if (run > count - done || (symbol == 16 && done == 0)) {
            cc_inflate_fail(inflater, CC_INFLATE_INVALID_BLOCK);
            break;
        }
        memset(lengths + done, symbol == 16 ? lengths[done - 1] : 0, run);
        done += run;
    }
    return done;
}

static bool begin_dynamic(cc_inflater *inflater) {
    cc_bit_reader *input = &inflater->input;
    if (!has_bits(input, 14)) { return false; }
    const size_t literals = cc_use_bits(input, 5) + 257, distances = cc_use_bits(input, 5) + 1;
    const size_t ordered = cc_use_bits(input, 4) + 4;
    if (literals > CC_LITERALS || distances > CC_DISTANCES) {
        return cc_inflate_fail(inflater, CC_INFLATE_INVALID_BLOCK);
    }
    uint8_t of_lengths[CC_HEADER_SYMBOLS] = {0};
    for (size_t i = 0; i < ordered; i++) {
        if (!has_bits(input, 3)) { return false; }
        of_lengths[cc_header_order[i]] = (uint8_t)cc_use_bits(input, 3);
    }
    cc_prefix_entry table[1 << CC_LENGTH_TABLE_BITS];
    if (!cc_make_length_table(of_lengths, table)) {
        return cc_inflate_fail(inflater, CC_INFLATE_INVALID_BLOCK);
    }
    uint8_t lengths[CC_LITERALS + CC_DISTANCES];
    const size_t count = literals + distances;
    if (read_lengths(inflater, table, lengths, count) < count) { return false; }
    return begin_codes(inflater, lengths, literals, distances);
}

static bool read_head(cc_inflater *inflater) {
    cc_bit_reader *input = &inflater->input;
    if (!has_bits(input, 3)) { return false; }
    inflater->block_is_last = cc_use_bits(input, 1) != 0;
    switch (cc_use_bits(input, 2)) {
    case 0: return begin_stored(inflater);
    case 1: return begin_fixed(inflater);
    case 2: return begin_dynamic(inflater);
    default: return cc_inflate_fail(inflater, CC_INFLATE_INVALID_BLOCK);
    }
}

bool cc_begin_block(cc_inflater *inflater) {
    const cc_bit_reader before = inflater->input;
    if (!inflater->input_is_last && cc_bytes_left(&before) < CC_INFLATE_INPUT) { return false; }
    if (read_head(inflater)) { return true; }
    // An incomplete head stays in the input.
    if (inflater->state == CC_INFLATE_HEAD) { inflater->input = before; }
    return false;
}
