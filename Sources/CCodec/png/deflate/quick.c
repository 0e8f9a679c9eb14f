#include <string.h>

#include "search.h"

/// The place whose tokens are written.
typedef struct cursor {
    const cc_raster *raster;
    const cc_runs *runs;
    uint32_t place;
    uint32_t y;
    uint32_t row_end;
    size_t byte;
    cc_token *token;
} cursor;

/// Moves to a place in this row; if that is the row's end, to the next row.
static void move(cursor *at, uint32_t place, size_t byte) {
    at->place = place;
    at->byte = byte;
    while (place >= at->row_end) {
        at->y++;
        at->row_end += at->raster->width;
    }
}

static bool begins_row(const cursor *at) { return at->place == at->row_end - at->raster->width; }

/// The first byte of a place in this row, or at its end.
static size_t byte_in_row(const cursor *at, uint32_t place) {
    return (size_t)place * at->raster->pixel + at->y + 1;
}

static void put_literals(cursor *at, size_t end) {
    for (size_t i = at->byte; i < end; i++) { *at->token++ = at->raster->bytes[i]; }
    at->byte = end;
}

/// Writes the row's filter byte, unless it is part of a match.
static void put_filter(cursor *at) {
    if (begins_row(at)) { put_literals(at, byte_in_row(at, at->place)); }
}

/// Writes a match that ends before the byte `end`.
static void put_matches(cursor *at, uint32_t to, size_t end, size_t distance) {
    at->token = cc_put_match(end - at->byte, distance, at->token);
    move(at, to, end);
}

/// Writes the match with the row above, if it is longer than the run.
static bool put_repeat(cursor *at, uint32_t run_end) {
    const cc_raster *raster = at->raster;
    const uint32_t to = cc_repeat_end(at->runs, at->place);
    const size_t distance = 1 + (size_t)raster->width * raster->pixel;
    if (to <= run_end || distance > CC_WINDOW) { return false; }
    const size_t end = cc_byte_at(raster, to);
    if (end - at->byte < CC_SHORTEST_MATCH) { return false; }
    put_matches(at, to, end, distance);
    return true;
}

/// Writes the rest of a run as a match.
static bool put_run(cursor *at, uint32_t run_end) {
    const bool is_inside = !cc_has_flag(at->runs->begins, at->place - at->runs->first);
    const size_t end = byte_in_row(at, run_end);
    if (!is_inside || end - at->byte < CC_SHORTEST_MATCH) { return false; }
    put_matches(at, run_end, end, at->raster->pixel);
    return true;
}

/// Writes a match with the latest place of the same pixel; for small pixels, of the same four bytes.
static bool put_entered(cursor *at, cc_quick *quick) {
    const cc_raster *raster = at->raster;
    const uint32_t *pixels = raster->pixels;
    uint32_t key = pixels[at->place];
    if (raster->pixel < CC_SHORTEST_MATCH) {
        memcpy(&key, raster->bytes + byte_in_row(at, at->place), sizeof key);
    }
    // Fibonacci hashing, as for colours.
    uint32_t *entry = &quick->places[key * UINT32_C(0x9E3779B1) >> (32 - CC_QUICK_BITS)];
    const uint32_t source = *entry - 1;
    *entry = at->place + 1;
    if (source == UINT32_MAX || pixels[source] != pixels[at->place]) { return false; }
    const size_t begin = byte_in_row(at, at->place), distance = begin - cc_pixel_byte_at(raster, source);
    if (distance > CC_WINDOW) { return false; }
    // Neither part of the match may go beyond its row.
    const uint32_t source_x = source % raster->width, x = at->place - (at->row_end - raster->width);
    uint32_t stop = at->row_end < at->runs->end ? at->row_end : at->runs->end;
    if (source_x > x && at->row_end - (source_x - x) < stop) { stop = at->row_end - (source_x - x); }
    uint32_t to = at->place + 1;
    while (to < stop && pixels[to] == pixels[source + (to - at->place)]) { to++; }
    if (byte_in_row(at, to) - begin < CC_SHORTEST_MATCH) { return false; }
    put_filter(at);
    put_matches(at, to, byte_in_row(at, to), distance);
    return true;
}

size_t cc_quick_tokens(
    cc_quick *quick, const cc_raster *raster, uint32_t first, uint32_t end, cc_token *tokens) {
    cc_mark_runs(raster, first, end, &quick->runs);
    cursor at = {.raster = raster, .runs = &quick->runs, .place = first, .token = tokens};
    at.y = first / raster->width;
    at.row_end = (at.y + 1) * raster->width;
    at.byte = cc_byte_at(raster, first);
    while (at.place < end) {
        const uint32_t run_end = cc_run_end(&quick->runs, at.place);
        if (put_repeat(&at, run_end) || put_run(&at, run_end) || put_entered(&at, quick)) { continue; }
        const size_t next = byte_in_row(&at, at.place + 1);
        put_literals(&at, next);
        move(&at, at.place + 1, next);
    }
    return (size_t)(at.token - tokens);
}
