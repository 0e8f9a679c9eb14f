// What tokens cost, in parts of a bit, and where another code pays for a part of them.

#ifndef TILEWRIGHT_DEFLATE_COSTS_H
#define TILEWRIGHT_DEFLATE_COSTS_H

#include "token.h"

enum { CC_BIT = 64 };

typedef struct cc_frequencies {
    uint32_t literals[CC_LITERALS];
    uint32_t distances[CC_DISTANCES];
} cc_frequencies;

typedef struct cc_costs {
    uint32_t literals[256];
    /// Of lengths less three, extra bits included.
    uint32_t lengths[256];
    /// By symbol, extra bits included.
    uint32_t distances[CC_DISTANCES];
} cc_costs;

/// Adds the symbols of tokens.
void cc_count_tokens(const cc_token *tokens, size_t count, cc_frequencies *frequencies);

/// Adds other frequencies.
void cc_add_frequencies(cc_frequencies *frequencies, const cc_frequencies *others);

/// Of a code for these frequencies; what does not occur gets a guess.
void cc_costs_of(const cc_frequencies *frequencies, cc_costs *costs);

/// The binary logarithm of 1 or more.
uint32_t cc_log2(uint32_t value);

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
