// What tokens cost before there are any.

#ifndef TILEWRIGHT_DEFLATE_GUESS_H
#define TILEWRIGHT_DEFLATE_GUESS_H

#include "code/costs.h"
#include "graph.h"
#include "raster.h"

/// Of the bytes that may have to be literals as often as they are in a graph, and of matches as usual.
void cc_guess_costs(const cc_raster *raster, const cc_graph *graph, cc_costs *costs);

#endif
