// Where runs began before, found by their pixels.

#ifndef TILEWRIGHT_DEFLATE_PLACES_H
#define TILEWRIGHT_DEFLATE_PLACES_H

#include "runs.h"
#include "code/token.h"

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

void cc_places_clear(cc_places *places);

/// Enters the runs that begin before a place.
void cc_places_enter_until(cc_places *places, const cc_raster *raster, const cc_runs *runs, uint32_t place);

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

#endif
