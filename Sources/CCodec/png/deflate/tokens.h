// Deflate's tokens (RFC 1951, section 3.2.5): literals, and matches, which copy earlier bytes. Also their
// costs, the parts for which a separate code is worthwhile, and the blocks in which they are written.

#ifndef TILEWRIGHT_DEFLATE_TOKENS_H
#define TILEWRIGHT_DEFLATE_TOKENS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum {
    CC_SHORTEST_MATCH = 3,
    CC_LONGEST_MATCH = 258,
    CC_WINDOW = 32768,
};

// Two alphabets: literals and lengths, and distances.
enum {
    CC_END_OF_BLOCK = 256,
    CC_FIRST_LENGTH = 257,
    CC_LITERALS = 286,
    CC_DISTANCES = 30,
};

/// A literal is its byte. A match has the highest bit set, then its length minus three in 8 bits, and its
/// distance minus one in 15 bits.
typedef uint32_t cc_token;

enum { CC_DISTANCE_BITS = 15 };
#define CC_TOKEN_IS_MATCH UINT32_C(0x80000000)

static inline cc_token cc_match(size_t length, size_t distance) {
    return CC_TOKEN_IS_MATCH | (uint32_t)(length - CC_SHORTEST_MATCH) << CC_DISTANCE_BITS
        | (uint32_t)(distance - 1);
}

/// Writes matches that add up to a length, and returns the end of the tokens.
static inline cc_token *cc_put_match(size_t length, size_t distance, cc_token *tokens) {
    while (length > CC_LONGEST_MATCH) {
        const size_t rest = length - CC_LONGEST_MATCH;
        // The last match, too, must have the minimum length.
        const size_t part = rest < CC_SHORTEST_MATCH ? length - CC_SHORTEST_MATCH : CC_LONGEST_MATCH;
        *tokens++ = cc_match(part, distance);
        length -= part;
    }
    *tokens++ = cc_match(length, distance);
    return tokens;
}

static inline bool cc_is_match(cc_token token) { return (token & CC_TOKEN_IS_MATCH) != 0; }

/// A match's length minus three.
static inline uint32_t cc_length_of(cc_token token) { return token >> CC_DISTANCE_BITS & 0xFF; }

/// A match's distance minus one.
static inline uint32_t cc_distance_of(cc_token token) { return token & (CC_WINDOW - 1); }

/// The symbols of lengths minus three, counted from 0. A symbol is a range of lengths, and extra bits select
/// the length in the range.
extern const uint8_t cc_length_symbols[256];
extern const uint8_t cc_length_extra_bits[CC_LITERALS - CC_FIRST_LENGTH];
extern const uint8_t cc_distance_extra_bits[CC_DISTANCES];

/// Symbols of the code lengths in a block's head (section 3.2.7), in the order in which the lengths of these
/// symbols' own codes are written.
enum { CC_HEADER_SYMBOLS = 19 };
extern const uint8_t cc_header_order[CC_HEADER_SYMBOLS];

/// The symbol of a distance minus one. Ranges double with every second symbol, so the symbol follows from the
/// highest bit and the bit below it.
static inline uint32_t cc_distance_symbol(uint32_t distance) {
    if (distance < 4) { return distance; }
    const uint32_t high = 31 - (uint32_t)__builtin_clz(distance);
    return high * 2 + (distance >> (high - 1) & 1);
}

enum { CC_BIT = 64 };

typedef struct cc_frequencies {
    uint32_t literals[CC_LITERALS];
    uint32_t distances[CC_DISTANCES];
} cc_frequencies;

typedef struct cc_costs {
    uint32_t literals[256];
    /// By length minus three, including extra bits.
    uint32_t lengths[256];
    /// By symbol, including extra bits.
    uint32_t distances[CC_DISTANCES];
} cc_costs;

/// Adds the symbols of tokens.
void cc_count_tokens(const cc_token *tokens, size_t count, cc_frequencies *frequencies);

/// Adds other frequencies.
void cc_add_frequencies(cc_frequencies *frequencies, const cc_frequencies *others);

/// The costs in a code for these frequencies. Symbols that do not occur get an estimate.
void cc_costs_of(const cc_frequencies *frequencies, cc_costs *costs);

enum {
    CC_MOST_PARTS = 256,
    // Logarithms up to here are looked up.
    CC_KNOWN_LOGARITHMS = 512,
};

/// A part of the tokens.
typedef struct cc_part {
    cc_frequencies frequencies;
    /// The end of its tokens.
    size_t end;
    /// The cost with a separate code; and the cost of this part and the next one with one code.
    uint64_t cost, joined_cost;
} cc_part;

typedef struct cc_splitter {
    cc_part parts[CC_MOST_PARTS];
    size_t count;
    uint16_t logarithms[CC_KNOWN_LOGARITHMS];
} cc_splitter;

void cc_splitter_init(cc_splitter *splitter);

/// Adds the next tokens, at least one, in parts of about `size`; they end at `end`. There is room for
/// CC_MOST_PARTS.
void cc_add_parts(cc_splitter *splitter, const cc_token *tokens, size_t count, size_t size, size_t end);

/// Adds the next tokens to the first part, which is the only one.
void cc_extend_part(cc_splitter *splitter, const cc_token *tokens, size_t count, size_t end);

/// Joins parts for which one code is cheaper.
void cc_join_parts(cc_splitter *splitter);

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
