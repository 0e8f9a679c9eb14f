#include "guess.h"

// How often tiles of plans have each symbol of lengths and distances, in 1000.
static const uint16_t usual_lengths[CC_LITERALS - CC_FIRST_LENGTH] = {
    300, 80, 45, 40, 8, 20, 24, 2, 16, 5, 9, 7, 6, 6, 7, 5, 11, 8, 8, 9, 12, 12, 13, 13, 21, 20, 22, 48, 223};
static const uint16_t usual_distances[CC_DISTANCES] = {180, 1,  84, 60, 2,  2,  5,  4,  6,  5,
                                                       7,   5,  6,  5,  7,  6,  9,  7,  28, 150,
                                                       73,  22, 37, 38, 43, 36, 52, 38, 50, 37};

void cc_guess_costs(const cc_raster *raster, const cc_graph *graph, cc_costs *costs) {
    cc_frequencies frequencies = {0};
    uint32_t total = 0;
    for (size_t i = 0; i < graph->node_count; i++) {
        const cc_node *node = &graph->nodes[i];
        for (size_t k = 0; k < node->literals; k++) { frequencies.literals[raster->bytes[node->byte + k]]++; }
        total += node->literals;
    }
    // To two literals there is about one match.
    for (int i = 0; i < CC_LITERALS - CC_FIRST_LENGTH; i++) {
        frequencies.literals[CC_FIRST_LENGTH + i] = total * usual_lengths[i] / 2000;
    }
    for (int i = 0; i < CC_DISTANCES; i++) { frequencies.distances[i] = usual_distances[i]; }
    cc_costs_of(&frequencies, costs);
}
