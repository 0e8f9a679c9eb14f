// The ways in which a part of an image can be said in deflate's tokens. Places are pixels, counted through
// all rows. That of a row's first pixel stands before the byte of the filter, which so belongs to it.

#ifndef TILEWRIGHT_DEFLATE_GRAPH_H
#define TILEWRIGHT_DEFLATE_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    /// The places of a graph.
    CC_SPAN = 1 << 14,
    /// Tokens of as many places at most: literals of four bytes each, and of the filter before.
    CC_SPAN_TOKENS = CC_SPAN * 5,
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

#endif
