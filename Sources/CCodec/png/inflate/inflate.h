// Inflates a stream a piece at a time (RFC 1951).
//
// Most of a plan's bytes come from matches of full length. This inflater is optimised for them: it copies
// matches in whole vectors, directly to the buffer from which the bytes are read.

#ifndef TILEWRIGHT_INFLATE_INFLATE_H
#define TILEWRIGHT_INFLATE_INFLATE_H

#include "prefix_table.h"

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
