#include "inflate.h"

#include <string.h>

/// The input for the table of an alphabet.
typedef struct alphabet {
    /// Entries by symbol, which still lack the number of bits of the symbol's code.
    const cc_prefix_entry *symbols;
    unsigned table_bits;
    /// Whether there may be only one code, of one bit, or none.
    bool may_be_incomplete;
} alphabet;

typedef struct code {
    /// Symbols by the length of their codes, and within a length in their order.
    uint16_t sorted[CC_LITERAL_SYMBOLS];
    /// Codes of each length.
    uint16_t counts[CC_LONGEST_CODE + 1];
    unsigned longest;
} code;

#define NO_CODE ((cc_prefix_entry)CC_NO_SYMBOL << CC_VALUE_SHIFT | CC_IS_SPECIAL)

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
            place(&table, reversed, length, alphabet->symbols[*symbol++]);
            reversed = next_code(reversed, length);
        }
    }
    return true;
}

#define END_OF_BLOCK ((cc_prefix_entry)CC_END << CC_VALUE_SHIFT | CC_IS_SPECIAL)
#define LITERAL(byte) ((cc_prefix_entry)(byte) << CC_VALUE_SHIFT | CC_IS_LITERAL | 1 << CC_LITERALS_SHIFT)
#define RANGE(first, extra) ((cc_prefix_entry)(first) << CC_VALUE_SHIFT | (extra))
#define LITERALS_4(byte) LITERAL(byte), LITERAL((byte) + 1), LITERAL((byte) + 2), LITERAL((byte) + 3)
#define LITERALS_16(byte) \
    LITERALS_4(byte), LITERALS_4((byte) + 4), LITERALS_4((byte) + 8), LITERALS_4((byte) + 12)
#define LITERALS_64(byte) \
    LITERALS_16(byte), LITERALS_16((byte) + 16), LITERALS_16((byte) + 32), LITERALS_16((byte) + 48)

// RFC 1951, section 3.2.5. The last two symbols have codes and no meaning.
static const cc_prefix_entry literal_symbols[CC_LITERAL_SYMBOLS] = {
    LITERALS_64(0), LITERALS_64(64), LITERALS_64(128), LITERALS_64(192), END_OF_BLOCK,  RANGE(3, 0),
    RANGE(4, 0),    RANGE(5, 0),     RANGE(6, 0),      RANGE(7, 0),      RANGE(8, 0),   RANGE(9, 0),
    RANGE(10, 0),   RANGE(11, 1),    RANGE(13, 1),     RANGE(15, 1),     RANGE(17, 1),  RANGE(19, 2),
    RANGE(23, 2),   RANGE(27, 2),    RANGE(31, 2),     RANGE(35, 3),     RANGE(43, 3),  RANGE(51, 3),
    RANGE(59, 3),   RANGE(67, 4),    RANGE(83, 4),     RANGE(99, 4),     RANGE(115, 4), RANGE(131, 5),
    RANGE(163, 5),  RANGE(195, 5),   RANGE(227, 5),    RANGE(258, 0),    NO_CODE,       NO_CODE};

static const cc_prefix_entry distance_symbols[CC_DISTANCE_SYMBOLS] = {
    RANGE(1, 0),     RANGE(2, 0),     RANGE(3, 0),     RANGE(4, 0),      RANGE(5, 1),      RANGE(7, 1),
    RANGE(9, 2),     RANGE(13, 2),    RANGE(17, 3),    RANGE(25, 3),     RANGE(33, 4),     RANGE(49, 4),
    RANGE(65, 5),    RANGE(97, 5),    RANGE(129, 6),   RANGE(193, 6),    RANGE(257, 7),    RANGE(385, 7),
    RANGE(513, 8),   RANGE(769, 8),   RANGE(1025, 9),  RANGE(1537, 9),   RANGE(2049, 10),  RANGE(3073, 10),
    RANGE(4097, 11), RANGE(6145, 11), RANGE(8193, 12), RANGE(12289, 12), RANGE(16385, 13), RANGE(24577, 13),
    NO_CODE,         NO_CODE};

static const cc_prefix_entry length_symbols[CC_HEADER_SYMBOLS] = {
    RANGE(0, 0),  RANGE(1, 0),  RANGE(2, 0),  RANGE(3, 0),  RANGE(4, 0),  RANGE(5, 0),  RANGE(6, 0),
    RANGE(7, 0),  RANGE(8, 0),  RANGE(9, 0),  RANGE(10, 0), RANGE(11, 0), RANGE(12, 0), RANGE(13, 0),
    RANGE(14, 0), RANGE(15, 0), RANGE(16, 0), RANGE(17, 0), RANGE(18, 0)};

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

bool cc_make_literal_table(const uint8_t *lengths, size_t count, cc_prefix_entry table[CC_LITERAL_ENTRIES]) {
    const alphabet alphabet = {literal_symbols, CC_LITERAL_TABLE_BITS, true};
    if (count <= 256 || lengths[256] == 0 || !make_table(lengths, count, &alphabet, table)) { return false; }
    join_literals(table);
    return true;
}

bool cc_make_distance_table(
    const uint8_t *lengths, size_t count, cc_prefix_entry table[CC_DISTANCE_ENTRIES]) {
    const alphabet alphabet = {distance_symbols, CC_DISTANCE_TABLE_BITS, true};
    return make_table(lengths, count, &alphabet, table);
}

bool cc_make_length_table(const uint8_t lengths[CC_HEADER_SYMBOLS], cc_prefix_entry table[1 << 7]) {
    const alphabet alphabet = {length_symbols, CC_LENGTH_TABLE_BITS, false};
    return make_table(lengths, CC_HEADER_SYMBOLS, &alphabet, table);
}
