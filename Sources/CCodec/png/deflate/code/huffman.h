// Prefix codes of limited length, as deflate has them (RFC 1951, section 3.2.2).

#ifndef TILEWRIGHT_DEFLATE_HUFFMAN_H
#define TILEWRIGHT_DEFLATE_HUFFMAN_H

#include <stddef.h>
#include <stdint.h>

enum { CC_MOST_SYMBOLS = 286 };

/// Writes the lengths of a code that takes the fewest bits for symbols of these frequencies, none longer
/// than `longest`; 0 for symbols that do not occur. A code of fewer than two symbols gets a second: some
/// decoders refuse what is incomplete. 2 to the power of `longest` is at least `count`.
void cc_huffman_lengths(const uint32_t *frequencies, size_t count, unsigned longest, uint8_t *lengths);

/// Writes the codes that belong to lengths, their first bits lowest.
void cc_huffman_codes(const uint8_t *lengths, size_t count, uint16_t *codes);

#endif
