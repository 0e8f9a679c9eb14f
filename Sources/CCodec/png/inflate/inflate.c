#include "inflate.h"

#include "copy_match.h"

#define INLINE static inline __attribute__((always_inline))

/// Where inflated bytes go.
typedef struct room {
    const uint8_t *first;
    uint8_t *next, *end;
} room;

enum {
    // Looked up in a row, each and the one after them in bits that are there after refilling.
    QUICK_LOOKUPS = CC_REFILLED / CC_LITERAL_TABLE_BITS - 1,
    // Of a step of inflate_quickly: two bytes for each of these and for a longer code, or a match, whose copy
    // may end
    // behind it; and three times eight bytes of input.
    QUICK_ROOM = 2 * (QUICK_LOOKUPS + 1) + CC_COPY_ROOM,
    QUICK_INPUT = 3 * CC_REFILL_BYTES,
};

void cc_inflater_begin(cc_inflater *inflater) {
    inflater->input = (cc_bit_reader){0};
    inflater->input_is_last = false;
    inflater->state = CC_INFLATE_HEAD;
    inflater->stored_left = 0;
    inflater->copy_left = 0;
}

static bool fail(cc_inflater *inflater, cc_inflate_state state) {
    inflater->state = state;
    return false;
}

// Heads of blocks (section 3.2.3). All of the input that they may take is there, or nothing more comes: they
// return false if it is too little, or damaged.

enum { MOST_LITERALS = 286, MOST_DISTANCES = 30, ORDERED = 19 };

static bool has_bits(cc_bit_reader *input, unsigned count) {
    cc_refill(input);
    return input->count >= count;
}

static bool begin_stored(cc_inflater *inflater) {
    cc_bit_reader *input = &inflater->input;
    cc_skip_bits(input, input->count % 8);
    if (!has_bits(input, 32)) { return false; }
    const uint32_t size = cc_use_bits(input, 16), complement = cc_use_bits(input, 16);
    if (size != (complement ^ 0xFFFF)) { return fail(inflater, CC_INFLATE_INVALID_BLOCK); }
    cc_give_back(input);
    inflater->stored_left = size;
    inflater->state = CC_INFLATE_STORED;
    return true;
}

static bool begin_codes(cc_inflater *inflater, const uint8_t *lengths, size_t literals, size_t distances) {
    if (!cc_make_literal_table(lengths, literals, inflater->literals)
        || !cc_make_distance_table(lengths + literals, distances, inflater->distances)) {
        return fail(inflater, CC_INFLATE_INVALID_BLOCK);
    }
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

/// Reads lengths of codes, of which runs are shortened. Returns how many there are.
static size_t read_lengths(
    cc_inflater *inflater, const cc_prefix_entry *table, uint8_t *lengths, size_t count) {
    cc_bit_reader *input = &inflater->input;
    size_t done = 0;
    while (done < count) {
        cc_refill(input);
        // The code is complete: all bits mean something.
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
            fail(inflater, CC_INFLATE_INVALID_BLOCK);
            break;
        }
        memset(lengths + done, symbol == 16 ? lengths[done - 1] : 0, run);
        done += run;
    }
    return done;
}

static bool begin_dynamic(cc_inflater *inflater) {
    static const uint8_t order[ORDERED] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
    cc_bit_reader *input = &inflater->input;
    if (!has_bits(input, 14)) { return false; }
    const size_t literals = cc_use_bits(input, 5) + 257, distances = cc_use_bits(input, 5) + 1;
    const size_t ordered = cc_use_bits(input, 4) + 4;
    if (literals > MOST_LITERALS || distances > MOST_DISTANCES) {
        return fail(inflater, CC_INFLATE_INVALID_BLOCK);
    }
    uint8_t of_lengths[ORDERED] = {0};
    for (size_t i = 0; i < ordered; i++) {
        if (!has_bits(input, 3)) { return false; }
        of_lengths[order[i]] = (uint8_t)cc_use_bits(input, 3);
    }
    cc_prefix_entry table[1 << CC_LENGTH_TABLE_BITS];
    if (!cc_make_length_table(of_lengths, table)) { return fail(inflater, CC_INFLATE_INVALID_BLOCK); }
    uint8_t lengths[MOST_LITERALS + MOST_DISTANCES];
    const size_t count = literals + distances;
    if (read_lengths(inflater, table, lengths, count) < count) { return false; }
    return begin_codes(inflater, lengths, literals, distances);
}

static bool read_head(cc_inflater *inflater) {
    cc_bit_reader *input = &inflater->input;
    if (!has_bits(input, 3)) { return false; }
    inflater->block_is_last = cc_use_bits(input, 1) != 0;
    switch (cc_use_bits(input, 2)) {
    case 0: return begin_stored(inflater);
    case 1: return begin_fixed(inflater);
    case 2: return begin_dynamic(inflater);
    default: return fail(inflater, CC_INFLATE_INVALID_BLOCK);
    }
}

static bool begin_block(cc_inflater *inflater) {
    const cc_bit_reader before = inflater->input;
    if (!inflater->input_is_last && cc_bytes_left(&before) < CC_INFLATE_INPUT) { return false; }
    if (read_head(inflater)) { return true; }
    // A head that the input cuts stays there.
    if (inflater->state == CC_INFLATE_HEAD) { inflater->input = before; }
    return false;
}

static void end_block(cc_inflater *inflater) {
    inflater->state = inflater->block_is_last ? CC_INFLATE_END : CC_INFLATE_HEAD;
}

// Blocks. They return whether the stream goes on within the room.

static bool copy_stored(cc_inflater *inflater, room *room) {
    cc_bit_reader *input = &inflater->input;
    size_t count = inflater->stored_left;
    if (count > cc_bytes_left(input)) { count = cc_bytes_left(input); }
    if (count > (size_t)(room->end - room->next)) { count = (size_t)(room->end - room->next); }
    memcpy(room->next, input->next, count);
    room->next += count;
    input->next += count;
    inflater->stored_left -= (uint32_t)count;
    if (inflater->stored_left == 0) { end_block(inflater); }
    return inflater->stored_left == 0;
}

/// The entry of the bits that come next, or the one that leads to another table.
INLINE cc_prefix_entry look_up(const cc_bit_reader *input, const cc_prefix_entry *table, unsigned bits) {
    return table[cc_low_bits(input->bits, bits)];
}

/// Goes on to the other table, if an entry leads there.
INLINE cc_prefix_entry
look_further(cc_bit_reader *input, const cc_prefix_entry *table, unsigned bits, cc_prefix_entry entry) {
    if (__builtin_expect((entry & CC_IS_LONGER) == 0, 1)) { return entry; }
    cc_skip_bits(input, bits);
    return table[(entry >> CC_VALUE_SHIFT) + cc_low_bits(input->bits, cc_code_bits_of(entry))];
}

INLINE cc_prefix_entry look_up_literal(const cc_inflater *inflater, const cc_bit_reader *input) {
    return look_up(input, inflater->literals, CC_LITERAL_TABLE_BITS);
}

INLINE cc_prefix_entry
look_further_for_literal(const cc_inflater *inflater, cc_bit_reader *input, cc_prefix_entry entry) {
    return look_further(input, inflater->literals, CC_LITERAL_TABLE_BITS, entry);
}

INLINE cc_prefix_entry look_up_distance(const cc_inflater *inflater, cc_bit_reader *input) {
    const cc_prefix_entry entry = look_up(input, inflater->distances, CC_DISTANCE_TABLE_BITS);
    return look_further(input, inflater->distances, CC_DISTANCE_TABLE_BITS, entry);
}

/// Uses the bits of a length or distance, and returns it.
INLINE uint32_t use_value(cc_bit_reader *input, cc_prefix_entry entry) {
    const uint64_t added = cc_low_bits(input->bits, cc_bits_of(entry)) >> cc_code_bits_of(entry);
    cc_skip_bits(input, cc_bits_of(entry));
    return (entry >> CC_VALUE_SHIFT) + (uint32_t)added;
}

/// Writes one literal or two; there is room for two.
INLINE void put_literals(room *room, cc_prefix_entry entry) {
    room->next[0] = (uint8_t)(entry >> CC_VALUE_SHIFT);
    room->next[1] = (uint8_t)(entry >> (CC_VALUE_SHIFT + 8));
    room->next += cc_literals_of(entry);
}

/// Whether an entry ends the block, or is none at all.
static bool is_end(cc_inflater *inflater, cc_bit_reader *input, cc_prefix_entry entry) {
    if ((entry & CC_IS_SPECIAL) == 0) { return false; }
    if (entry >> CC_VALUE_SHIFT == CC_NO_SYMBOL) {
        inflater->state = CC_INFLATE_INVALID_CODE;
    } else {
        cc_skip_bits(input, cc_bits_of(entry));
        end_block(inflater);
    }
    return true;
}

/// Whether a distance leads nowhere.
static bool is_bad_distance(
    cc_inflater *inflater, const room *room, cc_prefix_entry entry, uint32_t distance) {
    if ((entry & CC_IS_SPECIAL) != 0) { return !fail(inflater, CC_INFLATE_INVALID_CODE); }
    if (distance > (size_t)(room->next - room->first)) {
        return !fail(inflater, CC_INFLATE_INVALID_DISTANCE);
    }
    return false;
}

/// Puts literals as long as bits are there without refilling. Returns the entry that comes next.
INLINE cc_prefix_entry
put_some_literals(const cc_inflater *inflater, cc_bit_reader *input, room *room, cc_prefix_entry entry) {
    for (int i = 0; i < QUICK_LOOKUPS && (entry & CC_IS_LITERAL) != 0; i++) {
        const cc_prefix_entry literals = entry;
        cc_skip_bits(input, cc_bits_of(literals));
        // Looked up first: it takes the longest.
        entry = look_up_literal(inflater, input);
        put_literals(room, literals);
    }
    return entry;
}

INLINE bool is_quick(const cc_bit_reader *input, const room *room) {
    return cc_bytes_left(input) >= QUICK_INPUT && room->end - room->next >= QUICK_ROOM;
}

/// Inflates codes while neither input nor room can run short. Returns whether the block goes on.
static bool inflate_quickly(cc_inflater *inflater, room *whole) {
    // The compiler keeps these in registers.
    cc_bit_reader input = inflater->input;
    room room = *whole;
    if (!is_quick(&input, &room)) { return true; }
    cc_refill_quickly(&input);
    cc_prefix_entry entry = look_up_literal(inflater, &input);
    do {
        entry = put_some_literals(inflater, &input, &room, entry);
        cc_refill_quickly(&input);
        if ((entry & CC_IS_LITERAL) != 0) { continue; }
        entry = look_further_for_literal(inflater, &input, entry);
        if ((entry & CC_IS_LITERAL) != 0) {
            cc_skip_bits(&input, cc_bits_of(entry));
            put_literals(&room, entry);
            cc_refill_quickly(&input);
            entry = look_up_literal(inflater, &input);
            continue;
        }
        if (is_end(inflater, &input, entry)) { break; }
        // A code and what follows it take 20 bits of a length and 28 of a distance.
        const uint32_t length = use_value(&input, entry);
        entry = look_up_distance(inflater, &input);
        const uint32_t distance = use_value(&input, entry);
        if (is_bad_distance(inflater, &room, entry, distance)) { break; }
        cc_refill_quickly(&input);
        entry = look_up_literal(inflater, &input);
        cc_copy_match(room.next, length, distance);
        room.next += length;
    } while (is_quick(&input, &room));
    cc_give_back(&input);
    inflater->input = input;
    *whole = room;
    return inflater->state == CC_INFLATE_CODED;
}

/// Copies what there is room for. Returns whether that was all.
static bool copy_rest(cc_inflater *inflater, room *room) {
    while (inflater->copy_left > 0 && room->next < room->end) {
        *room->next = room->next[-(ptrdiff_t)inflater->copy_distance];
        room->next++;
        inflater->copy_left--;
    }
    return inflater->copy_left == 0;
}

/// Counted as if they were there behind the end of the input, so that no count falls below 0.
enum { BITS_BEYOND = 64 };

/// Whether the bits of an entry that was found are there.
INLINE bool is_there(const cc_bit_reader *input, cc_prefix_entry entry) {
    return input->count >= BITS_BEYOND + cc_bits_of(entry);
}

/// Takes a length and a distance. Returns whether they are there, and mean something.
static bool take_match(cc_inflater *inflater, cc_bit_reader *input, const room *room, cc_prefix_entry entry) {
    const uint32_t length = use_value(input, entry);
    entry = look_up_distance(inflater, input);
    if (!is_there(input, entry)) { return false; }
    const uint32_t distance = use_value(input, entry);
    if (is_bad_distance(inflater, room, entry, distance)) { return false; }
    inflater->copy_left = length;
    inflater->copy_distance = distance;
    return true;
}

/// Inflates a code near the end of the input or the room. Returns whether the block goes on within them.
static bool inflate_one(cc_inflater *inflater, room *room) {
    if (room->next == room->end) { return false; }
    cc_refill(&inflater->input);
    cc_bit_reader input = inflater->input;
    input.count += BITS_BEYOND;
    cc_prefix_entry entry = look_up_literal(inflater, &input);
    entry = look_further_for_literal(inflater, &input, entry);
    const bool is_literal = (entry & CC_IS_LITERAL) != 0;
    if (is_literal) { entry = cc_first_literal(entry); }
    if (!is_there(&input, entry)) { return false; }
    if (is_literal) {
        *room->next++ = (uint8_t)(entry >> CC_VALUE_SHIFT);
        cc_skip_bits(&input, cc_bits_of(entry));
    } else if (!is_end(inflater, &input, entry) && !take_match(inflater, &input, room, entry)) {
        return false;
    }
    input.count -= BITS_BEYOND;
    inflater->input = input;
    return inflater->state == CC_INFLATE_CODED && copy_rest(inflater, room);
}

/// Whether the next code may be there only in part, while there is more input to come.
static bool needs_input(const cc_inflater *inflater) {
    return !inflater->input_is_last && cc_bytes_left(&inflater->input) < QUICK_INPUT;
}

static bool inflate_codes(cc_inflater *inflater, room *room) {
    if (!copy_rest(inflater, room)) { return false; }
    while (inflate_quickly(inflater, room)) {
        if (needs_input(inflater) || !inflate_one(inflater, room)) { break; }
    }
    return inflater->state != CC_INFLATE_CODED;
}

/// Does what comes next. Returns whether more may follow.
static bool inflate_some(cc_inflater *inflater, room *room) {
    switch (inflater->state) {
    case CC_INFLATE_HEAD: return begin_block(inflater);
    case CC_INFLATE_STORED: return copy_stored(inflater, room);
    case CC_INFLATE_CODED: return inflate_codes(inflater, room);
    default: return false;
    }
}

size_t cc_inflate(cc_inflater *inflater, const uint8_t *first, uint8_t *bytes, size_t size) {
    room room = {first, bytes, bytes + size};
    while (inflate_some(inflater, &room)) {}
    cc_give_back(&inflater->input);
    return (size_t)(room.next - bytes);
}
