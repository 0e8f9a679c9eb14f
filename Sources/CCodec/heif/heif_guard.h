// libheif is written in C++, and some of its functions throw if they get no memory. Exceptions are caught
// here.

#ifndef TILEWRIGHT_HEIF_GUARD_H
#define TILEWRIGHT_HEIF_GUARD_H

#ifdef __cplusplus
extern "C" {
#endif

typedef enum cc_heif_outcome {
    CC_HEIF_RETURNED,
    CC_HEIF_OUT_OF_MEMORY,
    CC_HEIF_THREW,
} cc_heif_outcome;

/// Calls a step. If an exception is thrown, memory that the step holds is leaked.
cc_heif_outcome cc_heif_guard(void (*step)(void *), void *argument);

#ifdef __cplusplus
}
#endif

#endif
