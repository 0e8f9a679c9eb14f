// Heads of blocks (RFC 1951, section 3.2.3).

#ifndef TILEWRIGHT_INFLATE_BLOCK_HEAD_H
#define TILEWRIGHT_INFLATE_BLOCK_HEAD_H

#include "inflate.h"

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

#endif
