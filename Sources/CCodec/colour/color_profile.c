#include "color.h"

#include <lcms2_plugin.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The context

// In measurements, lcms2 took 1 to 3 MB, and up to four times the size of the profile.
enum { BUDGET = 64 << 20 };

/// A block of memory for lcms2, in the list of a budget's blocks. `memory` is aligned as by malloc.
typedef struct cc_color_block {
    struct cc_color_block *next, *previous;
    max_align_t memory[];
} cc_color_block;

static cc_color_block *block_of(void *memory) {
    return (cc_color_block *)((char *)memory - offsetof(cc_color_block, memory));
}

static void enter(cc_color_budget *budget, cc_color_block *block) {
    *block = (cc_color_block){.next = budget->blocks};
    if (block->next != NULL) { block->next->previous = block; }
    budget->blocks = block;
}

static void remove_block(cc_color_budget *budget, const cc_color_block *block) {
    if (block->next != NULL) { block->next->previous = block->previous; }
    *(block->previous != NULL ? &block->previous->next : &budget->blocks) = block->next;
}

static void *reallocate(cmsContext context, void *memory, cmsUInt32Number size) {
    cc_color_budget *budget = cmsGetContextUserData(context);
    cc_color_block *block = memory == NULL ? NULL : block_of(memory);
    if (size <= budget->left) {
        budget->left -= size;
        if (block != NULL) { remove_block(budget, block); }
        cc_color_block *moved = realloc(block, offsetof(cc_color_block, memory) + size);
        if (moved != NULL || block != NULL) { enter(budget, moved != NULL ? moved : block); }
        if (moved != NULL) { return moved->memory; }
        budget->is_out_of_memory = true;
    }
    if (budget->leaves) { longjmp(budget->refused, 1); }
    return NULL;
}

static void *allocate(cmsContext context, cmsUInt32Number size) { return reallocate(context, NULL, size); }

static void release(cmsContext context, void *memory) {
    if (memory == NULL) { return; }
    remove_block(cmsGetContextUserData(context), block_of(memory));
    free(block_of(memory));
}

cmsContext cc_color_context(cc_color_budget *budget) {
    cmsPluginMemHandler memory = {
        .base =
            {
                .Magic = cmsPluginMagicNumber,
                .ExpectedVersion = 2000,  // the plug-in's interface has not changed since
                .Type = cmsPluginMemHandlerSig,
            },
        .MallocPtr = allocate,
        .FreePtr = release,
        .ReallocPtr = reallocate,
    };
    *budget = (cc_color_budget){.left = BUDGET};
    return cmsCreateContext(&memory, budget);
}

void cc_color_delete_context(cmsContext context, cc_color_budget *budget) {
    if (context != NULL) { cmsDeleteContext(context); }
    while (budget->blocks != NULL) {
        cc_color_block *block = budget->blocks;
        remove_block(budget, block);
        free(block);
    }
}

enum { HEADER = 128 };

// Embedded profiles

/// Whether the profile describes a device or a colour space; links between two devices, effects and
/// named colours are for other uses.
static bool describes_colors(cmsHPROFILE profile) {
    switch (cmsGetDeviceClass(profile)) {
    case cmsSigInputClass:
    case cmsSigDisplayClass:
    case cmsSigOutputClass:
    case cmsSigColorSpaceClass: return true;
    default: return false;
    }
}

static const char *name_of(cmsColorSpaceSignature space) {
    switch (space) {
    case cmsSigGrayData: return "gray";
    case cmsSigRgbData: return "RGB";
    case cmsSigCmykData: return "CMYK";
    default: return "another kind of colour";
    }
}

static cc_status check(cmsHPROFILE profile, cc_color_space space, cc_message *message) {
    static const cmsColorSpaceSignature spaces[] = {
        [CC_SPACE_GRAY] = cmsSigGrayData,
        [CC_SPACE_RGB] = cmsSigRgbData,
        [CC_SPACE_CMYK] = cmsSigCmykData,
    };
    const cmsColorSpaceSignature found = cmsGetColorSpace(profile);
    if (found != spaces[space] && !(space == CC_SPACE_GRAY && found == cmsSigRgbData)) {
        return cc_fail(
            message, CC_UNSUPPORTED, "its colour profile is for %s, and its pixels are %s", name_of(found),
            name_of(spaces[space]));
    }
    if (!describes_colors(profile)) {
        return cc_fail(message, CC_UNSUPPORTED, "its colour profile is not a device profile");
    }
    return CC_OK;
}

/// Removes floating-point elements, whose number and size are not limited. Profiles that contain them also
/// contain the usual tables.
static void remove_elements(cmsHPROFILE profile) {
    static const cmsTagSignature tags[] = {cmsSigDToB0Tag, cmsSigDToB1Tag, cmsSigDToB2Tag, cmsSigDToB3Tag};
    for (size_t i = 0; i < sizeof tags / sizeof tags[0]; i++) {
        if (cmsIsTag(profile, tags[i])) { cmsWriteTag(profile, tags[i], NULL); }
    }
}

static cc_status open_profile(
    cmsContext context, const cc_color_tags *tags, cc_color_space space, cmsHPROFILE *profile,
    cc_message *message) {
    if (tags->profile_size > CC_LARGEST_PROFILE) {
        return cc_fail(
            message, CC_UNSUPPORTED, "its colour profile is larger than %d MB", CC_LARGEST_PROFILE >> 20);
    }
    cmsHPROFILE opened = tags->profile_size < HEADER
        ? NULL
        : cmsOpenProfileFromMemTHR(context, tags->profile, (cmsUInt32Number)tags->profile_size);
    if (opened == NULL) { return cc_fail(message, CC_DAMAGED, "its colour profile is damaged"); }
    const cc_status status = check(opened, space, message);
    if (status != CC_OK) {
        cmsCloseProfile(opened);
        return status;
    }
    remove_elements(opened);
    *profile = opened;
    return CC_OK;
}

// Profiles of a few numbers

static cmsToneCurve *curve_of(cmsContext context, const cc_color_tags *tags) {
    // Exponent, and a, b, c, d of ((a x + b)^exponent from d on, c x below): IEC 61966-2-1, and the
    // inverse of ITU-R BT.709.
    static const double srgb[5] = {2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045};
    static const double bt709[5] = {1 / 0.45, 1 / 1.099, 0.099 / 1.099, 1 / 4.5, 0.081};
    switch (tags->transfer) {
    case CC_TRANSFER_GAMMA: return cmsBuildGamma(context, 1 / tags->gamma);
    case CC_TRANSFER_BT709: return cmsBuildParametricToneCurve(context, 4, bt709);
    default: return cmsBuildParametricToneCurve(context, 4, srgb);
    }
}

static cmsHPROFILE build(
    cmsContext context, const cc_color_tags *tags, cc_color_space space, cmsToneCurve *curve) {
    const double *c = tags->has_chromaticities ? tags->chromaticities : cc_srgb_chromaticities;
    if (space == CC_SPACE_GRAY) { return cmsCreateGrayProfileTHR(context, cmsD50_xyY(), curve); }
    const cmsCIExyY white = {c[0], c[1], 1};
    const cmsCIExyYTRIPLE primaries = {{c[2], c[3], 1}, {c[4], c[5], 1}, {c[6], c[7], 1}};
    cmsToneCurve *const curves[3] = {curve, curve, curve};
    return cmsCreateRGBProfileTHR(context, &white, &primaries, curves);
}

/// Whether a screen or camera may have these numbers. Primaries may be imaginary colours.
static bool is_plausible(const cc_color_tags *tags) {
    if (tags->transfer == CC_TRANSFER_GAMMA && !(tags->gamma >= 0.1 && tags->gamma <= 10)) { return false; }
    for (int i = 0; tags->has_chromaticities && i < 8; i++) {
        if (!(tags->chromaticities[i] >= -0.5 && tags->chromaticities[i] <= 1.5)) { return false; }
    }
    return !tags->has_chromaticities || tags->chromaticities[1] >= 0.1;
}

static cc_status make_profile(
    cmsContext context, const cc_color_tags *tags, cc_color_space space, cmsHPROFILE *profile,
    cc_message *message) {
    cmsToneCurve *curve = is_plausible(tags) ? curve_of(context, tags) : NULL;
    *profile = curve != NULL ? build(context, tags, space, curve) : NULL;
    if (curve != NULL) { cmsFreeToneCurve(curve); }
    if (*profile != NULL) { return CC_OK; }
    return cc_fail(message, CC_DAMAGED, "its gamma or chromaticities are not plausible");
}

cc_status cc_color_profile(
    cmsContext context, const cc_color_tags *tags, cc_color_space space, cmsHPROFILE *profile,
    cc_message *message) {
    return tags->profile != NULL ? open_profile(context, tags, space, profile, message)
                                 : make_profile(context, tags, space, profile, message);
}

// Code points

const double cc_srgb_chromaticities[8] = {0.3127, 0.329, 0.64, 0.33, 0.3, 0.6, 0.15, 0.06};

void cc_set_chromaticities(cc_color_tags *tags, const double values[8]) {
    tags->has_chromaticities = memcmp(values, cc_srgb_chromaticities, sizeof tags->chromaticities) != 0;
    memcpy(tags->chromaticities, values, sizeof tags->chromaticities);
}

enum { UNSPECIFIED = 2, PQ = 16, HLG = 18 };

static bool use_primaries(unsigned code, cc_color_tags *tags) {
    static const struct {
        unsigned code;
        double chromaticities[8];
    } known[] = {
        {5, {0.3127, 0.329, 0.64, 0.33, 0.29, 0.6, 0.15, 0.06}},        // PAL
        {6, {0.3127, 0.329, 0.63, 0.34, 0.31, 0.595, 0.155, 0.07}},     // NTSC
        {7, {0.3127, 0.329, 0.63, 0.34, 0.31, 0.595, 0.155, 0.07}},     // NTSC
        {9, {0.3127, 0.329, 0.708, 0.292, 0.17, 0.797, 0.131, 0.046}},  // BT.2020
        {11, {0.314, 0.351, 0.68, 0.32, 0.265, 0.69, 0.15, 0.06}},      // DCI-P3
        {12, {0.3127, 0.329, 0.68, 0.32, 0.265, 0.69, 0.15, 0.06}},     // Display P3
    };
    if (code == 1 || code == UNSPECIFIED) { return true; }
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (known[i].code != code) { continue; }
        cc_set_chromaticities(tags, known[i].chromaticities);
        return true;
    }
    return false;
}

/// False if the transfer function is unknown, or goes beyond a screen's white.
static bool use_transfer(unsigned code, cc_color_tags *tags) {
    switch (code) {
    case 1:
    case 6:
    case 14:
    case 15: tags->transfer = CC_TRANSFER_BT709; return true;
    case 4:
    case 5:
    case 8:
        tags->transfer = CC_TRANSFER_GAMMA;
        tags->gamma = code == 4 ? 1 / 2.2 : code == 5 ? 1 / 2.8 : 1;
        return true;
    case 13: tags->transfer = CC_TRANSFER_SRGB; return true;
    default: return code == UNSPECIFIED;
    }
}

void cc_use_code_points(unsigned primaries, unsigned transfer, cc_color_tags *tags) {
    const bool is_known = use_primaries(primaries, tags) && use_transfer(transfer, tags);
    if (is_known) { return; }
    *tags = (cc_color_tags){0};
    if (transfer == PQ || transfer == HLG) {
        cc_fail(
            &tags->problem, CC_UNSUPPORTED, "they are brighter than a screen's white (%s)",
            transfer == PQ ? "PQ" : "HLG");
    } else {
        cc_fail(
            &tags->problem, CC_UNSUPPORTED, "its primaries %u and transfer function %u are not known",
            primaries, transfer);
    }
}

// Words

static void describe_numbers(const cc_color_tags *tags, cc_color_summary *summary) {
    char *text = summary->description;
    const size_t size = sizeof summary->description;
    const char *primaries = tags->has_chromaticities ? " and chromaticities" : "";
    if (tags->transfer == CC_TRANSFER_GAMMA) {
        snprintf(text, size, "gamma %.2f%s", 1 / tags->gamma, primaries);
    } else if (tags->transfer == CC_TRANSFER_BT709) {
        snprintf(text, size, "the curve of BT.709%s", primaries);
    } else {
        snprintf(text, size, "the curve of sRGB%s", primaries);
    }
}

void cc_describe_color(cmsHPROFILE profile, const cc_color_tags *tags, cc_color_summary *summary) {
    if (tags->profile == NULL) {
        describe_numbers(tags, summary);
        return;
    }
    char *text = summary->description;
    cmsGetProfileInfoASCII(profile, cmsInfoDescription, "en", "US", text, sizeof summary->description);
    text[sizeof summary->description - 1] = 0;
    // The text is printed to terminals.
    for (char *c = text; *c != 0; c++) {
        if (*c < ' ' || *c > '~') { *c = '?'; }
    }
    for (size_t end = strlen(text); end > 0 && text[end - 1] == ' '; end--) { text[end - 1] = 0; }
    if (text[0] == 0) { snprintf(text, sizeof summary->description, "a profile without a name"); }
}
