#include "search.h"

#include <string.h>

#include "matches.h"

// Runs

// Sixteen pixels, and which of them differ; the first one's flag is the lowest bit.
typedef uint32_t sixteen_pixels __attribute__((ext_vector_type(16), aligned(4)));
typedef bool sixteen_flags __attribute__((ext_vector_type(16)));

static inline uint64_t differ_16(const uint32_t *a, const uint32_t *b) {
    sixteen_pixels some, others;
    memcpy(&some, a, sizeof some);
    memcpy(&others, b, sizeof others);
    const sixteen_flags flags = __builtin_convertvector(some != others, sixteen_flags);
    uint16_t bits;
    memcpy(&bits, &flags, sizeof bits);
    return bits;
}

static uint64_t differ_64(const uint32_t *a, const uint32_t *b) {
    uint64_t flags = 0;
    for (int i = 0; i < CC_FLAGS_PER_WORD; i += 16) { flags |= differ_16(a + i, b + i) << i; }
    return flags;
}

/// Flags pixels that differ from the pixel `distance` earlier. The first `alone` pixels have no such pixel,
/// and are always flagged.
static void compare(
    const uint32_t *pixels, uint32_t count, uint32_t distance, uint32_t alone, cc_flags *flags) {
    enum { BLOCK = CC_FLAGS_PER_WORD };
    for (uint32_t i = 0; i < count; i += BLOCK) {
        const uint32_t *block = pixels + i;
        if (i >= alone && count - i >= BLOCK) {
            flags[i / BLOCK] = differ_64(block, block - distance);
            continue;
        }
        flags[i / BLOCK] = 0;
        for (uint32_t k = 0; k < BLOCK && i + k < count; k++) {
            const uint64_t differs = i + k < alone || block[k] != block[k - (ptrdiff_t)distance];
            flags[i / BLOCK] |= differs << k;
        }
    }
}

void cc_mark_runs(const cc_raster *raster, uint32_t first, uint32_t end, cc_runs *runs) {
    const uint32_t width = raster->width, count = end - first;
    const uint32_t *pixels = raster->pixels + first;
    runs->first = first;
    runs->end = end;
    runs->begins[count / CC_FLAGS_PER_WORD] = runs->differs[count / CC_FLAGS_PER_WORD] = 0;
    compare(pixels, count, 1, first == 0, runs->begins);
    compare(pixels, count, width, first < width ? width - first : 0, runs->differs);
    for (uint32_t y = (first + width - 1) / width; (size_t)y * width < end; y++) {
        cc_set_flag(runs->begins, y * width - first);
        if (y > 0 && cc_row_filter(raster, y) != cc_row_filter(raster, y - 1)) {
            cc_set_flag(runs->differs, y * width - first);
        }
    }
    cc_set_flag(runs->begins, count);
    cc_set_flag(runs->differs, count);
}

// Places

// Larger than any place: the unsigned distance to it wraps around to a value beyond every window.
enum { OUT_OF_REACH = INT32_MIN };

static void clear_places(cc_places *places) {
    memset(places->by_pair, 0, sizeof places->by_pair);
    memset(places->by_pixel, 0, sizeof places->by_pixel);
    places->runs[0].place = places->runs[0].end = (uint32_t)OUT_OF_REACH;
    places->count = 1;
    places->next = 0;
}

/// Adds the runs that begin before a place to the tables.
static void enter_until(cc_places *places, const cc_raster *raster, const cc_runs *runs, uint32_t place) {
    while (places->next < place) {
        const uint32_t at = places->next;
        const cc_run run = {.place = at, .end = cc_run_end(runs, at), .pixel = raster->pixels[at]};
        cc_places_enter(places, cc_run_hashes(raster, runs, at, run.end), run);
    }
}

// The search

void cc_search_begin(cc_search *search, const cc_raster *raster) {
    search->raster = *raster;
    search->row_factor = ((UINT64_C(1) << CC_ROW_SHIFT) + raster->width - 1) / raster->width;
    search->farthest = CC_WINDOW / raster->pixel;
    clear_places(&search->places);
}

/// Tries the pixels `delta` back if they may give a better match than the nearer ones tried so far. Returns
/// false if they are outside the window; then all earlier ones are, too.
static bool try_pixels(cc_search *search, uint32_t delta, uint32_t pixel) {
    const cc_cursor *at = &search->at;
    const uint32_t *pixels = search->raster.pixels;
    if (delta > search->farthest) { return false; }
    if (pixel != pixels[at->place]) { return true; }
    const uint32_t end = at->place + at->longest;
    if (delta < at->nearest || (end < search->runs.end && pixels[end] == pixels[end - delta])) {
        cc_match_place(search, delta);
    }
    return true;
}

/// The distance from the cursor back to an earlier run. If that run is longer than the cursor's, their ends
/// are aligned instead of their beginnings, so that the pixels after them can match too.
static uint32_t delta_of(const cc_cursor *at, const cc_run *run) {
    const bool is_longer = run->end - run->place > at->run_end - at->place;
    return is_longer ? at->run_end - run->end : at->place - run->place;
}

static inline void try_chains(cc_search *search, cc_hashes hashes, unsigned pairs, unsigned pixels) {
    const cc_places *places = &search->places;
    uint32_t number = places->by_pair[hashes.pair];
    for (unsigned i = pairs; i > 0; i--) {
        const cc_run *run = &places->runs[number];
        if (!try_pixels(search, delta_of(&search->at, run), run->pixel)) { break; }
        number = run->before_by_pair;
    }
    number = places->by_pixel[hashes.pixel];
    for (unsigned i = pixels; i > 0; i--) {
        const cc_run *run = &places->runs[number];
        if (!try_pixels(search, search->at.place - run->place, run->pixel)) { break; }
        number = run->before_by_pixel;
    }
}

/// Finds earlier pixels that the cursor's run and the pixels after it repeat, then adds the run to the
/// tables.
static void search_run(cc_search *search) {
    const cc_cursor *at = &search->at;
    const cc_run run = {.place = at->place, .end = at->run_end, .pixel = search->raster.pixels[at->place]};
    const cc_hashes hashes = cc_run_hashes(&search->raster, &search->runs, run.place, run.end);
    if (search->is_deep) {
        try_chains(search, hashes, CC_DEEP_PAIRS, CC_DEEP_PIXELS);
    } else {
        try_chains(search, hashes, CC_PAIRS, CC_PIXELS);
    }
    cc_places_enter(&search->places, hashes, run);
}

// Nodes

/// Whether there are more than a few runs up to a place in the row.
static bool has_runs(const cc_search *search, uint32_t to) {
    enum { FEW = 3 };
    uint32_t place = search->at.run_end;
    for (int i = 0; i < FEW && place < to; i++) { place = cc_run_end(&search->runs, place); }
    return place < to;
}

/// Whether to continue at the end of the match with the row above, without searching inside it.
static bool may_skip(const cc_search *search, uint32_t to) {
    // Twice as much gains nothing.
    enum { LONG_ENOUGH = 40 };
    return (to - search->at.place) * search->raster.pixel >= LONG_ENOUGH && has_runs(search, to);
}

/// Adds all edges of the cursor. Returns the place from which to go on.
static uint32_t add_edges(cc_search *search) {
    cc_cursor *at = &search->at;
    const cc_raster *raster = &search->raster;
    const uint32_t first = search->runs.first;
    cc_graph *graph = search->graph;
    cc_node *node = &graph->nodes[graph->node_count++];
    *node = (cc_node){
        .place = (uint16_t)(at->place - first), .byte = at->byte, .unit_before = (uint8_t)at->unit_before};
    const size_t edges = graph->edge_count;
    at->longest = 0;
    at->nearest = UINT32_MAX;
    cc_match_run(search);
    // From inside a run, only matches that go beyond its end are useful, and only near that end.
    enum { NEAR_END = 8 };
    const bool may_repeat = !at->is_inside || at->run_end - at->place < NEAR_END;
    if (may_repeat && at->place >= raster->width) { cc_match_above(search); }
    const uint32_t above = at->place + at->longest;
    const uint32_t target = above < at->row_end ? above : at->row_end;
    if (may_skip(search, target)) {
        // Each row is decided separately: for some of them, other matches may be cheaper.
        if (target < above) { cc_match_row_above(search); }
        node->edges = (uint8_t)(graph->edge_count - edges);
        return target;
    }
    if (!at->is_inside) { search_run(search); }
    node->edges = (uint8_t)(graph->edge_count - edges);
    // Inside a run, the match to its end is cheap, if it is long enough; then literals are not needed.
    if (!at->is_inside || node->edges == 0 || at->run_end - at->place < 3) {
        node->literals = (uint8_t)(raster->pixel + (at->x == 0));
        cc_set_flag(search->reached, at->place + 1 - first);
    }
    return at->place + 1;
}

/// Moves the cursor forward to a place.
static void move(cc_search *search, uint32_t place) {
    cc_cursor *at = &search->at;
    at->place = place;
    while (place >= at->row_end) {
        at->y++;
        at->row_end += search->raster.width;
    }
    at->x = place - (at->row_end - search->raster.width);
    at->byte = place * search->raster.pixel + at->y + (at->x > 0);
    at->is_inside = !cc_has_flag(search->runs.begins, place - search->runs.first);
    const bool has_before = at->x > 0 && place > search->runs.first && !at->is_inside
        && cc_has_flag(search->reached, place - 1 - search->runs.first);
    at->before = has_before ? place - 1 : UINT32_MAX;
    at->unit_before = search->raster.pixel + (at->x == 1);
    if (place >= at->run_end) { at->run_end = cc_run_end(&search->runs, place); }
}

void cc_search_graph(cc_search *search, uint32_t first, cc_graph *graph) {
    const cc_raster *raster = &search->raster;
    const uint32_t left = raster->width * raster->height - first;
    const uint32_t end = first + (left < CC_SPAN ? left : CC_SPAN);
    cc_mark_runs(raster, first, end, &search->runs);
    memset(search->reached, 0, sizeof search->reached);
    cc_set_flag(search->reached, end - first);
    search->graph = graph;
    graph->first = first;
    graph->node_count = graph->edge_count = 0;
    search->at.run_end = first;
    search->at.y = first / raster->width;
    search->at.row_end = (search->at.y + 1) * raster->width;
    uint32_t place = first;
    while (place < end && graph->node_count < CC_GRAPH_NODES
           && graph->edge_count + CC_MOST_EDGES <= CC_GRAPH_EDGES) {
        move(search, place);
        enter_until(&search->places, raster, &search->runs, place);
        const uint32_t next = add_edges(search);
        place = first + cc_next_flag(search->reached, next - first);
    }
    graph->last = place;
    enter_until(&search->places, raster, &search->runs, place);
}
