// Where a code of its own pays for a part of the tokens.

#ifndef TILEWRIGHT_DEFLATE_SPLIT_H
#define TILEWRIGHT_DEFLATE_SPLIT_H

#include "costs.h"

enum {
    CC_MOST_PARTS = 256,
    // Logarithms up to here are looked up.
    CC_KNOWN_LOGARITHMS = 512,
};

/// A part of the tokens.
typedef struct cc_part {
    cc_frequencies frequencies;
    /// Behind its last token.
    size_t end;
    /// With a code of its own; and of this part and the next one with one code.
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

/// Adds the next tokens to the first part, the only one.
void cc_extend_part(cc_splitter *splitter, const cc_token *tokens, size_t count, size_t end);

/// Joins parts for which one code is cheaper.
void cc_join_parts(cc_splitter *splitter);

#endif
