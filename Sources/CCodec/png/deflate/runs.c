#include "runs.h"

#include <string.h>

// Sixteen pixels, and which of them differ; the first one's flag is the lowest bit.
typedef uint32_t sixteen_pixels __attribute__((ext_vector_type(16), aligned(4)));
typedef bool sixteen_flags __attribute__((ext_vector_type(16)));

static inline uint64_t differ_16(const uint32_t *a, const uint32_t *b) {
    sixteen_pixels some, others;
    memcpy(&some, a, sizeof some);
    memcpy(&others, b, sizeof others);
    const sixteen_flags flags = __builtin_convertvector(some != others, sixteen_flags);
    uint16_t bits;
    memcpy(&bits, &flags, sizeof bits);
    return bits;
}

static uint64_t differ_64(const uint32_t *a, const uint32_t *b) {
    uint64_t flags = 0;
    for (int i = 0; i < CC_FLAGS_PER_WORD; i += 16) { flags |= differ_16(a + i, b + i) << i; }
    return flags;
}

/// Flags where pixels differ from those `distance` before, and the first `alone` pixels, which have none.
static void compare(
    const uint32_t *pixels, uint32_t count, uint32_t distance, uint32_t alone, cc_flags *flags) {
    enum { BLOCK = CC_FLAGS_PER_WORD };
    for (uint32_t i = 0; i < count; i += BLOCK) {
        const uint32_t *block = pixels + i;
        if (i >= alone && count - i >= BLOCK) {
            flags[i / BLOCK] = differ_64(block, block - distance);
            continue;
        }
        flags[i / BLOCK] = 0;
        for (uint32_t k = 0; k < BLOCK && i + k < count; k++) {
            const uint64_t differs = i + k < alone || block[k] != block[k - (ptrdiff_t)distance];
            flags[i / BLOCK] |= differs << k;
        }
    }
}

void cc_mark_runs(const cc_raster *raster, uint32_t first, uint32_t end, cc_runs *runs) {
    const uint32_t width = raster->width, count = end - first;
    const uint32_t *pixels = raster->pixels + first;
    runs->first = first;
    runs->end = end;
    runs->begins[count / CC_FLAGS_PER_WORD] = runs->differs[count / CC_FLAGS_PER_WORD] = 0;
    compare(pixels, count, 1, first == 0, runs->begins);
    compare(pixels, count, width, first < width ? width - first : 0, runs->differs);
    for (uint32_t y = (first + width - 1) / width; (size_t)y * width < end; y++) {
        cc_set_flag(runs->begins, y * width - first);
        if (y > 0 && cc_row_filter(raster, y) != cc_row_filter(raster, y - 1)) {
            cc_set_flag(runs->differs, y * width - first);
        }
    }
    cc_set_flag(runs->begins, count);
    cc_set_flag(runs->differs, count);
}
