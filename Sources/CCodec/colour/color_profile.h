// What lcms2 works in: no globals, no messages, and no more memory than a sound profile needs; and the
// colours of a file as its profile.

#ifndef TILEWRIGHT_COLOR_PROFILE_H
#define TILEWRIGHT_COLOR_PROFILE_H

#include <lcms2.h>
#include <stdbool.h>
#include <stddef.h>

#include "../message.h"

/// What a context may allocate; it outlives the context.
typedef struct cc_color_budget {
    /// How much is left, in bytes.
    size_t left;
    /// Whether the system refused memory. lcms2 cannot say so: what it makes then fails, or is another.
    bool is_out_of_memory;
} cc_color_budget;

/// A new context, or NULL; to be deleted with cmsDeleteContext.
///
/// Profiles are hostile input: a few bytes can ask for tables of hundreds of megabytes, and a list
/// of elements can name the same table thousands of times. What is freed does not come back to the
/// budget, so that it bounds time, too.
cmsContext cc_color_context(cc_color_budget *budget);

/// Opens the profile in the tags, or makes one from their numbers. Pixels of `space` can be converted
/// from it: gray is also RGB of equal amounts. The caller is to close it.
cc_status cc_color_profile(
    cmsContext context, const cc_color_tags *tags, cc_color_space space, cmsHPROFILE *profile,
    cc_message *message);

/// Notes what people call the profile.
void cc_describe_color(cmsHPROFILE profile, const cc_color_tags *tags, cc_color_summary *summary);

#endif
