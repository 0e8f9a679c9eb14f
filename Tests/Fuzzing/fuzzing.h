// Shared by the harnesses: a file in memory, since readers need a path.

#ifndef TILEWRIGHT_FUZZING_H
#define TILEWRIGHT_FUZZING_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/// The largest image that is decoded, in bytes: a header can claim any size.
enum { LARGEST_IMAGE = 1 << 24 };

/// Writes the input to the file, and returns its path.
static inline const char *file_of(const uint8_t *bytes, size_t size) {
    static int file = -1;
    static char path[64];
    if (file < 0) {
        file = memfd_create("input", 0);
        snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    }
    if (file < 0 || ftruncate(file, 0) != 0 || pwrite(file, bytes, size, 0) != (ssize_t)size) { abort(); }
    return path;
}

/// Called by libFuzzer.
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

#endif
