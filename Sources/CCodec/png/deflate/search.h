// Finds what an image repeats.

#ifndef TILEWRIGHT_DEFLATE_SEARCH_H
#define TILEWRIGHT_DEFLATE_SEARCH_H

#include "graph.h"
#include "raster.h"

typedef struct cc_search cc_search;

/// A search that tries a few earlier places for each, or, if it is deep, many. NULL if memory is refused.
cc_search *cc_search_create(bool is_deep);
void cc_search_destroy(cc_search *search);

/// Begins with another image.
void cc_search_begin(cc_search *search, const cc_raster *raster);

/// Makes the graph of the image from a place on, as far as it goes: to graph->last.
void cc_search_graph(cc_search *search, uint32_t first, cc_graph *graph);

#endif
