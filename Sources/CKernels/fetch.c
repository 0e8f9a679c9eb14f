/* Fetches memory into the caches ahead of its use. */
#include "CKernels.h"

enum {
    LINE = 64,
    /* Bytes of rows that stay in the second cache, at least if it is a large one. */
    CACHED = 1 << 20,
};

void cr_fetch(const void *bytes, size_t count) {
    for (size_t i = 0; i < count; i += LINE) __builtin_prefetch((const char *)bytes + i, 0);
}

void cr_fetch_to_write(const void *bytes, size_t count) {
    for (size_t i = 0; i < count; i += LINE) __builtin_prefetch((const char *)bytes + i, 1);
}

void cr_fetch_row(cr_row_ring rows, int32_t row, size_t count) {
    if (rows.capacity * rows.stride > CACHED)
        cr_fetch((const uint8_t *)rows.first + row % rows.capacity * rows.stride, count);
}
