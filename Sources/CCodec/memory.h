#ifndef CC_MEMORY_H
#define CC_MEMORY_H

#include <stddef.h>

/// Memory as malloc gives it, to be freed with free. Much of it stands in large pages, if the system has
/// them: the first touch of a small page costs as much as compressing what it holds.
void *cc_allocate(size_t size);

#endif
