// The matches of one place.

#ifndef TILEWRIGHT_DEFLATE_MATCHES_H
#define TILEWRIGHT_DEFLATE_MATCHES_H

#include "places.h"

enum {
    /// How many runs are tried that were entered with the same hash: of two pixels, and of one. With twice as
    /// many, files of tiles of plans are 0.4 % smaller, and take a twentieth more time.
    CC_PAIRS = 1,
    CC_PIXELS = 1,
    /// If the search is deep. Four times as many gain nothing.
    CC_DEEP_PAIRS = 16,
    CC_DEEP_PIXELS = 8,
    /// Ends of a match inside it that are thought of.
    CC_MOST_ENDS = 4,
    /// Edges of a place: of each match its ends inside, after its first pixel, at its end and behind it, and
    /// from before. There are those of the runs entered, of the row above, and of the run itself.
    CC_MOST_EDGES = (CC_DEEP_PAIRS + CC_DEEP_PIXELS + 2) * (CC_MOST_ENDS + 4) + 1,
};

/// The place whose edges are looked for.
typedef struct cc_cursor {
    uint32_t place, x, y;
    /// The places behind its row and its run.
    uint32_t row_end;
    uint32_t run_end;
    /// Where its bytes begin.
    uint32_t byte;
    /// Whether its left neighbour is of the same run.
    bool is_inside;
    /// The longest match, and how far the nearest is, in pixels.
    uint32_t longest;
    uint32_t nearest;
    /// The place before, if ways lead there; else UINT32_MAX. And the bytes of its pixel.
    uint32_t before;
    uint32_t unit_before;
} cc_cursor;

typedef struct cc_search {
    cc_raster raster;
    bool is_deep;
    /// To divide by the width: 2^CC_ROW_SHIFT / width, rounded up.
    uint64_t row_factor;
    /// The farthest place in reach, in pixels.
    uint32_t farthest;
    cc_graph *graph;
    cc_cursor at;
    cc_places places;
    cc_runs runs;
    /// The places that ways lead to.
    cc_flags reached[CC_SPAN_FLAGS];
} cc_search;

/// The quotient is exact if places times columns are fewer than 2^40: places are 2^16 at most, as a window is
/// 2^15 bytes.
enum { CC_ROW_SHIFT = 40 };

/// Adds matches of the cursor with the place that is `delta` pixels before, up to the end of the row.
void cc_match_place(cc_search *search, uint32_t delta);

/// Adds matches with the row above, which go on in the next rows. There is one.
void cc_match_above(cc_search *search);

/// Adds the part of the match with the row above, which is longer, that ends with the row.
void cc_match_row_above(cc_search *search);

/// Adds matches with what the run itself repeats.
void cc_match_run(cc_search *search);

/// How many bytes at the beginning of two pixels are the same.
static inline uint32_t cc_common_first(uint32_t a, uint32_t b) { return (uint32_t)__builtin_ctz(a ^ b) / 8; }

#endif
