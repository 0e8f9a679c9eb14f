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

void cc_expand_to_rgba(const uint8_t *samples, size_t size, uint8_t *result, size_t count) {
    // A pixel at a time, as a whole: the next ones may lie where this one goes.
    size_t i = 0;
    // All but the last have a sample behind them.
    for (; size == 3 && i + 1 < count; i++, samples += 3, result += 4) {
        uint8_t pixel[4];
        memcpy(pixel, samples, sizeof pixel);
        pixel[3] = 255;
        memcpy(result, pixel, sizeof pixel);
    }
    for (; i < count; i++, samples += size, result += 4) {
        const uint8_t pixel[4] = {samples[0], samples[size == 1 ? 0 : 1], samples[size == 1 ? 0 : 2], 255};
        memcpy(result, pixel, sizeof pixel);
    }
}
