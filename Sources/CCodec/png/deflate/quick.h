// Tokens at a glance: of what a pixel can repeat, the first that is found.

#ifndef TILEWRIGHT_DEFLATE_QUICK_H
#define TILEWRIGHT_DEFLATE_QUICK_H

#include "runs.h"
#include "code/token.h"

enum { CC_QUICK_BITS = 12 };

typedef struct cc_quick {
    cc_runs runs;
    /// The last place of each hash of a pixel, plus one; 0: nowhere.
    uint32_t places[1 << CC_QUICK_BITS];
} cc_quick;

/// Begins with another image.
void cc_quick_begin(cc_quick *quick);

/// Writes the tokens of an image from one place up to another, at most CC_SPAN places, and returns how many
/// they are, at most CC_SPAN_TOKENS. All rows have the same filter.
size_t cc_quick_tokens(
    cc_quick *quick, const cc_raster *raster, uint32_t first, uint32_t end, cc_token *tokens);

#endif
