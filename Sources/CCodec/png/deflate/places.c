#include "places.h"

#include <string.h>

// No image has as many pixels: the distance to it wraps around, and is too far.
enum { OUT_OF_REACH = INT32_MIN };

void cc_places_clear(cc_places *places) {
    memset(places->by_pair, 0, sizeof places->by_pair);
    memset(places->by_pixel, 0, sizeof places->by_pixel);
    places->runs[0].place = places->runs[0].end = (uint32_t)OUT_OF_REACH;
    places->count = 1;
    places->next = 0;
}

void cc_places_enter_until(cc_places *places, const cc_raster *raster, const cc_runs *runs, uint32_t place) {
    while (places->next < place) {
        const uint32_t at = places->next;
        const cc_run run = {.place = at, .end = cc_run_end(runs, at), .pixel = raster->pixels[at]};
        cc_places_enter(places, cc_run_hashes(raster, runs, at, run.end), run);
    }
}
