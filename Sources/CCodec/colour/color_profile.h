// What a file says of its colours as a profile of lcms2.

#ifndef TILEWRIGHT_COLOR_PROFILE_H
#define TILEWRIGHT_COLOR_PROFILE_H

#include <lcms2.h>

#include "../message.h"

/// Opens the profile in the tags, or makes one from their numbers. Pixels of `space` can be converted
/// from it: gray is also RGB of equal amounts. The caller is to close it.
cc_status cc_color_profile(
    cmsContext context, const cc_color_tags *tags, cc_color_space space, cmsHPROFILE *profile,
    cc_message *message);

/// Notes what people call the profile.
void cc_describe_color(cmsHPROFILE profile, const cc_color_tags *tags, cc_color_summary *summary);

#endif
