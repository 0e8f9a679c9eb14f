#include "runs.h"

#include <string.h>

/// The flags of 64 bytes that are 0 or 1.
static uint64_t gather(const uint8_t *bytes) {
    uint64_t flags = 0;
    for (int i = 0; i < 8; i++) {
        uint64_t eight;
        memcpy(&eight, bytes + i * 8, 8);
#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
        eight = __builtin_bswap64(eight);
#endif
        // The product's highest byte has the lowest bit of each byte.
        flags |= (eight * UINT64_C(0x0102040810204080) >> 56) << i * 8;
    }
    return flags;
}

/// Flags where pixels differ from those `distance` before, and the first `alone` pixels, which have none.
static void compare(
    const uint32_t *pixels, uint32_t count, uint32_t distance, uint32_t alone, cc_flags *flags) {
    enum { BLOCK = CC_FLAGS_PER_WORD };
    for (uint32_t i = 0; i < count; i += BLOCK) {
        const uint32_t *block = pixels + i;
        uint8_t differs[BLOCK];
        if (i >= alone && count - i >= BLOCK) {
            // Of fixed length, for compilers to vectorise.
            for (int k = 0; k < BLOCK; k++) { differs[k] = block[k] != block[k - (ptrdiff_t)distance]; }
        } else {
            for (uint32_t k = 0; k < BLOCK; k++) {
                differs[k] = i + k < count && (i + k < alone || block[k] != block[k - (ptrdiff_t)distance]);
            }
        }
        flags[i / BLOCK] = gather(differs);
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
