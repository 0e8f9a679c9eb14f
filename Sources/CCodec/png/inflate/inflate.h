// Inflates a stream a piece at a time (RFC 1951).
//
// Drawings repeat themselves: most of a plan's bytes come from matches of full length. That is what this is
// made for, and why it is here: it copies them in whole vectors, right to where the bytes are read.

#ifndef TILEWRIGHT_INFLATE_INFLATE_H
#define TILEWRIGHT_INFLATE_INFLATE_H

#include "prefix_table.h"

enum {
    /// Input that suffices for what cannot be taken in parts, the head of a block, with room to spare: 17
    /// bits, 19 lengths of 3 bits, and 316 lengths of up to 14.
    CC_INFLATE_INPUT = 1024,
};

typedef enum cc_inflate_state {
    /// Before the head of a block.
    CC_INFLATE_HEAD,
    /// In a block of bytes as they are.
    CC_INFLATE_STORED,
    /// In a block of codes.
    CC_INFLATE_CODED,
    /// Behind the last block.
    CC_INFLATE_END,
    // It cannot go on. What came before is right.
    CC_INFLATE_INVALID_BLOCK,
    CC_INFLATE_INVALID_CODE,
    CC_INFLATE_INVALID_DISTANCE,
} cc_inflate_state;

typedef struct cc_inflater {
    /// The input; the caller puts more behind what is left of it.
    cc_bit_reader input;
    /// Whether there is no more.
    bool input_is_last;
    cc_inflate_state state;
    bool block_is_last;
    /// Bytes left of a stored block.
    uint32_t stored_left;
    /// The rest of a match for which there was no room.
    uint32_t copy_left, copy_distance;
    cc_prefix_entry literals[CC_LITERAL_ENTRIES];
    cc_prefix_entry distances[CC_DISTANCE_ENTRIES];
} cc_inflater;

/// Begins a stream, without input.
void cc_inflater_begin(cc_inflater *inflater);

/// Inflates until the room is full, the stream ends or is damaged, or more input is needed: CC_INFLATE_INPUT
/// bytes, or all that there is.
///
/// - Parameters:
///   - first: the first byte that matches may reach: CC_WINDOW before `bytes`, or the stream's first.
///   - bytes: where the bytes go.
///   - size: how many have room.
/// - Returns: how many there are.
size_t cc_inflate(cc_inflater *inflater, const uint8_t *first, uint8_t *bytes, size_t size);

/// Reads the head of a block. False if the input is damaged, or too little: then it is left as it was.
bool cc_begin_block(cc_inflater *inflater);

static inline void cc_end_block(cc_inflater *inflater) {
    inflater->state = inflater->block_is_last ? CC_INFLATE_END : CC_INFLATE_HEAD;
}

/// Notes why the stream cannot go on, and returns false.
static inline bool cc_inflate_fail(cc_inflater *inflater, cc_inflate_state state) {
    inflater->state = state;
    return false;
}

/// Reads the tokens of a sound stream (RFC 1951) that is there as a whole.
///
/// - Returns: how many there are; 0 if there is no room for all of them.
size_t cc_read_tokens(
    cc_inflater *inflater, const uint8_t *stream, size_t size, cc_token *tokens, size_t room);

#endif
