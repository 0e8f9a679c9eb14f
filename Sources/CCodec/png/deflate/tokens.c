#include "tokens.h"

#include <string.h>

// Symbols

// In RFC 1951, the longest length, 258, has a separate symbol.
const uint8_t cc_length_symbols[256] = {
    0,  1,  2,  3,  4,  5,  6,  7,  8,  8,  9,  9,  10, 10, 11, 11, 12, 12, 12, 12, 13, 13, 13, 13, 14, 14,
    14, 14, 15, 15, 15, 15, 16, 16, 16, 16, 16, 16, 16, 16, 17, 17, 17, 17, 17, 17, 17, 17, 18, 18, 18, 18,
    18, 18, 18, 18, 19, 19, 19, 19, 19, 19, 19, 19, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20,
    20, 20, 21, 21, 21, 21, 21, 21, 21, 21, 21, 21, 21, 21, 21, 21, 21, 21, 22, 22, 22, 22, 22, 22, 22, 22,
    22, 22, 22, 22, 22, 22, 22, 22, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 24, 24,
    24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24,
    24, 24, 24, 24, 25, 25, 25, 25, 25, 25, 25, 25, 25, 25, 25, 25, 25, 25, 25, 25, 25, 25, 25, 25, 25, 25,
    25, 25, 25, 25, 25, 25, 25, 25, 25, 25, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26,
    26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 27, 27, 27, 27, 27, 27, 27, 27, 27, 27,
    27, 27, 27, 27, 27, 27, 27, 27, 27, 27, 27, 27, 27, 27, 27, 27, 27, 27, 27, 27, 27, 28};

const uint8_t cc_length_extra_bits[CC_LITERALS - CC_FIRST_LENGTH] = {
    0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};

const uint8_t cc_distance_extra_bits[CC_DISTANCES] = {0, 0, 0, 0, 1, 1, 2, 2,  3,  3,  4,  4,  5,  5,  6,
                                                      6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13};

const uint8_t cc_header_order[CC_HEADER_SYMBOLS] = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                                    11, 4,  12, 3, 13, 2, 14, 1, 15};

// Costs

/// The binary logarithm of 1 or more.
static uint32_t log2_of(uint32_t value) {
    // Logarithms of (64 + i) / 64, in units of CC_BIT.
    static const uint8_t fractions[65] = {0,  1,  3,  4,  6,  7,  8,  10, 11, 12, 13, 15, 16, 17, 18, 19, 21,
                                          22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 34, 35, 35, 36, 37, 38,
                                          39, 40, 41, 42, 43, 44, 45, 46, 47, 47, 48, 49, 50, 51, 52, 52, 53,
                                          54, 55, 56, 56, 57, 58, 59, 60, 60, 61, 62, 63, 63, 64};
    const uint32_t high = 31 - (uint32_t)__builtin_clz(value);
    // Rounded to the nearest i.
    const uint32_t fraction = (uint32_t)((((uint64_t)value << 7 >> high) - 127) / 2);
    return high * CC_BIT + fractions[fraction];
}

void cc_count_tokens(const cc_token *tokens, size_t count, cc_frequencies *frequencies) {
    for (size_t i = 0; i < count; i++) {
        const cc_token token = tokens[i];
        if (cc_is_match(token)) {
            frequencies->literals[CC_FIRST_LENGTH + cc_length_symbols[cc_length_of(token)]]++;
            frequencies->distances[cc_distance_symbol(cc_distance_of(token))]++;
        } else {
            frequencies->literals[token]++;
        }
    }
}

void cc_add_frequencies(cc_frequencies *frequencies, const cc_frequencies *others) {
    for (int i = 0; i < CC_LITERALS; i++) { frequencies->literals[i] += others->literals[i]; }
    for (int i = 0; i < CC_DISTANCES; i++) { frequencies->distances[i] += others->distances[i]; }
}

static uint32_t total_of(const uint32_t *frequencies, size_t count) {
    uint32_t total = 0;
    for (size_t i = 0; i < count; i++) { total += frequencies[i]; }
    return total;
}

/// The cost of a symbol in a code for all symbols. A symbol that does not occur counts as half an occurrence.
static uint32_t symbol_cost(uint32_t frequency, uint32_t total) {
    const uint32_t all = log2_of(total * 2 + 1), own = log2_of(frequency > 0 ? frequency * 2 : 1);
    return all < own + CC_BIT ? CC_BIT : all - own;
}

/// Each distance counts as more frequent than it is: otherwise, the code of an unused distance would be so
/// long that it would never be used. This applies even more to distances up to 4, which are useful in any
/// drawing.
static uint32_t distance_cost(const cc_frequencies *frequencies, uint32_t symbol, uint32_t total) {
    const uint32_t chance = symbol < 4 ? total / 32 : total / 64;
    return symbol_cost(frequencies->distances[symbol] + chance, total)
        + cc_distance_extra_bits[symbol] * CC_BIT;
}

void cc_costs_of(const cc_frequencies *frequencies, cc_costs *costs) {
    const uint32_t literals = total_of(frequencies->literals, CC_LITERALS);
    const uint32_t distances = total_of(frequencies->distances, CC_DISTANCES);
    for (int i = 0; i < 256; i++) { costs->literals[i] = symbol_cost(frequencies->literals[i], literals); }
    for (int i = 0; i < 256; i++) {
        const int symbol = cc_length_symbols[i];
        costs->lengths[i] = symbol_cost(frequencies->literals[CC_FIRST_LENGTH + symbol], literals)
            + cc_length_extra_bits[symbol] * CC_BIT;
    }
    for (uint32_t i = 0; i < CC_DISTANCES; i++) {
        costs->distances[i] = distance_cost(frequencies, i, distances);
    }
}

// Parts

/// The bits of a code's header for each symbol that occurs, and for the rest; measured on tiles of plans.
enum { SYMBOL_COST = 3 * CC_BIT, HEADER_COST = 120 * CC_BIT };

void cc_splitter_init(cc_splitter *splitter) {
    splitter->count = 0;
    splitter->logarithms[0] = 0;
    for (uint32_t i = 1; i < CC_KNOWN_LOGARITHMS; i++) { splitter->logarithms[i] = (uint16_t)log2_of(i); }
}

/// The cost of the symbols with the frequencies a + b, and of a code for them.
static uint64_t symbols_cost(
    const cc_splitter *splitter, const uint32_t *a, const uint32_t *b, size_t count) {
    uint64_t sum = 0;
    uint32_t total = 0, used = 0;
    for (size_t i = 0; i < count; i++) {
        const uint32_t frequency = a[i] + b[i];
        const uint32_t bits =
            frequency < CC_KNOWN_LOGARITHMS ? splitter->logarithms[frequency] : log2_of(frequency);
        sum += (uint64_t)frequency * bits;
        total += frequency;
        used += frequency > 0;
    }
    return total == 0 ? 0 : (uint64_t)total * log2_of(total) - sum + used * SYMBOL_COST;
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
