#include <string.h>

#include "CCodec.h"

void cc_rearrange(
    const uint8_t *pixels, size_t size, size_t count, const uint8_t channels[4], const uint8_t *table,
    uint8_t *result, size_t result_size) {
    for (size_t i = 0; i < count; i++, pixels += size, result += result_size) {
        for (size_t c = 0; c < result_size; c++) {
            const uint8_t sample = pixels[channels[c]];
            result[c] = c == 3 ? sample : table[sample];
        }
    }
}

/// Two pixels of three samples to two of four.
static void expand_two(const uint8_t *samples, uint8_t *result) {
    uint64_t stored;
    memcpy(&stored, samples, sizeof stored);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    stored = (stored & 0xffffff) | (stored & UINT64_C(0xffffff000000)) << 8 | UINT64_C(0xff000000ff000000);
#else
    stored = (stored & UINT64_C(0xffffff0000000000)) | (stored >> 8 & UINT64_C(0xffffff00))
        | UINT64_C(0x000000ff000000ff);
#endif
    memcpy(result, &stored, sizeof stored);
}

void cc_expand_to_rgba(const uint8_t *samples, size_t size, uint8_t *result, size_t count) {
    // Pixels are read before they are written: the next ones may lie where these go.
    size_t i = 0;
    // All but the last two have two samples behind them.
    for (; size == 3 && i + 3 <= count; i += 2, samples += 6, result += 8) { expand_two(samples, result); }
    for (; i < count; i++, samples += size, result += 4) {
        const uint8_t pixel[4] = {samples[0], samples[size == 1 ? 0 : 1], samples[size == 1 ? 0 : 2], 255};
        memcpy(result, pixel, sizeof pixel);
    }
}
