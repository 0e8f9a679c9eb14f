// What the chunks before the image data of a PNG file say of its colours.

#ifndef TILEWRIGHT_PNG_COLOR_H
#define TILEWRIGHT_PNG_COLOR_H

#include <stdio.h>

#include "../message.h"

/// Reads the chunks of a PNG file from its beginning to its first IDAT, and rewinds it. Of cICP,
/// iCCP, sRGB, and gAMA with cHRM, the first in this order counts (specification, section 4.3).
/// Damage to the file is not reported: whoever reads its pixels meets it again. It fails if the system
/// does. tags->profile is to be freed by the caller.
cc_status cc_png_find_color(FILE *file, cc_color_tags *tags, cc_message *message);

#endif
