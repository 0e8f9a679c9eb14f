#include <string.h>

#include "search.h"

// In a step, in place of an edge's number: the pixel is written as literals.
enum { LITERALS = UINT32_MAX };

static uint32_t match_cost(const cc_costs *costs, const cc_edge *edge) {
    const uint32_t length = edge->length, each = costs->distances[edge->distance_symbol];
    if (length <= CC_LONGEST_MATCH) { return each + costs->lengths[length - CC_SHORTEST_MATCH]; }
    const uint32_t longest = each + costs->lengths[CC_LONGEST_MATCH - CC_SHORTEST_MATCH];
    const uint32_t whole = length / CC_LONGEST_MATCH, rest = length % CC_LONGEST_MATCH;
    if (rest == 0) { return whole * longest; }
    if (rest >= CC_SHORTEST_MATCH) {
        return whole * longest + each + costs->lengths[rest - CC_SHORTEST_MATCH];
    }
    return (whole + 1) * longest;
}

static uint32_t literals_cost(const cc_costs *costs, const uint8_t *bytes, size_t count) {
    uint32_t cost = 0;
    for (size_t i = 0; i < count; i++) { cost += costs->literals[bytes[i]]; }
    return cost;
}

static inline uint32_t cost_at(const cc_parser *parser, uint32_t place) {
    return (uint32_t)(parser->steps[place] >> 32);
}

/// Without branches, since a CPU cannot predict which path is cheaper.
static inline void reach(cc_parser *parser, uint32_t place, uint32_t cost, uint32_t edge) {
    const uint64_t step = (uint64_t)cost << 32 | edge;
    const uint64_t best = parser->steps[place];
    parser->steps[place] = step < best ? step : best;
}

static void find_way(
    cc_parser *parser, const cc_raster *raster, const cc_graph *graph, const cc_costs *costs) {
    const uint32_t span = graph->last - graph->first;
    memset(parser->steps, 0xFF, (span + 1) * sizeof *parser->steps);
    parser->steps[0] = 0;
    uint32_t number = 0;
    for (size_t i = 0; i < graph->node_count; i++) {
        const cc_node *node = &graph->nodes[i];
        const uint8_t *bytes = raster->bytes + node->byte;
        if (node->literals > 0 && node->place < span) {
            const uint32_t cost = cost_at(parser, node->place) + literals_cost(costs, bytes, node->literals);
            reach(parser, node->place + 1, cost, LITERALS);
        }
        for (const uint32_t end = number + node->edges; number < end; number++) {
            const cc_edge *edge = &graph->edges[number];
            if (edge->to > span) { continue; }
            uint32_t cost = cost_at(parser, edge->from) + match_cost(costs, edge);
            if (edge->literals != 0) {
                const uint8_t *from = bytes - (edge->from != node->place ? node->unit_before : 0);
                const uint32_t lead = edge->literals & 15;
                cost += literals_cost(costs, from, lead);
                cost += literals_cost(costs, from + lead + edge->length, edge->literals >> 4);
            }
            reach(parser, edge->to, cost, number);
        }
    }
}

static cc_token *put_literals(const uint8_t *bytes, size_t count, cc_token *tokens) {
    for (size_t i = 0; i < count; i++) { *tokens++ = bytes[i]; }
    return tokens;
}

size_t cc_parse(
    cc_parser *parser, const cc_raster *raster, const cc_graph *graph, const cc_costs *costs,
    cc_token *tokens) {
    find_way(parser, raster, graph, costs);
    size_t steps = 0;
    for (uint32_t place = graph->last - graph->first; place > 0;) {
        parser->way[steps++] = (uint16_t)place;
        const uint32_t edge = (uint32_t)parser->steps[place];
        place = edge == LITERALS ? place - 1 : graph->edges[edge].from;
    }
    const uint8_t *bytes = raster->bytes + cc_byte_at(raster, graph->first);
    uint32_t row_end = graph->first % raster->width;
    row_end = (row_end > 0 ? raster->width - row_end : 0);
    uint32_t place = 0;
    cc_token *end = tokens;
    while (steps-- > 0) {
        const uint32_t to = parser->way[steps];
        const uint32_t number = (uint32_t)parser->steps[to];
        if (number == LITERALS) {
            while (place > row_end) { row_end += raster->width; }
            const size_t unit = raster->pixel + (place == row_end);
            end = put_literals(bytes, unit, end);
            bytes += unit;
        } else {
            const cc_edge *edge = &graph->edges[number];
            const size_t lead = edge->literals & 15, trail = edge->literals >> 4;
            end = put_literals(bytes, lead, end);
            bytes += lead;
            end = cc_put_match(edge->length, edge->distance + 1u, end);
            bytes += edge->length;
            end = put_literals(bytes, trail, end);
            bytes += trail;
        }
        place = to;
    }
    return (size_t)(end - tokens);
}
