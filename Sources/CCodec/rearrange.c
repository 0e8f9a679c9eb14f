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
