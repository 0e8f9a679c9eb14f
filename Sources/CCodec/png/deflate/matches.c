#include "matches.h"

#include <string.h>

/// A match of the cursor's bytes: whole pixels up to a place, and `extra` bytes of the next pixel.
typedef struct match {
    uint32_t to;
    uint32_t end_byte;
    uint32_t extra;
    uint32_t unit;  // the bytes of that next pixel
    uint32_t lead;
    uint32_t distance;
} match;

/// Adds an edge from a place to a later one. `literals`: those before the match, and, four bits higher, those
/// after it.
static void add_edge(
    cc_search *search, uint32_t from, uint32_t to, uint32_t length, uint32_t distance, uint32_t literals) {
    if (length < CC_SHORTEST_MATCH) { return; }
    const uint32_t first = search->runs.first;
    search->graph->edges[search->graph->edge_count++] = (cc_edge){
        .length = length,
        .from = (uint16_t)(from - first),
        .to = (uint16_t)(to - first),
        .distance = (uint16_t)(distance - 1),
        .distance_symbol = (uint8_t)cc_distance_symbol(distance - 1),
        .literals = (uint8_t)literals,
    };
    cc_set_flag(search->reached, to - first);
}

/// Adds the part of a match that ends at `to`, a place in the cursor's row.
static void add_part(cc_search *search, const match *match, uint32_t to) {
    const cc_cursor *at = &search->at;
    const uint32_t length = to * search->raster.pixel + at->y + 1 - at->byte - match->lead;
    add_edge(search, at->place, to, length, match->distance, match->lead);
}

/// Adds parts of a match that end after the first pixel of a run: the rest of the run repeats this pixel,
/// which costs less than a match that is far away.
static void add_parts(cc_search *search, const match *match) {
    // A match that covers a run of fewer bytes takes no more tokens than the run alone.
    enum { LONG_RUN = 32 };
    const cc_cursor *at = &search->at;
    const uint32_t stop = match->to < at->row_end ? match->to : at->row_end;
    if (!at->is_inside && at->place + 1 < match->to && at->place + 1 < at->run_end) {
        add_part(search, match, at->place + 1);
    }
    uint32_t begin = at->run_end;
    for (int i = 0; i < CC_MOST_ENDS && begin + 1 < stop; i++) {
        const uint32_t end = cc_run_end(&search->runs, begin);
        if ((end - begin) * search->raster.pixel >= LONG_RUN) { add_part(search, match, begin + 1); }
        begin = end;
    }
}

static void add_match(cc_search *search, const match *match) {
    const cc_cursor *at = &search->at;
    const uint32_t length = match->end_byte - at->byte - match->lead;
    if (match->to > at->place) {
        add_edge(search, at->place, match->to, length, match->distance, match->lead);
    }
    if (match->extra > 0) {
        const uint32_t trail = match->unit - match->extra;
        add_edge(
            search, at->place, match->to + 1, length + match->extra, match->distance,
            match->lead | trail << 4);
    }
}

/// Adds a match that begins in the pixel before the cursor, if the last bytes of both pixels are the same.
static void add_match_before(cc_search *search, const match *match, uint32_t delta) {
    const cc_cursor *at = &search->at;
    const uint32_t *pixels = search->raster.pixels;
    const uint32_t difference = pixels[at->before] ^ pixels[at->before - delta];
    if (difference == 0) { return; }
    const uint32_t before = (uint32_t)__builtin_clz(difference << (32 - search->raster.pixel * 8)) / 8;
    if (before == 0) { return; }
    const uint32_t length = match->end_byte - at->byte + before + match->extra;
    const uint32_t lead = at->unit_before - before, trail = match->extra > 0 ? match->unit - match->extra : 0;
    add_edge(search, at->before, match->to + (match->extra > 0), length, match->distance, lead | trail << 4);
}

/// How many pixels are equal; at most `count`.
static uint32_t equal_pixels(const uint32_t *a, const uint32_t *b, uint32_t count) {
    uint32_t i = 0;
    for (; i + 2 <= count; i += 2) {
        uint64_t two, others;
        memcpy(&two, a + i, 8);
        memcpy(&others, b + i, 8);
        if (two != others) { break; }
    }
    return i + (i < count && a[i] == b[i]);
}

void cc_match_place(cc_search *search, uint32_t delta) {
    cc_cursor *at = &search->at;
    const cc_raster *raster = &search->raster;
    const uint32_t *pixels = raster->pixels;
    const uint32_t rows =
        delta <= at->x ? 0 : (uint32_t)((delta - at->x - 1) * search->row_factor >> CC_ROW_SHIFT) + 1;
    const uint32_t distance = delta * raster->pixel + rows;
    if (distance > CC_WINDOW) { return; }
    const uint32_t source_x = at->x + rows * raster->width - delta;
    uint32_t stop = at->row_end < search->runs.end ? at->row_end : search->runs.end;
    if (source_x > at->x && at->row_end - (source_x - at->x) < stop) {
        stop = at->row_end - (source_x - at->x);
    }
    uint32_t to = at->place;
    to += equal_pixels(pixels + to, pixels + to - delta, stop - to);
    if (to == at->place) { return; }
    if (to - at->place > at->longest) { at->longest = to - at->place; }
    if (delta < at->nearest) { at->nearest = delta; }
    const bool has_filter =
        at->x == 0 && source_x == 0 && cc_row_filter(raster, at->y) == cc_row_filter(raster, at->y - rows);
    const match match = {
        .to = to,
        .end_byte = to * raster->pixel + at->y + 1,
        .extra = to < stop ? cc_common_first(pixels[to], pixels[to - delta]) : 0,
        .unit = raster->pixel,
        .lead = at->x == 0 && !has_filter,
        .distance = distance,
    };
    add_parts(search, &match);
    add_match(search, &match);
    if (at->before != UINT32_MAX && source_x > 0) { add_match_before(search, &match, delta); }
}

void cc_match_above(cc_search *search) {
    cc_cursor *at = &search->at;
    const cc_raster *raster = &search->raster;
    const uint32_t *pixels = raster->pixels;
    const uint32_t width = raster->width, pixel = raster->pixel;
    const bool has_filter = at->x == 0 && cc_row_filter(raster, at->y) == cc_row_filter(raster, at->y - 1);
    match match = {.to = at->place, .lead = at->x == 0 && !has_filter, .distance = width * pixel + 1};
    if (match.distance > CC_WINDOW) { return; }
    uint32_t y = at->y, x = at->x;
    bool is_pixel = true;  // whether the match ends at a pixel that differs, not at a filter byte
    if (pixels[at->place] == pixels[at->place - width]) {
        match.to = cc_repeat_end(&search->runs, at->place + 1);
        for (x += match.to - at->place; x >= width; x -= width) { y++; }
        is_pixel = x > 0
            || (match.to < search->runs.end && cc_row_filter(raster, y) == cc_row_filter(raster, y - 1));
        at->longest = match.to - at->place;
        at->nearest = width;
    } else if (!has_filter && pixel < CC_SHORTEST_MATCH + 1) {
        return;
    } else {
        is_pixel = match.lead == 0;
    }
    match.end_byte = match.to * pixel + y + (x > 0);
    match.unit = pixel + (x == 0);
    if (match.to < search->runs.end && is_pixel) {
        match.extra = cc_common_first(pixels[match.to], pixels[match.to - width]) + (x == 0);
    }
    add_parts(search, &match);
    add_match(search, &match);
    if (at->before != UINT32_MAX && match.to > at->place) { add_match_before(search, &match, width); }
}

void cc_match_row_above(cc_search *search) {
    const cc_cursor *at = &search->at;
    const cc_raster *raster = &search->raster;
    const bool has_other_filter =
        at->x == 0 && cc_row_filter(raster, at->y) != cc_row_filter(raster, at->y - 1);
    const match match = {.lead = has_other_filter, .distance = raster->width * raster->pixel + 1};
    add_part(search, &match, at->row_end);
}

void cc_match_run(cc_search *search) {
    cc_cursor *at = &search->at;
    const cc_raster *raster = &search->raster;
    const uint32_t pixel = raster->pixel, value = raster->pixels[at->place];
    const bool is_flat = ((value ^ (value & 0xFF) * UINT32_C(0x01010101)) << (32 - pixel * 8)) == 0;
    if (!is_flat && !at->is_inside) { return; }
    uint32_t to = at->run_end, y = at->y, lead = 0;
    bool begins_row = to == at->row_end;
    if (is_flat) {
        const uint8_t byte = (uint8_t)value;
        const uint8_t *bytes = raster->bytes + at->byte;
        // The byte before may be equal, too; so may the row's filter byte.
        if (at->x > 0) {
            lead = bytes[-1] != byte;
        } else {
            lead = bytes[0] != byte ? 2 : at->place == 0 || bytes[-1] != byte;
        }
        while (begins_row && to < search->runs.end && cc_row_filter(raster, y + 1) == byte
               && raster->pixels[to] == value) {
            y++;
            to = cc_run_end(&search->runs, to);
            begins_row = to == (y + 1) * raster->width;
        }
    }
    const match match = {
        .to = to,
        .end_byte = to * pixel + y + 1,
        .extra = to < search->runs.end && !begins_row ? cc_common_first(raster->pixels[to], value) : 0,
        .unit = pixel,
        .lead = lead,
        .distance = is_flat ? 1 : pixel,
    };
    add_match(search, &match);
}
