#include "deflate.h"

#include <libdeflate.h>
#include <stdlib.h>

#include "../inflate/inflate.h"
#include "matches.h"

enum {
    // Tokens for which one code is enough. With half as many, files are 0.1 % smaller; with twice as many,
    // 0.1 % larger.
    PART = 500,
    // As PART, for the smallest stream.
    SMALL_PART = 70,
    // The most parts that are added for a graph; if it has too many tokens for them, the parts are longer.
    MOST_ADDED_PARTS = 16,
    // A tile of a plan has some 6000 tokens.
    MOST_TOKENS = CC_SPAN_TOKENS * 2,
};

/// The state of choosing the cheapest tokens.
typedef struct cc_chooser {
    cc_search *search;
    cc_parser *parser;
    cc_graph graph;
    cc_costs costs;
    cc_frequencies frequencies;  // of all tokens so far
    // The number of times that a graph's tokens are chosen, each time by the costs of the tokens chosen
    // before. A fourth time changes little.
    int rounds;
} cc_chooser;

struct cc_deflater {
    // One of these two is used, depending on the effort.
    cc_quick *quick;
    cc_chooser chooser;
    // Reads streams that are recoded.
    cc_inflater *reader;
    cc_token *tokens;
    size_t token_count;
    cc_splitter splitter;
    cc_bit_writer writer;
};

static bool allocate_chooser(cc_chooser *chooser, bool is_deep) {
    chooser->search = calloc(1, sizeof *chooser->search);
    chooser->parser = malloc(sizeof *chooser->parser);
    chooser->graph.nodes = malloc(CC_GRAPH_NODES * sizeof(cc_node));
    chooser->graph.edges = malloc(CC_GRAPH_EDGES * sizeof(cc_edge));
    if (chooser->search) { chooser->search->is_deep = is_deep; }
    return chooser->search && chooser->parser && chooser->graph.nodes && chooser->graph.edges;
}

static bool allocate(cc_deflater *deflater, cc_png_effort effort) {
    deflater->tokens = malloc(MOST_TOKENS * sizeof(cc_token));
    if (deflater->tokens == NULL) { return false; }
    if (effort == CC_PNG_FAST) {
        deflater->quick = malloc(sizeof *deflater->quick);
        return deflater->quick != NULL;
    }
    const bool is_smallest = effort == CC_PNG_SMALL;
    deflater->chooser.rounds = is_smallest ? 3 : 1;
    if (is_smallest) {
        deflater->reader = malloc(sizeof *deflater->reader);
        if (deflater->reader == NULL) { return false; }
    }
    return allocate_chooser(&deflater->chooser, is_smallest);
}

cc_deflater *cc_deflater_create(cc_png_effort effort) {
    cc_deflater *deflater = calloc(1, sizeof *deflater);
    if (deflater == NULL) { return NULL; }
    if (!allocate(deflater, effort)) {
        cc_deflater_destroy(deflater);
        return NULL;
    }
    cc_splitter_init(&deflater->splitter);
    return deflater;
}

void cc_deflater_destroy(cc_deflater *deflater) {
    if (deflater == NULL) { return; }
    free(deflater->chooser.search);
    free(deflater->chooser.parser);
    free(deflater->chooser.graph.nodes);
    free(deflater->chooser.graph.edges);
    free(deflater->quick);
    free(deflater->reader);
    free(deflater->tokens);
    free(deflater);
}

size_t cc_deflate_bound(size_t size) {
    // A block is stored if that is shorter, with five bytes more per 65535 bytes. Unless there is only one
    // block, each has at least two thirds of SMALL_PART tokens, of at least one byte each. 64 covers the
    // head, the checksum, and bytes that are written ahead.
    return size + size / 8 + 64;
}

/// The number of bytes that tokens encode.
static size_t size_of(const cc_token *tokens, size_t count) {
    size_t size = 0;
    for (size_t i = 0; i < count; i++) {
        size += cc_is_match(tokens[i]) ? cc_length_of(tokens[i]) + CC_SHORTEST_MATCH : 1;
    }
    return size;
}

/// Writes all tokens in blocks. They encode the bytes from `begin` on. Returns the end of these bytes.
static size_t write_blocks(cc_deflater *deflater, const uint8_t *bytes, size_t begin, bool is_last) {
    cc_splitter *splitter = &deflater->splitter;
    cc_join_parts(splitter);
    size_t first = 0;
    for (size_t i = 0; i < splitter->count; i++) {
        cc_part *part = &splitter->parts[i];
        part->frequencies.literals[CC_END_OF_BLOCK] = 1;
        const cc_token *tokens = deflater->tokens + first;
        const size_t count = part->end - first;
        const cc_block block = {
            .tokens = tokens,
            .count = count,
            .frequencies = &part->frequencies,
            .bytes = bytes + begin,
            .size = size_of(tokens, count),
            .is_last = is_last && i + 1 == splitter->count,
        };
        cc_write_block(&block, &deflater->writer);
        begin += block.size;
        first = part->end;
    }
    splitter->count = 0;
    deflater->token_count = 0;
    return begin;
}

// The frequencies of length and distance symbols in tiles of plans, per 1000.
static const uint16_t usual_lengths[CC_LITERALS - CC_FIRST_LENGTH] = {
    300, 80, 45, 40, 8, 20, 24, 2, 16, 5, 9, 7, 6, 6, 7, 5, 11, 8, 8, 9, 12, 12, 13, 13, 21, 20, 22, 48, 223};
static const uint16_t usual_distances[CC_DISTANCES] = {180, 1,  84, 60, 2,  2,  5,  4,  6,  5,
                                                       7,   5,  6,  5,  7,  6,  9,  7,  28, 150,
                                                       73,  22, 37, 38, 43, 36, 52, 38, 50, 37};

/// The costs before there are tokens: literals have the frequencies of the bytes in the graph that may be
/// literals; matches have the usual frequencies.
static void guess_costs(const cc_raster *raster, const cc_graph *graph, cc_costs *costs) {
    cc_frequencies frequencies = {0};
    uint32_t total = 0;
    for (size_t i = 0; i < graph->node_count; i++) {
        const cc_node *node = &graph->nodes[i];
        for (size_t k = 0; k < node->literals; k++) { frequencies.literals[raster->bytes[node->byte + k]]++; }
        total += node->literals;
    }
    // There is about one match per two literals.
    for (int i = 0; i < CC_LITERALS - CC_FIRST_LENGTH; i++) {
        frequencies.literals[CC_FIRST_LENGTH + i] = total * usual_lengths[i] / 2000;
    }
    for (int i = 0; i < CC_DISTANCES; i++) { frequencies.distances[i] = usual_distances[i]; }
    cc_costs_of(&frequencies, costs);
}

/// Adds the cheapest tokens from a place on, by the costs of the tokens so far; returns the place after them.
static uint32_t choose_tokens(cc_deflater *deflater, const cc_raster *raster, uint32_t place) {
    cc_chooser *chooser = &deflater->chooser;
    cc_search_graph(chooser->search, place, &chooser->graph);
    if (place == 0) { guess_costs(raster, &chooser->graph, &chooser->costs); }
    cc_token *tokens = deflater->tokens + deflater->token_count;
    size_t count = cc_parse(chooser->parser, raster, &chooser->graph, &chooser->costs, tokens);
    for (int round = 1; round < chooser->rounds; round++) {
        cc_frequencies frequencies = {.literals[CC_END_OF_BLOCK] = 1};
        cc_count_tokens(tokens, count, &frequencies);
        cc_costs_of(&frequencies, &chooser->costs);
        count = cc_parse(chooser->parser, raster, &chooser->graph, &chooser->costs, tokens);
    }
    deflater->token_count += count;
    const size_t known = deflater->splitter.count;
    const size_t least = (count + MOST_ADDED_PARTS - 1) / MOST_ADDED_PARTS;
    cc_add_parts(&deflater->splitter, tokens, count, least < PART ? PART : least, deflater->token_count);
    for (size_t i = known; i < deflater->splitter.count; i++) {
        cc_add_frequencies(&chooser->frequencies, &deflater->splitter.parts[i].frequencies);
    }
    cc_costs_of(&chooser->frequencies, &chooser->costs);
    return chooser->graph.last;
}

/// Adds the first tokens found from a place on; returns the place after them.
static uint32_t take_tokens(cc_deflater *deflater, const cc_raster *raster, uint32_t place) {
    const uint32_t left = raster->width * raster->height - place;
    const uint32_t end = place + (left < CC_SPAN ? left : CC_SPAN);
    cc_token *tokens = deflater->tokens + deflater->token_count;
    const size_t count = cc_quick_tokens(deflater->quick, raster, place, end, tokens);
    deflater->token_count += count;
    // One code for all tokens: searching for better codes takes as long as finding the tokens.
    cc_extend_part(&deflater->splitter, tokens, count, deflater->token_count);
    return end;
}

static void begin_stream(cc_deflater *deflater, uint8_t *stream) {
    deflater->writer = (cc_bit_writer){.next = stream};
    // Deflate with a window of 32 KiB, and check bits that make both bytes a multiple of 31 (RFC 1950).
    cc_put_bits(&deflater->writer, 0xDA78, 16);
    cc_flush_bits(&deflater->writer);
}

static void begin_tokens(cc_deflater *deflater, const cc_raster *raster) {
    if (deflater->quick != NULL) {
        memset(deflater->quick->places, 0, sizeof deflater->quick->places);
    } else {
        cc_search_begin(deflater->chooser.search, raster);
        deflater->chooser.frequencies = (cc_frequencies){.literals[CC_END_OF_BLOCK] = 1};
    }
}

/// Ends a stream; returns its size.
static size_t end_stream(cc_deflater *deflater, const uint8_t *bytes, size_t size, const uint8_t *stream) {
    cc_bit_writer *writer = &deflater->writer;
    cc_align_bits(writer);
    const uint32_t check = libdeflate_adler32(1, bytes, size);
    for (int shift = 24; shift >= 0; shift -= 8) { cc_put_bits(writer, check >> shift & 0xFF, 8); }
    cc_flush_bits(writer);
    return (size_t)(writer->next - stream);
}

size_t cc_deflate(cc_deflater *deflater, const cc_raster *raster, uint8_t *stream) {
    begin_stream(deflater, stream);
    begin_tokens(deflater, raster);
    const uint32_t places = raster->width * raster->height;
    size_t written = 0;
    for (uint32_t place = 0; place < places;) {
        place = deflater->quick != NULL ? take_tokens(deflater, raster, place)
                                        : choose_tokens(deflater, raster, place);
        if (place == places || deflater->token_count + CC_SPAN_TOKENS > MOST_TOKENS
            || deflater->splitter.count + MOST_ADDED_PARTS > CC_MOST_PARTS) {
            written = write_blocks(deflater, raster->bytes, written, place == places);
        }
    }
    return end_stream(deflater, raster->bytes, cc_row_begin(raster, raster->height), stream);
}

size_t cc_recode(
    cc_deflater *deflater, const uint8_t *bytes, size_t size, const uint8_t *stream, size_t stream_size,
    uint8_t *recoded) {
    enum { HEAD = 2, CHECK = 4 };  // RFC 1950
    const size_t count = cc_read_tokens(
        deflater->reader, stream + HEAD, stream_size - HEAD - CHECK, deflater->tokens, MOST_TOKENS);
    if (count == 0) { return 0; }
    const size_t least = (count + CC_MOST_PARTS - 1) / CC_MOST_PARTS;
    cc_add_parts(
        &deflater->splitter, deflater->tokens, count, least < SMALL_PART ? SMALL_PART : least, count);
    begin_stream(deflater, recoded);
    write_blocks(deflater, bytes, 0, true);
    return end_stream(deflater, bytes, size, recoded);
}
