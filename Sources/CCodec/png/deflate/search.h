// Finds the ways to write a part of an image as deflate's tokens. Places are pixels, counted through all
// rows. A row's filter byte belongs to its first pixel.

#ifndef TILEWRIGHT_DEFLATE_SEARCH_H
#define TILEWRIGHT_DEFLATE_SEARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "deflate.h"
#include "tokens.h"

// Runs: pixels that repeat their left neighbours; and pixels that repeat the row above

enum {
    /// The number of places that are processed at a time, a part of an image.
    CC_SPAN = 1 << 14,
    /// The most tokens of these places: four literals for each, and one for a filter byte before it.
    CC_SPAN_TOKENS = CC_SPAN * 5,
};

/// A row of flags, a bit for each.
typedef uint64_t cc_flags;

enum { CC_FLAGS_PER_WORD = 64 };

static inline void cc_set_flag(cc_flags *flags, uint32_t i) {
    flags[i / CC_FLAGS_PER_WORD] |= UINT64_C(1) << i % CC_FLAGS_PER_WORD;
}

static inline bool cc_has_flag(const cc_flags *flags, uint32_t i) {
    return (flags[i / CC_FLAGS_PER_WORD] >> i % CC_FLAGS_PER_WORD & 1) != 0;
}

/// The first set flag from `i` on, which must exist.
static inline uint32_t cc_next_flag(const cc_flags *flags, uint32_t i) {
    uint32_t word = i / CC_FLAGS_PER_WORD;
    uint64_t left = flags[word] >> i % CC_FLAGS_PER_WORD;
    if (left != 0) { return i + (uint32_t)__builtin_ctzll(left); }
    do { word++; } while (flags[word] == 0);
    return word * CC_FLAGS_PER_WORD + (uint32_t)__builtin_ctzll(flags[word]);
}

/// The words of flags for the places of a part of an image, and for its end.
enum { CC_SPAN_FLAGS = CC_SPAN / CC_FLAGS_PER_WORD + 1 };

/// Flags by place minus `first`. The flags of the end are set.
typedef struct cc_runs {
    uint32_t first;
    uint32_t end;
    /// Whether a pixel differs from its left neighbour, or is the first of a row.
    cc_flags begins[CC_SPAN_FLAGS];
    /// Whether it differs from the pixel above, or begins a row with another filter than the row above.
    cc_flags differs[CC_SPAN_FLAGS];
} cc_runs;

/// Marks the pixels from one place up to another, at most CC_SPAN.
void cc_mark_runs(const cc_raster *raster, uint32_t first, uint32_t end, cc_runs *runs);

/// The place after a run of equal pixels that contains `place`.
static inline uint32_t cc_run_end(const cc_runs *runs, uint32_t place) {
    return runs->first + cc_next_flag(runs->begins, place + 1 - runs->first);
}

/// The first place from a place on that does not repeat the pixel above it.
static inline uint32_t cc_repeat_end(const cc_runs *runs, uint32_t place) {
    return runs->first + cc_next_flag(runs->differs, place - runs->first);
}

// Graphs: the ways to write a part of an image in tokens

enum {
    /// A quarter of a plan's tile has some 1300 nodes and 2700 edges. If there are more than this limit, the
    /// graph ends sooner.
    CC_GRAPH_NODES = 1 << 13,
    CC_GRAPH_EDGES = 1 << 15,
};

/// A match, which may begin and end inside a pixel; the other bytes of the pixel are literals. Places are
/// counted from the graph's first place.
typedef struct cc_edge {
    /// Bytes of the match, three or more. It is written as tokens of at most 258 bytes.
    uint32_t length;
    uint16_t from, to;
    /// The distance minus one, as in tokens.
    uint16_t distance;
    uint8_t distance_symbol;
    /// Literals before the match, and, four bits higher, after it.
    uint8_t literals;
} cc_edge;

/// A place for which edges were searched. They begin at it, or at the place before it.
typedef struct cc_node {
    /// Where its bytes begin.
    uint32_t byte;
    uint16_t place;
    uint8_t edges;
    /// The bytes of its pixel if it may be written as literals; else 0.
    uint8_t literals;
    /// The bytes of the pixel before.
    uint8_t unit_before;
} cc_node;

typedef struct cc_graph {
    cc_node *nodes;
    cc_edge *edges;
    size_t node_count;
    size_t edge_count;
    /// The first place, and the place to which all paths lead. Edges may lead further.
    uint32_t first, last;
} cc_graph;

typedef struct cc_search cc_search;

/// Begins with another image.
void cc_search_begin(cc_search *search, const cc_raster *raster);

/// Makes the graph of the image from a place on, up to graph->last.
void cc_search_graph(cc_search *search, uint32_t first, cc_graph *graph);

/// Finds the cheapest path through a graph.
typedef struct cc_parser {
    /// The cost of the cheapest path to each place; the lower half is the number of its last edge.
    uint64_t steps[CC_SPAN + 1];
    uint16_t way[CC_SPAN + 1];
} cc_parser;

/// Writes the tokens of the cheapest path through a graph, at most CC_SPAN_TOKENS, and returns their number.
size_t cc_parse(
    cc_parser *parser, const cc_raster *raster, const cc_graph *graph, const cc_costs *costs,
    cc_token *tokens);

enum { CC_QUICK_BITS = 12 };

typedef struct cc_quick {
    cc_runs runs;
    /// The last place of each pixel hash, plus one; 0 means none, as for each hash of a new image.
    uint32_t places[1 << CC_QUICK_BITS];
} cc_quick;

/// Writes the tokens of an image from one place up to another, at most CC_SPAN places. Returns their number,
/// at most CC_SPAN_TOKENS. All rows must have the same filter.
size_t cc_quick_tokens(
    cc_quick *quick, const cc_raster *raster, uint32_t first, uint32_t end, cc_token *tokens);

#endif
