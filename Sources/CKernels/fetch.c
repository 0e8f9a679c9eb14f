/* Fetches memory into the caches ahead of its use. */
#include "kernels.h"

enum { LINE = 64 };

void cr_fetch(const void *bytes, size_t count) {
    for (size_t i = 0; i < count; i += LINE) __builtin_prefetch((const char *)bytes + i, 0);
}

void cr_fetch_to_write(const void *bytes, size_t count) {
    for (size_t i = 0; i < count; i += LINE) __builtin_prefetch((const char *)bytes + i, 1);
}

void cr_fetch_row(cr_row_ring rows, int32_t row, size_t count) {
    if (!stay_cached(rows)) cr_fetch(row_of(rows, row), count);
}
