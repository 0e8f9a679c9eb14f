#include "inflate.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/// The buffer for inflated bytes.
typedef struct room {
    const uint8_t *first;
    uint8_t *next, *end;
} room;

enum {
    COPY_STEP = 32,
    /// Bytes that a copy may write.
    COPY_ROOM = CC_LONGEST_MATCH + COPY_STEP,
};

enum {
    // The number of lookups without refilling that leave enough bits for one more lookup.
    QUICK_LOOKUPS = CC_REFILLED / CC_LITERAL_TABLE_BITS - 1,
    // What a step of inflate_quickly needs. Room: two bytes for each of these lookups and for a longer code,
    // and a match, whose copy may write bytes after its end. Input: three times eight bytes.
    QUICK_ROOM = 2 * (QUICK_LOOKUPS + 1) + COPY_ROOM,
    QUICK_INPUT = 3 * CC_REFILL_BYTES,
};

void cc_inflater_begin(cc_inflater *inflater) {
    inflater->input = (cc_bit_reader){0};
    inflater->input_is_last = false;
    inflater->state = CC_INFLATE_HEAD;
    inflater->stored_left = 0;
    inflater->copy_left = 0;
}

// Matches

/// Copies in steps of at most `distance` bytes, so that no step reads bytes that it writes.
static inline void copy_steps(uint8_t *to, const uint8_t *end, size_t distance, size_t step) {
    do {
        memcpy(to, to - distance, step);
        to += step;
    } while (to < end);
}

/// Repeats up to seven bytes.
static inline void repeat(uint8_t *to, const uint8_t *end, size_t distance) {
    uint8_t pattern[8];
    for (size_t i = 0; i < sizeof pattern; i++) {
        pattern[i] = to[(ptrdiff_t)(i % distance) - (ptrdiff_t)distance];
    }
    // Whole repetitions at a time.
    const size_t step = sizeof pattern - sizeof pattern % distance;
    do {
        memcpy(to, pattern, sizeof pattern);
        to += step;
    } while (to < end);
}

/// Copies bytes that begin `distance` before `to`, one after the other: where they overlap, copied bytes are
/// copied again. Up to COPY_STEP - 1 bytes after them are overwritten with arbitrary values.
static inline void copy_match(uint8_t *to, size_t length, size_t distance) {
    const uint8_t *const end = to + length;
    if (distance >= 32) {
        copy_steps(to, end, distance, 32);
    } else if (distance == 1) {
        // Zeros of predicted pixels: the most frequent matches.
        uint8_t pattern[COPY_STEP];
        memset(pattern, to[-1], sizeof pattern);
        do {
            memcpy(to, pattern, sizeof pattern);
            to += sizeof pattern;
        } while (to < end);
    } else if (distance >= 16) {
        copy_steps(to, end, distance, 16);
    } else if (distance >= 8) {
        copy_steps(to, end, distance, 8);
    } else {
        repeat(to, end, distance);
    }
}

// Codes

#define INLINE static inline __attribute__((always_inline))

/// The entry for the next bits, or an entry that leads to another table.
INLINE cc_prefix_entry look_up(const cc_bit_reader *input, const cc_prefix_entry *table, unsigned bits) {
    return table[cc_low_bits(input->bits, bits)];
}

/// Follows an entry to another table, if it leads there.
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

/// Whether an entry ends the block, or is invalid.
static inline bool is_end(cc_inflater *inflater, cc_bit_reader *input, cc_prefix_entry entry) {
    if ((entry & CC_IS_SPECIAL) == 0) { return false; }
    if (entry >> CC_VALUE_SHIFT == CC_NO_SYMBOL) {
        inflater->state = CC_INFLATE_INVALID_CODE;
    } else {
        cc_skip_bits(input, cc_bits_of(entry));
        cc_end_block(inflater);
    }
    return true;
}

// Blocks. These functions return whether the stream continues within the buffer.

static bool copy_stored(cc_inflater *inflater, room *room) {
    cc_bit_reader *input = &inflater->input;
    size_t count = inflater->stored_left;
    if (count > cc_bytes_left(input)) { count = cc_bytes_left(input); }
    if (count > (size_t)(room->end - room->next)) { count = (size_t)(room->end - room->next); }
    memcpy(room->next, input->next, count);
    room->next += count;
    input->next += count;
    inflater->stored_left -= (uint32_t)count;
    if (inflater->stored_left == 0) { cc_end_block(inflater); }
    return inflater->stored_left == 0;
}

/// Writes one literal or two; there is room for two.
INLINE void put_literals(room *room, cc_prefix_entry entry) {
    room->next[0] = (uint8_t)(entry >> CC_VALUE_SHIFT);
    room->next[1] = (uint8_t)(entry >> (CC_VALUE_SHIFT + 8));
    room->next += cc_literals_of(entry);
}

/// Whether a distance is too large.
static bool is_bad_distance(
    cc_inflater *inflater, const room *room, cc_prefix_entry entry, uint32_t distance) {
    if ((entry & CC_IS_SPECIAL) != 0) { return !cc_inflate_fail(inflater, CC_INFLATE_INVALID_CODE); }
    if (distance > (size_t)(room->next - room->first)) {
        return !cc_inflate_fail(inflater, CC_INFLATE_INVALID_DISTANCE);
    }
    return false;
}

/// Writes literals as long as there are enough bits without refilling. Returns the next entry.
INLINE cc_prefix_entry
put_some_literals(const cc_inflater *inflater, cc_bit_reader *input, room *room, cc_prefix_entry entry) {
    for (int i = 0; i < QUICK_LOOKUPS && (entry & CC_IS_LITERAL) != 0; i++) {
        const cc_prefix_entry literals = entry;
        cc_skip_bits(input, cc_bits_of(literals));
        // Looked up before literals are written, since the lookup takes the longest.
        entry = look_up_literal(inflater, input);
        put_literals(room, literals);
    }
    return entry;
}

INLINE bool is_quick(const cc_bit_reader *input, const room *room) {
    return cc_bytes_left(input) >= QUICK_INPUT && room->end - room->next >= QUICK_ROOM;
}

/// Inflates codes while input and buffer are certainly large enough. Returns whether the block continues.
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
        // A code and its extra bits take at most 20 bits for a length, and 28 for a distance.
        const uint32_t length = use_value(&input, entry);
        entry = look_up_distance(inflater, &input);
        const uint32_t distance = use_value(&input, entry);
        if (is_bad_distance(inflater, &room, entry, distance)) { break; }
        cc_refill_quickly(&input);
        entry = look_up_literal(inflater, &input);
        copy_match(room.next, length, distance);
        room.next += length;
    } while (is_quick(&input, &room));
    cc_give_back(&input);
    inflater->input = input;
    *whole = room;
    return inflater->state == CC_INFLATE_CODED;
}

/// Copies the rest of a match as far as there is room. Returns whether the match is complete.
static bool copy_rest(cc_inflater *inflater, room *room) {
    while (inflater->copy_left > 0 && room->next < room->end) {
        *room->next = room->next[-(ptrdiff_t)inflater->copy_distance];
        room->next++;
        inflater->copy_left--;
    }
    return inflater->copy_left == 0;
}

/// Imaginary bits after the end of the input, so that no count falls below 0.
enum { BITS_BEYOND = 64 };

/// Whether the input has all bits of an entry.
INLINE bool is_there(const cc_bit_reader *input, cc_prefix_entry entry) {
    return input->count >= BITS_BEYOND + cc_bits_of(entry);
}

/// Reads a length and a distance. Returns whether they are complete and valid.
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

/// Inflates a code near the end of the input or the buffer. Returns whether the block continues within both.
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

/// Whether the next code may be incomplete, while there is more input to come.
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

/// Does the next step. Returns whether more may follow.
static bool inflate_some(cc_inflater *inflater, room *room) {
    switch (inflater->state) {
    case CC_INFLATE_HEAD: return cc_begin_block(inflater);
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

// Tokens

/// Reads stored bytes. Returns their number.
static size_t read_stored(cc_inflater *inflater, cc_token *tokens) {
    const size_t count = inflater->stored_left;
    for (size_t i = 0; i < count; i++) { tokens[i] = *inflater->input.next++; }
    cc_end_block(inflater);
    return count;
}

/// Reads one entry, whose literals or match become tokens. Returns the number of tokens.
static size_t read_code(cc_inflater *inflater, cc_token *token) {
    cc_bit_reader *input = &inflater->input;
    cc_refill(input);
    cc_prefix_entry entry = look_up_literal(inflater, input);
    entry = look_further_for_literal(inflater, input, entry);
    if (is_end(inflater, input, entry)) { return 0; }
    if ((entry & CC_IS_LITERAL) != 0) {
        entry = cc_first_literal(entry);
        cc_skip_bits(input, cc_bits_of(entry));
        *token = entry >> CC_VALUE_SHIFT & 0xFF;
        return 1;
    }
    const uint32_t length = use_value(input, entry);
    *token = cc_match(length, use_value(input, look_up_distance(inflater, input)));
    return 1;
}

size_t cc_read_tokens(
    cc_inflater *inflater, const uint8_t *stream, size_t size, cc_token *tokens, size_t room) {
    cc_inflater_begin(inflater);
    inflater->input.next = stream;
    inflater->input.end = stream + size;
    inflater->input_is_last = true;
    size_t count = 0;
    for (;;) {
        switch (inflater->state) {
        case CC_INFLATE_HEAD:
            if (!cc_begin_block(inflater)) { return 0; }
            break;
        case CC_INFLATE_STORED:
            if (inflater->stored_left > room - count) { return 0; }
            count += read_stored(inflater, tokens + count);
            break;
        case CC_INFLATE_CODED:
            if (count == room) { return 0; }
            count += read_code(inflater, tokens + count);
            break;
        case CC_INFLATE_END: return count;
        default: return 0;
        }
    }
}
