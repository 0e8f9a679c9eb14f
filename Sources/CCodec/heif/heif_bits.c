#include "heif_bits.h"

static void next_byte(cc_bits *bits) {
    bits->byte = cc_cursor_number(&bits->bytes, 1);
    if (bits->is_escaped && bits->zeros >= 2 && bits->byte == 3) {
        bits->zeros = 0;
        bits->byte = cc_cursor_number(&bits->bytes, 1);
    }
    bits->zeros = bits->byte == 0 ? bits->zeros + 1 : 0;
    bits->left = 8;
}

uint64_t cc_bits_take(cc_bits *bits, unsigned count) {
    uint64_t number = 0;
    for (unsigned i = 0; i < count; i++) {
        if (bits->left == 0) { next_byte(bits); }
        bits->left--;
        number = number << 1 | (bits->byte >> bits->left & 1);
    }
    return number;
}

uint64_t cc_bits_golomb(cc_bits *bits) {
    unsigned zeros = 0;
    while (zeros < 32 && !bits->bytes.is_short && cc_bits_take(bits, 1) == 0) { zeros++; }
    return (UINT64_C(1) << zeros) - 1 + cc_bits_take(bits, zeros);
}
