#include "tokens.h"

#include <string.h>

enum {
    LONGEST_CODE = 15,
    LONGEST_HEADER_CODE = 7,
    REPEAT = 16,      // the length before, 3 to 6 times
    FEW_ZEROS = 17,   // 3 to 10
    MANY_ZEROS = 18,  // 11 to 138
    STORED = 0,
    FIXED = 1,
    DYNAMIC = 2,
    MOST_STORED = 65535,
    SYMBOL_BITS = 9,
    MOST_SYMBOLS = CC_LITERALS,
};

// Prefix codes of limited length (RFC 1951, section 3.2.2)

/// Sorts by the bits above the symbol, byte by byte from the lowest. Frequencies have at most 24 bits.
static void sort(uint64_t *keys, size_t count) {
    uint64_t other[MOST_SYMBOLS];
    uint64_t any = 0;
    for (size_t i = 0; i < count; i++) { any |= keys[i]; }
    for (unsigned shift = SYMBOL_BITS; any >> shift != 0; shift += 8) {
        uint16_t ends[257] = {0};
        for (size_t i = 0; i < count; i++) { ends[(keys[i] >> shift & 0xFF) + 1]++; }
        for (int i = 0; i < 256; i++) { ends[i + 1] = (uint16_t)(ends[i + 1] + ends[i]); }
        for (size_t i = 0; i < count; i++) { other[ends[keys[i] >> shift & 0xFF]++] = keys[i]; }
        memcpy(keys, other, count * sizeof *keys);
    }
}

/// Counts the leaves at each depth of the Huffman tree over sorted frequencies. Inner nodes are created in
/// the order of their weights, so that two queues suffice.
static void count_depths(const uint64_t *keys, size_t count, uint32_t *depths) {
    uint64_t weights[MOST_SYMBOLS];
    uint16_t leaf_parents[MOST_SYMBOLS], parents[MOST_SYMBOLS];
    size_t leaf = 0, inner = 0;
    for (size_t node = 0; node + 1 < count; node++) {
        weights[node] = 0;
        for (int child = 0; child < 2; child++) {
            const uint64_t next = leaf < count ? keys[leaf] >> SYMBOL_BITS : UINT64_MAX;
            if (inner < node && weights[inner] < next) {
                weights[node] += weights[inner];
                parents[inner++] = (uint16_t)node;
            } else {
                weights[node] += next;
                leaf_parents[leaf++] = (uint16_t)node;
            }
        }
    }
    uint16_t levels[MOST_SYMBOLS];
    levels[count - 2] = 0;
    for (size_t node = count - 2; node-- > 0;) { levels[node] = (uint16_t)(levels[parents[node]] + 1); }
    for (size_t i = 0; i < count; i++) { depths[levels[leaf_parents[i]] + 1]++; }
}

/// Moves leaves that are too deep up to `longest`, and compensates by moving the deepest of the others down.
/// A leaf at the limit takes 1 of the 2^longest codes of that length.
static void limit_depths(uint32_t *depths, unsigned deepest, unsigned longest) {
    for (unsigned depth = longest + 1; depth <= deepest; depth++) { depths[longest] += depths[depth]; }
    uint64_t taken = 0;
    for (unsigned depth = 1; depth <= longest; depth++) {
        taken += (uint64_t)depths[depth] << (longest - depth);
    }
    for (; taken > UINT64_C(1) << longest; taken--) {
        // A leaf above the limit moves one level down, and a leaf at the limit becomes its sibling.
        unsigned depth = longest - 1;
        while (depths[depth] == 0) { depth--; }
        depths[depth]--;
        depths[depth + 1] += 2;
        depths[longest]--;
    }
}

/// Writes the lengths, at most `longest`, of the code that takes the fewest bits for symbols with these
/// frequencies; 0 for symbols that do not occur. A code of fewer than two symbols gets a second symbol, since
/// some decoders refuse incomplete codes. 2 to the power of `longest` must be at least `count`.
static void huffman_lengths(const uint32_t *frequencies, size_t count, unsigned longest, uint8_t *lengths) {
    uint64_t keys[MOST_SYMBOLS];
    size_t used = 0;
    for (size_t i = 0; i < count; i++) {
        lengths[i] = 0;
        if (frequencies[i] > 0) { keys[used++] = (uint64_t)frequencies[i] << SYMBOL_BITS | i; }
    }
    if (used < 2) {
        const size_t only = used > 0 ? (size_t)keys[0] & ((1 << SYMBOL_BITS) - 1) : 0;
        lengths[only] = lengths[only > 0 ? 0 : 1] = 1;
        return;
    }
    sort(keys, used);
    uint32_t depths[MOST_SYMBOLS + 1] = {0};
    count_depths(keys, used, depths);
    limit_depths(depths, (unsigned)used, longest);
    // The rarest symbols come first.
    size_t i = 0;
    for (unsigned depth = longest; depth > 0; depth--) {
        for (uint32_t n = depths[depth]; n > 0; n--) {
            lengths[keys[i++] & ((1 << SYMBOL_BITS) - 1)] = (uint8_t)depth;
        }
    }
}

static uint16_t reversed(unsigned code, unsigned length) {
    unsigned result = 0;
    for (; length > 0; length--, code >>= 1) { result = result << 1 | (code & 1); }
    return (uint16_t)result;
}

/// Writes the codes for code lengths, with the first bit lowest.
static void huffman_codes(const uint8_t *lengths, size_t count, uint16_t *codes) {
    unsigned starts[LONGEST_CODE + 2] = {0};
    for (size_t i = 0; i < count; i++) { starts[lengths[i] + 1]++; }
    starts[1] = 0;
    for (unsigned length = 1; length <= LONGEST_CODE; length++) {
        starts[length + 1] = (starts[length + 1] + starts[length]) << 1;
    }
    for (size_t i = 0; i < count; i++) {
        if (lengths[i] > 0) { codes[i] = reversed(starts[lengths[i]]++, lengths[i]); }
    }
}

// Heads of blocks

typedef struct code {
    uint8_t lengths[CC_LITERALS + 2];
    uint16_t codes[CC_LITERALS + 2];
} code;

/// The lengths of both codes, run-length encoded.
typedef struct header {
    uint8_t symbols[CC_LITERALS + CC_DISTANCES];
    uint8_t extras[CC_LITERALS + CC_DISTANCES];
    size_t count;
    size_t literals, distances, order;
    code code;
    uint32_t bits;
} header;

static const uint8_t header_extra_bits[CC_HEADER_SYMBOLS] = {[REPEAT] = 2, [FEW_ZEROS] = 3, [MANY_ZEROS] = 7};

static void put_header_symbol(header *header, uint32_t *frequencies, unsigned symbol, size_t extra) {
    header->symbols[header->count] = (uint8_t)symbol;
    header->extras[header->count++] = (uint8_t)extra;
    frequencies[symbol]++;
}

static void shorten(header *header, uint32_t *frequencies, const uint8_t *lengths, size_t count) {
    for (size_t i = 0; i < count;) {
        size_t run = 1;
        while (i + run < count && lengths[i + run] == lengths[i]) { run++; }
        i += run;
        const uint8_t length = lengths[i - 1];
        if (length == 0) {
            while (run >= 11) {
                const size_t part = run < 138 ? run : 138;
                put_header_symbol(header, frequencies, MANY_ZEROS, part - 11);
                run -= part;
            }
            if (run >= 3) {
                put_header_symbol(header, frequencies, FEW_ZEROS, run - 3);
                run = 0;
            }
        } else if (run >= 4) {
            put_header_symbol(header, frequencies, length, 0);
            run--;
            while (run >= 3) {
                // The rest after a repetition must be none, or at least 3: so 7 is split into 4 and 3, and 8
                // into 5 and 3.
                const size_t most = run == 7 || run == 8 ? run - 3 : 6;
                const size_t part = run < most ? run : most;
                put_header_symbol(header, frequencies, REPEAT, part - 3);
                run -= part;
            }
        }
        for (; run > 0; run--) { put_header_symbol(header, frequencies, length, 0); }
    }
}

static void make_header(header *header, const code *literals, const code *distances) {
    header->literals = CC_LITERALS;
    while (header->literals > CC_FIRST_LENGTH && literals->lengths[header->literals - 1] == 0) {
        header->literals--;
    }
    header->distances = CC_DISTANCES;
    while (header->distances > 1 && distances->lengths[header->distances - 1] == 0) { header->distances--; }
    uint8_t lengths[CC_LITERALS + CC_DISTANCES];
    memcpy(lengths, literals->lengths, header->literals);
    memcpy(lengths + header->literals, distances->lengths, header->distances);
    uint32_t frequencies[CC_HEADER_SYMBOLS] = {0};
    header->count = 0;
    shorten(header, frequencies, lengths, header->literals + header->distances);
    huffman_lengths(frequencies, CC_HEADER_SYMBOLS, LONGEST_HEADER_CODE, header->code.lengths);
    header->order = CC_HEADER_SYMBOLS;
    while (header->order > 4 && header->code.lengths[cc_header_order[header->order - 1]] == 0) {
        header->order--;
    }
    header->bits = 5 + 5 + 4 + 3 * (uint32_t)header->order;
    for (int i = 0; i < CC_HEADER_SYMBOLS; i++) {
        header->bits += frequencies[i] * (header->code.lengths[i] + header_extra_bits[i]);
    }
}

static void write_header(header *header, cc_bit_writer *writer) {
    cc_put_bits(writer, header->literals - CC_FIRST_LENGTH, 5);
    cc_put_bits(writer, header->distances - 1, 5);
    cc_put_bits(writer, header->order - 4, 4);
    cc_flush_bits(writer);
    for (size_t i = 0; i < header->order; i++) {
        cc_put_bits(writer, header->code.lengths[cc_header_order[i]], 3);
        cc_flush_bits(writer);
    }
    huffman_codes(header->code.lengths, CC_HEADER_SYMBOLS, header->code.codes);
    for (size_t i = 0; i < header->count; i++) {
        const unsigned symbol = header->symbols[i];
        cc_put_bits(writer, header->code.codes[symbol], header->code.lengths[symbol]);
        cc_put_bits(writer, header->extras[i], header_extra_bits[symbol]);
        cc_flush_bits(writer);
    }
}

// Blocks

static uint64_t size_in_bits(const cc_frequencies *frequencies, const code *literals, const code *distances) {
    uint64_t bits = 0;
    for (int i = 0; i < CC_LITERALS; i++) {
        const unsigned extra = i >= CC_FIRST_LENGTH ? cc_length_extra_bits[i - CC_FIRST_LENGTH] : 0;
        bits += (uint64_t)frequencies->literals[i] * (literals->lengths[i] + extra);
    }
    for (int i = 0; i < CC_DISTANCES; i++) {
        bits += (uint64_t)frequencies->distances[i]
            * (distances->lengths[i] + (unsigned)cc_distance_extra_bits[i]);
    }
    return bits;
}

/// The fixed code of deflate. Its last two symbols are never used.
static void use_fixed_code(code *literals, code *distances) {
    memset(literals->lengths, 8, CC_LITERALS + 2);
    memset(literals->lengths + 144, 9, 256 - 144);
    memset(literals->lengths + 256, 7, 280 - 256);
    memset(distances->lengths, 5, CC_DISTANCES);
}

/// The bits of a block in the fixed code. Large blocks are not tested: their own code is always shorter.
static uint64_t fixed_size(const cc_block *block) {
    enum { LARGE = 300 };
    if (block->count >= LARGE) { return UINT64_MAX; }
    code literals, distances;
    use_fixed_code(&literals, &distances);
    return size_in_bits(block->frequencies, &literals, &distances);
}

static void write_tokens(
    const cc_block *block, const code *literals, const code *distances, cc_bit_writer *writer) {
    cc_bit_writer local = *writer;
    for (size_t i = 0; i < block->count; i++) {
        const cc_token token = block->tokens[i];
        if (cc_is_match(token)) {
            const uint32_t length = cc_length_of(token), distance = cc_distance_of(token);
            const uint32_t symbol = cc_length_symbols[length];
            cc_put_bits(
                &local, literals->codes[CC_FIRST_LENGTH + symbol],
                literals->lengths[CC_FIRST_LENGTH + symbol]);
            const uint32_t extra = cc_length_extra_bits[symbol];
            cc_put_bits(&local, length & ((1U << extra) - 1), extra);
            const uint32_t place = cc_distance_symbol(distance);
            cc_put_bits(&local, distances->codes[place], distances->lengths[place]);
            const uint32_t more = cc_distance_extra_bits[place];
            cc_put_bits(&local, distance & ((1U << more) - 1), more);
        } else {
            cc_put_bits(&local, literals->codes[token], literals->lengths[token]);
        }
        cc_flush_bits(&local);
    }
    cc_put_bits(&local, literals->codes[CC_END_OF_BLOCK], literals->lengths[CC_END_OF_BLOCK]);
    cc_flush_bits(&local);
    *writer = local;
}

static void write_stored(const cc_block *block, cc_bit_writer *writer) {
    size_t done = 0;
    do {
        const size_t left = block->size - done;
        const size_t part = left < MOST_STORED ? left : MOST_STORED;
        cc_put_bits(writer, (block->is_last && part == left) | STORED << 1, 3);
        cc_align_bits(writer);
        cc_put_bits(writer, part | (uint64_t)(part ^ 0xFFFF) << 16, 32);
        cc_flush_bits(writer);
        memcpy(writer->next, block->bytes + done, part);
        writer->next += part;
        done += part;
    } while (done < block->size);
}

void cc_write_block(const cc_block *block, cc_bit_writer *writer) {
    const cc_frequencies *frequencies = block->frequencies;
    code literals = {0}, distances = {0};
    huffman_lengths(frequencies->literals, CC_LITERALS, LONGEST_CODE, literals.lengths);
    huffman_lengths(frequencies->distances, CC_DISTANCES, LONGEST_CODE, distances.lengths);
    header header;
    make_header(&header, &literals, &distances);
    const uint64_t dynamic = size_in_bits(frequencies, &literals, &distances) + header.bits;
    const uint64_t fixed = fixed_size(block);
    const uint64_t stored = block->size * 8 + (block->size / MOST_STORED + 1) * 40;
    if (stored < dynamic && stored < fixed) {
        write_stored(block, writer);
        return;
    }
    const bool is_fixed = fixed <= dynamic;
    cc_put_bits(writer, block->is_last | (is_fixed ? FIXED : DYNAMIC) << 1, 3);
    if (is_fixed) {
        use_fixed_code(&literals, &distances);
    } else {
        write_header(&header, writer);
    }
    huffman_codes(literals.lengths, is_fixed ? CC_LITERALS + 2 : CC_LITERALS, literals.codes);
    huffman_codes(distances.lengths, CC_DISTANCES, distances.codes);
    write_tokens(block, &literals, &distances, writer);
}
