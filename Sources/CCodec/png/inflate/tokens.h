// What a stream says, and not what it stands for.

#ifndef TILEWRIGHT_INFLATE_TOKENS_H
#define TILEWRIGHT_INFLATE_TOKENS_H

#include "../deflate/code/token.h"
#include "inflate.h"

/// Reads the tokens of a sound stream (RFC 1951) that is there as a whole.
///
/// - Returns: how many there are; 0 if there is no room for all of them.
size_t cc_read_tokens(
    cc_inflater *inflater, const uint8_t *stream, size_t size, cc_token *tokens, size_t room);

#endif
