/* Writes pixels to tiles. The loops over rows are in C because windows are small, and a call from Swift for
 * each row would be slow. */
#include "rounding.h"

#include "kernels.h"

#include <string.h>

cr_alpha_seen cr_pack_window(
    const cr_kernels *kernels, cr_row_ring source, int32_t first_row, cr_packed_window result,
    const uint8_t *background) {
    cr_alpha_seen seen = {255, 0};
    for (size_t y = 0; y < result.rows; y++) {
        const int32_t row = first_row + (int32_t)y;
        uint8_t *packed = result.first + (ptrdiff_t)y * result.stride;
        const cr_alpha_seen row_seen = background
            ? kernels->pack_rgba8_over(row_of(source, row), background, packed, result.columns)
            : kernels->pack_rgba8(row_of(source, row), packed, result.columns);
        seen.alpha_and &= row_seen.alpha_and;
        seen.alpha_or |= row_seen.alpha_or;
    }
    return seen;
}

void cr_fill_packed(uint32_t pixel, cr_packed_window result) {
    for (size_t y = 0; y < result.rows; y++) {
        uint8_t *packed = result.first + (ptrdiff_t)y * result.stride;
        for (size_t x = 0; x < result.columns; x++) memcpy(packed + 4 * x, &pixel, sizeof pixel);
    }
}
