// What the files about colours share: contexts for lcms2, without globals and messages, and with no more
// memory than a sound profile needs; profiles from the colour tags of a file; and code points.

#ifndef TILEWRIGHT_COLOR_H
#define TILEWRIGHT_COLOR_H

#include <lcms2.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>

#include "../shared.h"

/// The memory that a context may allocate. The budget must outlive the context.
typedef struct cc_color_budget {
    /// The remaining bytes.
    size_t left;
    /// Whether the system refused memory.
    bool is_out_of_memory;
    /// Whether a refused allocation leaves lcms2 and continues at `refused`: in some places, lcms2 2.14 uses
    /// the result of an allocation without checking it for NULL.
    bool leaves;
    jmp_buf refused;
    /// The allocated blocks: a call of lcms2 that was left has not freed its own.
    struct cc_color_block *blocks;
} cc_color_budget;

/// Creates a context, or returns NULL. The caller must delete it with cc_color_delete_context.
///
/// Profiles are hostile input: a few bytes can ask for tables of hundreds of megabytes, and a list
/// of elements can name the same table thousands of times. Freed memory is not returned to the budget, so the
/// budget also limits time.
cmsContext cc_color_context(cc_color_budget *budget);

/// Deletes the context of a budget, if it is not NULL, and frees everything that was allocated in it.
void cc_color_delete_context(cmsContext context, cc_color_budget *budget);

/// Opens the profile in the tags, or makes a profile from their numbers. Pixels of `space` can be converted
/// with the profile; gray can also be used as RGB with equal values. The caller must close the profile.
cc_status cc_color_profile(
    cmsContext context, const cc_color_tags *tags, cc_color_space space, cmsHPROFILE *profile,
    cc_message *message);

/// Sets the profile's description.
void cc_describe_color(cmsHPROFILE profile, const cc_color_tags *tags, cc_color_summary *summary);

// Code points of ITU-T H.273: the numbers with which files describe their colours

/// x and y of sRGB's white, red, green and blue (ITU-R BT.709).
extern const double cc_srgb_chromaticities[8];

/// Sets x and y of white, red, green and blue.
void cc_set_chromaticities(cc_color_tags *tags, const double values[8]);

/// Sets primaries and transfer function, from tables 2 and 3. If they cannot be used, sets `tags->problem`.
/// The code point 2 means "unspecified", and is treated as sRGB.
void cc_use_code_points(unsigned primaries, unsigned transfer, cc_color_tags *tags);

#endif
