// Inflates a stream a piece at a time (RFC 1951).
//
// Most of a plan's bytes come from matches of full length. This inflater is optimised for them: it copies
// matches in whole vectors, directly to the buffer from which the bytes are read.

#ifndef TILEWRIGHT_INFLATE_INFLATE_H
#define TILEWRIGHT_INFLATE_INFLATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "../deflate/tokens.h"

// Bits, the first of a byte lowest (section 3.1.1)

typedef struct cc_bit_reader {
    /// Bytes that have not been read.
    const uint8_t *next, *end;
    /// Bits that have been read but not used. After cc_refill_quickly, there may be more bits above `count`:
    /// those of the next byte, which will be read again.
    uint64_t bits;
    unsigned count;
} cc_bit_reader;

enum {
    /// Bits that are available after refilling, unless the input ends.
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

/// Reads bytes one by one, as many as are available and fit.
static inline void cc_refill(cc_bit_reader *reader) {
    while (reader->count < CC_REFILLED && reader->next < reader->end) {
        reader->bits |= (uint64_t)*reader->next++ << reader->count;
        reader->count += 8;
    }
}

/// Reads several bytes at once; at least CC_REFILL_BYTES must be left.
static inline void cc_refill_quickly(cc_bit_reader *reader) {
    uint64_t word;
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    memcpy(&word, reader->next, sizeof word);
#else
    word = 0;
    for (int i = 0; i < 8; i++) { word |= (uint64_t)reader->next[i] << (i * 8); }
#endif
    reader->bits |= word << reader->count;
    // As many whole bytes as fit below bit 63; the count is then 56 to 63.
    reader->next += (63 - reader->count) >> 3;
    reader->count |= CC_REFILLED;
}

/// Uses available bits.
static inline void cc_skip_bits(cc_bit_reader *reader, unsigned count) {
    reader->bits >>= count;
    reader->count -= count;
}

static inline uint32_t cc_use_bits(cc_bit_reader *reader, unsigned count) {
    const uint32_t value = (uint32_t)cc_low_bits(reader->bits, count);
    cc_skip_bits(reader, count);
    return value;
}

/// Returns unused whole bytes to the input.
static inline void cc_give_back(cc_bit_reader *reader) {
    reader->next -= reader->count / 8;
    reader->count %= 8;
    reader->bits = cc_low_bits(reader->bits, reader->count);
}

// Prefix codes (section 3.2)

/// An entry of a table: the meaning of bits that begin with some code. From the lowest bit:
/// - 6 bits: how many bits to use, including extra bits after the code;
/// - 2 bits: for literals, their number, one or two;
/// - 5 bits: how many bits the code itself has; for two literals, the code of the first;
/// - flags;
/// - 16 bits: a value. A length's or distance's is the first of a range, to which the extra bits after the
///   code are added.
///
/// The value of CC_IS_LONGER is the index of another table, which is used with the following bits. The field
/// for the code's bits has the number of that table's bits.
typedef uint32_t cc_prefix_entry;

enum {
    CC_LITERALS_SHIFT = 6,
    CC_CODE_BITS_SHIFT = 8,
    CC_VALUE_SHIFT = 16,
    CC_IS_LITERAL = 1 << 13,
    CC_IS_LONGER = 1 << 14,
    CC_IS_SPECIAL = 1 << 15,
};

/// Values of special entries.
enum {
    /// The end of the block.
    CC_END,
    /// The code does not exist, or has no meaning.
    CC_NO_SYMBOL,
};

static inline unsigned cc_bits_of(cc_prefix_entry entry) { return entry & 63; }

static inline unsigned cc_literals_of(cc_prefix_entry entry) { return entry >> CC_LITERALS_SHIFT & 3; }

static inline unsigned cc_code_bits_of(cc_prefix_entry entry) { return entry >> CC_CODE_BITS_SHIFT & 31; }

/// The entry of the first of two literals.
static inline cc_prefix_entry cc_first_literal(cc_prefix_entry entry) {
    const unsigned bits = cc_code_bits_of(entry);
    return (entry & UINT32_C(0xFF) << CC_VALUE_SHIFT) | CC_IS_LITERAL | bits << CC_CODE_BITS_SHIFT
        | 1 << CC_LITERALS_SHIFT | bits;
}

enum {
    CC_LONGEST_CODE = 15,
    CC_LITERAL_SYMBOLS = 288,
    CC_DISTANCE_SYMBOLS = 32,
    /// Bits that are looked up at once.
    CC_LITERAL_TABLE_BITS = 11,
    CC_DISTANCE_TABLE_BITS = 9,
    CC_LENGTH_TABLE_BITS = 7,
    /// Since codes are complete, a longer code shares its first bits with another code: for n symbols, there
    /// are at most n / 2 further tables.
    CC_LITERAL_ENTRIES =
        (1 << CC_LITERAL_TABLE_BITS) + (CC_LITERAL_SYMBOLS / 2 << (CC_LONGEST_CODE - CC_LITERAL_TABLE_BITS)),
    CC_DISTANCE_ENTRIES = (1 << CC_DISTANCE_TABLE_BITS)
        + (CC_DISTANCE_SYMBOLS / 2 << (CC_LONGEST_CODE - CC_DISTANCE_TABLE_BITS)),
};

// The inflater

enum {
    /// Input that is enough for the head of a block, which cannot be read in parts: 17 bits, 19 lengths of 3
    /// bits, and 316 lengths of up to 14 bits.
    CC_INFLATE_INPUT = 1024,
};

typedef enum cc_inflate_state {
    /// Before the head of a block.
    CC_INFLATE_HEAD,
    /// In a stored block.
    CC_INFLATE_STORED,
    /// In a block of codes.
    CC_INFLATE_CODED,
    /// After the last block.
    CC_INFLATE_END,
    // Damaged from here on. Earlier bytes are right.
    CC_INFLATE_INVALID_BLOCK,
    CC_INFLATE_INVALID_CODE,
    CC_INFLATE_INVALID_DISTANCE,
} cc_inflate_state;

typedef struct cc_inflater {
    /// The input; the caller adds more after its unread rest.
    cc_bit_reader input;
    /// Whether there is no more input.
    bool input_is_last;
    cc_inflate_state state;
    bool block_is_last;
    /// Remaining bytes of a stored block.
    uint32_t stored_left;
    /// The rest of a match for which there was no room.
    uint32_t copy_left, copy_distance;
    cc_prefix_entry literals[CC_LITERAL_ENTRIES];
    cc_prefix_entry distances[CC_DISTANCE_ENTRIES];
} cc_inflater;

/// Begins a stream, without input.
void cc_inflater_begin(cc_inflater *inflater);

/// Inflates until the buffer is full, the stream ends or is damaged, or more input is needed:
/// CC_INFLATE_INPUT bytes, or all of the remaining input.
///
/// - Parameters:
///   - first: the first byte that matches may use: CC_WINDOW before `bytes`, or the stream's first byte.
///   - bytes: the buffer.
///   - size: the size of the buffer.
/// - Returns: the number of inflated bytes.
size_t cc_inflate(cc_inflater *inflater, const uint8_t *first, uint8_t *bytes, size_t size);

/// Reads the head of a block. False if the input is damaged or too short; input that is too short is not
/// used.
bool cc_begin_block(cc_inflater *inflater);

static inline void cc_end_block(cc_inflater *inflater) {
    inflater->state = inflater->block_is_last ? CC_INFLATE_END : CC_INFLATE_HEAD;
}

/// Notes why the stream cannot continue, and returns false.
static inline bool cc_inflate_fail(cc_inflater *inflater, cc_inflate_state state) {
    inflater->state = state;
    return false;
}

/// Reads the tokens of a complete and sound stream (RFC 1951).
///
/// - Returns: the number of tokens; 0 if there is not enough room.
size_t cc_read_tokens(
    cc_inflater *inflater, const uint8_t *stream, size_t size, cc_token *tokens, size_t room);

#endif
