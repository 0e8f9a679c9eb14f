// Bits one after the other, the highest of a byte first.

#ifndef TILEWRIGHT_HEIF_BITS_H
#define TILEWRIGHT_HEIF_BITS_H

#include "heif_boxes.h"

/// Beyond the end there are zeros, and `bytes.is_short` is set.
typedef struct cc_bits {
    cc_cursor bytes;
    /// Whether bytes 3 after two zeros are left out, as in NAL units.
    bool is_escaped;
    unsigned zeros;
    uint64_t byte;
    unsigned left;
} cc_bits;

/// A number of 0 to 64 bits.
uint64_t cc_bits_take(cc_bits *bits, unsigned count);

static inline void cc_bits_skip(cc_bits *bits, unsigned count) {
    for (; count > 64; count -= 64) { cc_bits_take(bits, 64); }
    cc_bits_take(bits, count);
}

/// An Exp-Golomb number, ue(v) of ITU-T H.265, which uvlc() of AV1 is as well. se(v) has as many bits.
uint64_t cc_bits_golomb(cc_bits *bits);

#endif
