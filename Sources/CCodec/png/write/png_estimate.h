// How well deflate will do, and on what, told without compressing.

#ifndef TILEWRIGHT_PNG_ESTIMATE_H
#define TILEWRIGHT_PNG_ESTIMATE_H

#include <stddef.h>
#include <stdint.h>

/// The size that bytes have once deflate has replaced what it has seen before, in halves of a
/// literal's: literals and matches, counted in one greedy pass. Good for telling which of two
/// versions of the same rows compresses better, some ten times as fast as compressing them.
size_t cc_estimated_size(const uint8_t *bytes, size_t count);

/// What an image seems to show, by how many of its pixels equal their left neighbours.
typedef enum cc_subject {
    /// At least five eighths: deflate finds long matches, and few places matter.
    CC_DRAWING,
    /// At least half, a drawing of fine detail, or one that was sharpened: the places that matter are many.
    CC_DENSE_DRAWING,
    /// At least an eighth, a drawing with noise: deflate finds short matches.
    CC_SCAN,
    /// Fewer: deflate finds hardly any, and codes byte by byte.
    CC_PHOTOGRAPH,
} cc_subject;

/// What an image shows; empty pixels, all zeros, do not count. Looks at every fourth row.
cc_subject cc_subject_of(const uint8_t *rgba, size_t width, size_t height);

#endif
