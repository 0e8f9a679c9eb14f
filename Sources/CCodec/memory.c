#define _DEFAULT_SOURCE

#include <stdlib.h>

#include "memory.h"

#ifdef __linux__
#include <sys/mman.h>

enum { LARGE_PAGE = 1 << 21 };

void *cc_allocate(size_t size) {
    if (size < 2 * LARGE_PAGE) { return malloc(size); }
    void *memory = NULL;
    if (posix_memalign(&memory, LARGE_PAGE, size) != 0) { return NULL; }
    // A hint: it does not matter if it is not taken.
    (void)madvise(memory, size, MADV_HUGEPAGE);
    return memory;
}
#else
void *cc_allocate(size_t size) { return malloc(size); }
#endif
