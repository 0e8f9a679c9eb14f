#include "inflate.h"

// Symbols: their entries, which still lack the number of bits of the symbol's code (RFC 1951, section 3.2.5)

#define NO_CODE ((cc_prefix_entry)CC_NO_SYMBOL << CC_VALUE_SHIFT | CC_IS_SPECIAL)

/// The last two symbols have codes and no meaning.
static cc_prefix_entry literal_entry(unsigned symbol) {
    if (symbol < CC_END_OF_BLOCK) {
        return symbol << CC_VALUE_SHIFT | CC_IS_LITERAL | 1 << CC_LITERALS_SHIFT;
    }
    if (symbol == CC_END_OF_BLOCK) { return (cc_prefix_entry)CC_END << CC_VALUE_SHIFT | CC_IS_SPECIAL; }
    if (symbol >= CC_LITERALS) { return NO_CODE; }
    const unsigned length = symbol - CC_FIRST_LENGTH, extra = cc_length_extra_bits[length];
    // Ranges of lengths double with every fourth symbol. The last symbol is the longest length alone.
    const unsigned first = length < 4 ? length : (4 + length % 4) << extra;
    const bool is_longest = symbol == CC_LITERALS - 1;
    return (is_longest ? CC_LONGEST_MATCH : CC_SHORTEST_MATCH + first) << CC_VALUE_SHIFT | extra;
}

static cc_prefix_entry distance_entry(unsigned symbol) {
    if (symbol >= CC_DISTANCES) { return NO_CODE; }
    const unsigned extra = cc_distance_extra_bits[symbol];
    const unsigned first = symbol < 2 ? symbol : (2 + symbol % 2) << extra;
    return (first + 1) << CC_VALUE_SHIFT | extra;
}

static cc_prefix_entry length_entry(unsigned symbol) { return symbol << CC_VALUE_SHIFT; }

typedef struct alphabet {
    cc_prefix_entry (*entry_of)(unsigned symbol);
    unsigned table_bits;
    /// Whether there may be only one code, of one bit, or none, as in zlib.
    bool may_be_incomplete;
} alphabet;

static const alphabet literals = {literal_entry, CC_LITERAL_TABLE_BITS, true};
static const alphabet distances = {distance_entry, CC_DISTANCE_TABLE_BITS, true};
static const alphabet code_lengths = {length_entry, CC_LENGTH_TABLE_BITS, false};

// Tables

typedef struct code {
    /// Symbols by the length of their codes, and within a length in their order.
    uint16_t sorted[CC_LITERAL_SYMBOLS];
    /// Codes of each length.
    uint16_t counts[CC_LONGEST_CODE + 1];
    unsigned longest;
} code;

static void sort_symbols(const uint8_t *lengths, size_t count, code *code) {
    uint16_t places[CC_LONGEST_CODE + 2] = {0};
    memset(code->counts, 0, sizeof code->counts);
    for (size_t i = 0; i < count; i++) { code->counts[lengths[i]]++; }
    code->counts[0] = 0;
    code->longest = 0;
    for (unsigned length = 1; length <= CC_LONGEST_CODE; length++) {
        places[length + 1] = (uint16_t)(places[length] + code->counts[length]);
        if (code->counts[length] > 0) { code->longest = length; }
    }
    for (size_t i = 0; i < count; i++) {
        if (lengths[i] > 0) { code->sorted[places[lengths[i]]++] = (uint16_t)i; }
    }
}

/// Whether the lengths are those of a code (RFC 1951, section 3.2.2).
static bool is_valid(const code *code, bool may_be_incomplete) {
    int32_t left = 1;
    for (unsigned length = 1; length <= CC_LONGEST_CODE; length++) {
        left = left * 2 - code->counts[length];
        if (left < 0) { return false; }
    }
    return left == 0 || (may_be_incomplete && code->longest <= 1);
}

/// The next code of a length, with its first bit lowest: adds 1 at the highest bit, and carries it down.
static uint32_t next_code(uint32_t reversed, unsigned length) {
    uint32_t bit = UINT32_C(1) << (length - 1);
    while ((reversed & bit) != 0) {
        reversed ^= bit;
        bit >>= 1;
    }
    return reversed | bit;
}

/// Puts an entry at all places that begin with a code; `size` is a power of two.
static void spread(
    cc_prefix_entry *table, size_t size, uint32_t code, unsigned length, cc_prefix_entry entry) {
    for (size_t place = code; place < size; place += (size_t)1 << length) { table[place] = entry; }
}

static cc_prefix_entry with_code_bits(cc_prefix_entry entry, unsigned bits) {
    return entry + (bits << CC_CODE_BITS_SHIFT) + bits;
}

/// A table while it is made.
typedef struct table {
    cc_prefix_entry *entries;
    unsigned bits;
    /// The bits of the tables that longer codes lead to.
    unsigned further_bits;
    /// The latest of these, and the bits that lead to it.
    cc_prefix_entry *further;
    uint32_t prefix;
    /// The number of entries in use.
    size_t end;
} table;

/// Codes that begin with the same bits follow one another.
static void begin_further(table *table, uint32_t prefix) {
    table->prefix = prefix;
    table->further = table->entries + table->end;
    table->entries[prefix] = (cc_prefix_entry)table->end << CC_VALUE_SHIFT | CC_IS_LONGER
        | table->further_bits << CC_CODE_BITS_SHIFT | table->bits;
    table->end += (size_t)1 << table->further_bits;
}

static void place(table *table, uint32_t reversed, unsigned length, cc_prefix_entry entry) {
    const unsigned bits = table->bits;
    const size_t size = (size_t)1 << bits;
    if (length <= bits) {
        spread(table->entries, size, reversed, length, with_code_bits(entry, length));
        return;
    }
    const uint32_t prefix = reversed & (uint32_t)(size - 1);
    if (table->further == NULL || prefix != table->prefix) { begin_further(table, prefix); }
    const unsigned rest = length - bits;
    spread(
        table->further, (size_t)1 << table->further_bits, reversed >> bits, rest,
        with_code_bits(entry, rest));
}

/// Makes the table of a code; false if the lengths are not valid.
static bool make_table(
    const uint8_t *lengths, size_t count, const alphabet *alphabet, cc_prefix_entry *entries) {
    code code;
    sort_symbols(lengths, count, &code);
    if (!is_valid(&code, alphabet->may_be_incomplete)) { return false; }
    const unsigned bits = alphabet->table_bits;
    table table = {
        .entries = entries,
        .bits = bits,
        .further_bits = code.longest > bits ? code.longest - bits : 0,
        .end = (size_t)1 << bits};
    // Only an incomplete code leaves places empty.
    if (code.longest <= 1) { spread(entries, table.end, 0, 0, with_code_bits(NO_CODE, 1)); }
    const uint16_t *symbol = code.sorted;
    uint32_t reversed = 0;
    for (unsigned length = 1; length <= code.longest; length++) {
        for (unsigned left = code.counts[length]; left > 0; left--) {
            place(&table, reversed, length, alphabet->entry_of(*symbol++));
            reversed = next_code(reversed, length);
        }
    }
    return true;
}

/// Adds a second literal where the bits after the first code contain a whole one.
static void join_literals(cc_prefix_entry table[CC_LITERAL_ENTRIES]) {
    // From the end on: the bits after a code are the index of an earlier entry, which is not joined yet.
    for (uint32_t place = 1 << CC_LITERAL_TABLE_BITS; place-- > 0;) {
        const cc_prefix_entry first = table[place], second = table[place >> cc_bits_of(first)];
        const unsigned bits = cc_bits_of(first) + cc_bits_of(second);
        if ((first & second & CC_IS_LITERAL) == 0 || bits > CC_LITERAL_TABLE_BITS) { continue; }
        table[place] = (first & ~UINT32_C(0xFF)) | 2 << CC_LITERALS_SHIFT | bits
            | (second >> CC_VALUE_SHIFT) << (CC_VALUE_SHIFT + 8);
    }
}

// Heads

// Either the input is enough for any head, or there is no more input. Functions return false if the input is
// too short or damaged.

static bool has_bits(cc_bit_reader *input, unsigned count) {
    cc_refill(input);
    return input->count >= count;
}

static bool begin_stored(cc_inflater *inflater) {
    cc_bit_reader *input = &inflater->input;
    cc_skip_bits(input, input->count % 8);
    if (!has_bits(input, 32)) { return false; }
    const uint32_t size = cc_use_bits(input, 16), complement = cc_use_bits(input, 16);
    if (size != (complement ^ 0xFFFF)) { return cc_inflate_fail(inflater, CC_INFLATE_INVALID_BLOCK); }
    cc_give_back(input);
    inflater->stored_left = size;
    inflater->state = CC_INFLATE_STORED;
    return true;
}

/// Makes the tables of literals and lengths, and of distances, which may have no codes.
static bool begin_codes(
    cc_inflater *inflater, const uint8_t *lengths, size_t literal_count, size_t distance_count) {
    if (lengths[CC_END_OF_BLOCK] == 0 || !make_table(lengths, literal_count, &literals, inflater->literals)
        || !make_table(lengths + literal_count, distance_count, &distances, inflater->distances)) {
        return cc_inflate_fail(inflater, CC_INFLATE_INVALID_BLOCK);
    }
    join_literals(inflater->literals);
    inflater->state = CC_INFLATE_CODED;
    return true;
}

static bool begin_fixed(cc_inflater *inflater) {
    uint8_t lengths[CC_LITERAL_SYMBOLS + CC_DISTANCE_SYMBOLS];
    memset(lengths, 8, 144);
    memset(lengths + 144, 9, 256 - 144);
    memset(lengths + 256, 7, 280 - 256);
    memset(lengths + 280, 8, CC_LITERAL_SYMBOLS - 280);
    memset(lengths + CC_LITERAL_SYMBOLS, 5, CC_DISTANCE_SYMBOLS);
    return begin_codes(inflater, lengths, CC_LITERAL_SYMBOLS, CC_DISTANCE_SYMBOLS);
}

/// Reads run-length encoded code lengths. Returns their number.
static size_t read_lengths(
    cc_inflater *inflater, const cc_prefix_entry *table, uint8_t *lengths, size_t count) {
    cc_bit_reader *input = &inflater->input;
    size_t done = 0;
    while (done < count) {
        cc_refill(input);
        // The code is complete: all bits are valid.
        const cc_prefix_entry entry = table[cc_low_bits(input->bits, CC_LENGTH_TABLE_BITS)];
        const uint32_t symbol = entry >> CC_VALUE_SHIFT;
        const unsigned extra = symbol < 16 ? 0 : symbol == 16 ? 2 : symbol == 17 ? 3 : 7;
        if (input->count < cc_bits_of(entry) + extra) { break; }
        cc_skip_bits(input, cc_bits_of(entry));
        if (symbol < 16) {
            lengths[done++] = (uint8_t)symbol;
            continue;
        }
        const size_t run = cc_use_bits(input, extra) + (symbol == 18 ? 11 : 3);
        if (run > count - done || (symbol == 16 && done == 0)) {
            cc_inflate_fail(inflater, CC_INFLATE_INVALID_BLOCK);
            break;
        }
        memset(lengths + done, symbol == 16 ? lengths[done - 1] : 0, run);
        done += run;
    }
    return done;
}

static bool begin_dynamic(cc_inflater *inflater) {
    cc_bit_reader *input = &inflater->input;
    if (!has_bits(input, 14)) { return false; }
    const size_t literal_count = cc_use_bits(input, 5) + 257, distance_count = cc_use_bits(input, 5) + 1;
    const size_t ordered = cc_use_bits(input, 4) + 4;
    if (literal_count > CC_LITERALS || distance_count > CC_DISTANCES) {
        return cc_inflate_fail(inflater, CC_INFLATE_INVALID_BLOCK);
    }
    uint8_t of_lengths[CC_HEADER_SYMBOLS] = {0};
    for (size_t i = 0; i < ordered; i++) {
        if (!has_bits(input, 3)) { return false; }
        of_lengths[cc_header_order[i]] = (uint8_t)cc_use_bits(input, 3);
    }
    cc_prefix_entry table[1 << CC_LENGTH_TABLE_BITS];
    if (!make_table(of_lengths, CC_HEADER_SYMBOLS, &code_lengths, table)) {
        return cc_inflate_fail(inflater, CC_INFLATE_INVALID_BLOCK);
    }
    uint8_t lengths[CC_LITERALS + CC_DISTANCES];
    const size_t count = literal_count + distance_count;
    if (read_lengths(inflater, table, lengths, count) < count) { return false; }
    return begin_codes(inflater, lengths, literal_count, distance_count);
}

static bool read_head(cc_inflater *inflater) {
    cc_bit_reader *input = &inflater->input;
    if (!has_bits(input, 3)) { return false; }
    inflater->block_is_last = cc_use_bits(input, 1) != 0;
    switch (cc_use_bits(input, 2)) {
    case 0: return begin_stored(inflater);
    case 1: return begin_fixed(inflater);
    case 2: return begin_dynamic(inflater);
    default: return cc_inflate_fail(inflater, CC_INFLATE_INVALID_BLOCK);
    }
}

bool cc_begin_block(cc_inflater *inflater) {
    const cc_bit_reader before = inflater->input;
    if (!inflater->input_is_last && cc_bytes_left(&before) < CC_INFLATE_INPUT) { return false; }
    if (read_head(inflater)) { return true; }
    // An incomplete head stays in the input.
    if (inflater->state == CC_INFLATE_HEAD) { inflater->input = before; }
    return false;
}
