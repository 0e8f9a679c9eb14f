// The ways in which a part of an image can be said in deflate's tokens. Places are pixels, counted through
// all rows. That of a row's first pixel stands before the byte of the filter, which so belongs to it.

#ifndef TILEWRIGHT_DEFLATE_SEARCH_H
#define TILEWRIGHT_DEFLATE_SEARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "costs.h"
#include "runs.h"

enum {
    /// A quarter of a tile of a plan has some 1300 nodes and 2700 edges; where there are more, the graph ends
    /// sooner.
    CC_GRAPH_NODES = 1 << 13,
    CC_GRAPH_EDGES = 1 << 15,
};

/// A match, which may begin and end inside a pixel: the rest of that are literals. Places are counted from
/// the graph's first.
typedef struct cc_edge {
    /// Bytes of the match, three or more; tokens of at most 258 bytes make it up.
    uint32_t length;
    uint16_t from, to;
    /// Less one, as tokens have it.
    uint16_t distance;
    uint8_t distance_symbol;
    /// Literals before the match, and, four bits higher, behind it.
    uint8_t literals;
} cc_edge;

/// A place that edges were looked for at. Some of its edges leave from the place before it.
typedef struct cc_node {
    /// Where its bytes begin.
    uint32_t byte;
    uint16_t place;
    uint8_t edges;
    /// The bytes of its pixel, if it may be said in literals; else 0.
    uint8_t literals;
    /// The bytes of the pixel before.
    uint8_t unit_before;
} cc_node;

typedef struct cc_graph {
    cc_node *nodes;
    cc_edge *edges;
    size_t node_count;
    size_t edge_count;
    /// The first place, and the one that all ways lead to. Edges may lead further.
    uint32_t first, last;
} cc_graph;

typedef struct cc_search cc_search;

/// A search that tries a few earlier places for each, or, if it is deep, many. NULL if memory is refused.
cc_search *cc_search_create(bool is_deep);
void cc_search_destroy(cc_search *search);

/// Begins with another image.
void cc_search_begin(cc_search *search, const cc_raster *raster);

/// Makes the graph of the image from a place on, as far as it goes: to graph->last.
void cc_search_graph(cc_search *search, uint32_t first, cc_graph *graph);

typedef struct cc_parser cc_parser;

/// NULL if memory is refused.
cc_parser *cc_parser_create(void);
void cc_parser_destroy(cc_parser *parser);

/// Writes the tokens of the cheapest way through a graph, at most CC_SPAN_TOKENS, and returns how many they
/// are.
size_t cc_parse(
    cc_parser *parser, const cc_raster *raster, const cc_graph *graph, const cc_costs *costs,
    cc_token *tokens);

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
