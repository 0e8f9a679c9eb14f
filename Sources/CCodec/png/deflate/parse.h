// Chooses the tokens that take the fewest bits.

#ifndef TILEWRIGHT_DEFLATE_PARSE_H
#define TILEWRIGHT_DEFLATE_PARSE_H

#include "code/costs.h"
#include "graph.h"
#include "raster.h"
#include "code/token.h"

typedef struct cc_parser cc_parser;

/// NULL if memory is refused.
cc_parser *cc_parser_create(void);
void cc_parser_destroy(cc_parser *parser);

/// Writes the tokens of the cheapest way through a graph, at most CC_SPAN_TOKENS, and returns how many they
/// are.
size_t cc_parse(
    cc_parser *parser, const cc_raster *raster, const cc_graph *graph, const cc_costs *costs,
    cc_token *tokens);

#endif
