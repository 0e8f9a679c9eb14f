#include "split.h"

#include <string.h>

/// The bits of a code's header for each symbol that occurs, and for the rest; measured on tiles of plans.
enum { SYMBOL_COST = 3 * CC_BIT, HEADER_COST = 120 * CC_BIT };

void cc_splitter_init(cc_splitter *splitter) {
    splitter->count = 0;
    splitter->logarithms[0] = 0;
    for (uint32_t i = 1; i < CC_KNOWN_LOGARITHMS; i++) { splitter->logarithms[i] = (uint16_t)cc_log2(i); }
}

/// The cost of the symbols of both, and of a code for them.
static uint64_t symbols_cost(
    const cc_splitter *splitter, const uint32_t *a, const uint32_t *b, size_t count) {
    uint64_t sum = 0;
    uint32_t total = 0, used = 0;
    for (size_t i = 0; i < count; i++) {
        const uint32_t frequency = a[i] + b[i];
        const uint32_t bits =
            frequency < CC_KNOWN_LOGARITHMS ? splitter->logarithms[frequency] : cc_log2(frequency);
        sum += (uint64_t)frequency * bits;
        total += frequency;
        used += frequency > 0;
    }
    return total == 0 ? 0 : (uint64_t)total * cc_log2(total) - sum + used * SYMBOL_COST;
}

static uint64_t cost_of(const cc_splitter *splitter, const cc_frequencies *a, const cc_frequencies *b) {
    return symbols_cost(splitter, a->literals, b->literals, CC_LITERALS)
        + symbols_cost(splitter, a->distances, b->distances, CC_DISTANCES) + HEADER_COST;
}

static void set_joined_cost(cc_splitter *splitter, size_t i) {
    cc_part *part = &splitter->parts[i];
    part->joined_cost = cost_of(splitter, &part->frequencies, &part[1].frequencies);
}

void cc_add_parts(cc_splitter *splitter, const cc_token *tokens, size_t count, size_t size, size_t end) {
    size_t parts = (count + size / 2) / size;
    if (parts < 1) { parts = 1; }
    for (size_t i = 0; i < parts; i++) {
        const size_t first = count * i / parts, last = count * (i + 1) / parts;
        cc_part *part = &splitter->parts[splitter->count++];
        memset(&part->frequencies, 0, sizeof part->frequencies);
        cc_count_tokens(tokens + first, last - first, &part->frequencies);
        part->end = end - count + last;
    }
}

void cc_extend_part(cc_splitter *splitter, const cc_token *tokens, size_t count, size_t end) {
    cc_part *part = &splitter->parts[0];
    if (splitter->count == 0) { memset(&part->frequencies, 0, sizeof part->frequencies); }
    cc_count_tokens(tokens, count, &part->frequencies);
    part->end = end;
    splitter->count = 1;
}

static void join(cc_splitter *splitter, size_t i) {
    cc_part *part = &splitter->parts[i];
    cc_add_frequencies(&part->frequencies, &part[1].frequencies);
    part->cost = part->joined_cost;
    part->end = part[1].end;
    splitter->count--;
    memmove(part + 1, part + 2, (splitter->count - i - 1) * sizeof *part);
    if (i + 1 < splitter->count) { set_joined_cost(splitter, i); }
    if (i > 0) { set_joined_cost(splitter, i - 1); }
}

void cc_join_parts(cc_splitter *splitter) {
    static const cc_frequencies nothing;
    if (splitter->count < 2) { return; }
    for (size_t i = 0; i < splitter->count; i++) {
        cc_part *part = &splitter->parts[i];
        part->cost = cost_of(splitter, &part->frequencies, &nothing);
        if (i + 1 < splitter->count) { set_joined_cost(splitter, i); }
    }
    for (;;) {
        size_t best = splitter->count;
        int64_t most = 0;
        for (size_t i = 0; i + 1 < splitter->count; i++) {
            const cc_part *part = &splitter->parts[i];
            const int64_t gain = (int64_t)(part->cost + part[1].cost) - (int64_t)part->joined_cost;
            if (gain >= most) {
                most = gain;
                best = i;
            }
        }
        if (best == splitter->count) { return; }
        join(splitter, best);
    }
}
