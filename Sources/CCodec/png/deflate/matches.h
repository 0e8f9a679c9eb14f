// Hash tables that find earlier runs by their pixels; and the search for matches at one place.

#ifndef TILEWRIGHT_DEFLATE_MATCHES_H
#define TILEWRIGHT_DEFLATE_MATCHES_H

#include "search.h"

enum {
    // 16 KiB each: a tile of a plan has some 3000 runs.
    CC_PLACES_BITS = 13,
    // A window cannot contain more runs. New runs overwrite the oldest.
    CC_RUNS = CC_WINDOW,
};

/// A run: its first place, the place after its end, its pixel, and the numbers of the previous runs with the
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

/// The latest run for each hash: of its pixel and the next one, and of its pixel alone. Run 0 is a sentinel
/// outside every window.
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

/// Enters a run, and sets its numbers of previous runs.
static inline void cc_places_enter(cc_places *places, cc_hashes hashes, cc_run run) {
    const uint16_t number = (uint16_t)(places->count++ % CC_RUNS);
    run.before_by_pair = places->by_pair[hashes.pair];
    run.before_by_pixel = places->by_pixel[hashes.pixel];
    places->runs[number] = run;
    places->by_pair[hashes.pair] = places->by_pixel[hashes.pixel] = number;
    places->next = run.end;
}

enum {
    /// How many earlier runs with the same hash are tried: for hashes of two pixels, and of one. With twice
    /// as many, tiles of plans are 0.4 % smaller, and take a twentieth more time.
    CC_PAIRS = 1,
    CC_PIXELS = 1,
    /// The same for a deep search. Four times as many gain nothing.
    CC_DEEP_PAIRS = 16,
    CC_DEEP_PIXELS = 8,
    /// How many places inside a match are considered as earlier ends.
    CC_MOST_ENDS = 4,
    /// The most edges of a place. Each match gives up to CC_MOST_ENDS edges that end inside it, and up to
    /// four others: ending after its first pixel, at its end, in the pixel after it, or starting one place
    /// earlier. Matches come from earlier runs, the row above and the run itself.
    CC_MOST_EDGES = (CC_DEEP_PAIRS + CC_DEEP_PIXELS + 2) * (CC_MOST_ENDS + 4) + 1,
};

/// The place whose edges are searched for.
typedef struct cc_cursor {
    uint32_t place, x, y;
    /// The places after the ends of its row and its run.
    uint32_t row_end;
    uint32_t run_end;
    /// Where its bytes begin.
    uint32_t byte;
    /// Whether its left neighbour belongs to the same run.
    bool is_inside;
    /// The length of the longest match, and the distance of the nearest, in pixels.
    uint32_t longest;
    uint32_t nearest;
    /// The previous place, if paths lead there, else UINT32_MAX; and the bytes of its pixel.
    uint32_t before;
    uint32_t unit_before;
} cc_cursor;

struct cc_search {
    cc_raster raster;
    /// Whether many earlier runs are tried at each place, instead of a few.
    bool is_deep;
    /// To divide by the width: 2^CC_ROW_SHIFT / width, rounded up.
    uint64_t row_factor;
    /// The largest distance of a match, in pixels.
    uint32_t farthest;
    cc_graph *graph;
    cc_cursor at;
    cc_places places;
    cc_runs runs;
    /// The places that paths lead to.
    cc_flags reached[CC_SPAN_FLAGS];
};

/// The quotient is exact if dividend * width < 2^40. The dividend is less than 2^15 pixels, since a window is
/// 2^15 bytes.
enum { CC_ROW_SHIFT = 40 };

/// Adds matches of the cursor with the place `delta` pixels back, up to the end of the row.
void cc_match_place(cc_search *search, uint32_t delta);

/// Adds matches with the row above, which may continue into the next rows. There must be a row above.
void cc_match_above(cc_search *search);

/// Cuts the match with the row above off at the end of the row, and adds that part.
void cc_match_row_above(cc_search *search);

/// Adds matches of the run with itself: its repeated pixel, or its repeated byte.
void cc_match_run(cc_search *search);

/// How many bytes at the beginning of two pixels are the same.
static inline uint32_t cc_common_first(uint32_t a, uint32_t b) { return (uint32_t)__builtin_ctz(a ^ b) / 8; }

#endif
