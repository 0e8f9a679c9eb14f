// Where runs began before, found by their pixels; and the matches of one place.

#ifndef TILEWRIGHT_DEFLATE_MATCHES_H
#define TILEWRIGHT_DEFLATE_MATCHES_H

#include "search.h"

enum {
    // 16 KiB each: a tile of a plan has some 3000 runs.
    CC_PLACES_BITS = 13,
    // A window has no more. Older ones make room.
    CC_RUNS = CC_WINDOW,
};

/// The first place of a run and the one behind it, its pixel, and the numbers of the runs before it with the
/// same hashes.
typedef struct cc_run {
    uint32_t place;
    uint32_t end;
    uint32_t pixel;
    uint16_t before_by_pair;
    uint16_t before_by_pixel;
} cc_run;

typedef struct cc_hashes {
    uint32_t pair, pixel;
} cc_hashes;

/// The last run of each hash: that of its pixel and the pixel behind it, and that of its pixel
/// alone. Number 0 is a run that is out of everyone's reach.
typedef struct cc_places {
    uint16_t by_pair[1 << CC_PLACES_BITS];
    uint16_t by_pixel[1 << CC_PLACES_BITS];
    cc_run runs[CC_RUNS];
    uint32_t count;
    /// Runs before this place are entered.
    uint32_t next;
} cc_places;

static inline uint32_t cc_places_hash(uint64_t key) {
    // Fibonacci hashing, as for colours.
    return (uint32_t)(key * UINT64_C(0x9E3779B97F4A7C15) >> (64 - CC_PLACES_BITS));
}

static inline cc_hashes cc_run_hashes(
    const cc_raster *raster, const cc_runs *runs, uint32_t place, uint32_t run_end) {
    const uint64_t pixel = raster->pixels[place];
    const uint64_t behind = run_end < runs->end ? raster->pixels[run_end] : 0;
    return (cc_hashes){.pair = cc_places_hash(pixel | behind << 32), .pixel = cc_places_hash(pixel)};
}

/// Enters a run without its numbers.
static inline void cc_places_enter(cc_places *places, cc_hashes hashes, cc_run run) {
    const uint16_t number = (uint16_t)(places->count++ % CC_RUNS);
    run.before_by_pair = places->by_pair[hashes.pair];
    run.before_by_pixel = places->by_pixel[hashes.pixel];
    places->runs[number] = run;
    places->by_pair[hashes.pair] = places->by_pixel[hashes.pixel] = number;
    places->next = run.end;
}

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

struct cc_search {
    cc_raster raster;
    /// Whether many earlier places are tried for each, and not a few.
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
};

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
