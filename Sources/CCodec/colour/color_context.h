// What lcms2 works in: no globals, no messages, and no more memory than a sound profile needs.

#ifndef TILEWRIGHT_COLOR_CONTEXT_H
#define TILEWRIGHT_COLOR_CONTEXT_H

#include <lcms2.h>
#include <stddef.h>

/// How much a context may still allocate, in bytes; it outlives the context.
typedef struct cc_color_budget {
    size_t left;
} cc_color_budget;

/// A new context, or NULL; to be deleted with cmsDeleteContext.
///
/// Profiles are hostile input: a few bytes can ask for tables of hundreds of megabytes, and a list
/// of elements can name the same table thousands of times. What is freed does not come back to the
/// budget, so that it bounds time, too.
cmsContext cc_color_context(cc_color_budget *budget);

#endif
