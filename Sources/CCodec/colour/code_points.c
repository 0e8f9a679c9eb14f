#include "code_points.h"

#include <string.h>

#include "../message.h"

// x and y of white, red, green and blue (ITU-R BT.709), in units of a PNG's cHRM.
static const int32_t srgb_chromaticities[8] = {31270, 32900, 64000, 33000, 30000, 60000, 15000, 6000};

void cc_set_chromaticities(cc_color_tags *tags, const int32_t values[8]) {
    tags->has_chromaticities = memcmp(values, srgb_chromaticities, 8 * sizeof values[0]) != 0;
    for (int i = 0; i < 8; i++) { tags->chromaticities[i] = values[i] / 1e5; }
}

bool cc_use_primaries(unsigned code, cc_color_tags *tags) {
    static const int32_t bt2020[8] = {31270, 32900, 70800, 29200, 17000, 79700, 13100, 4600};
    static const int32_t display_p3[8] = {31270, 32900, 68000, 32000, 26500, 69000, 15000, 6000};
    static const int32_t dci_p3[8] = {31400, 35100, 68000, 32000, 26500, 69000, 15000, 6000};
    switch (code) {
    case 1: return true;
    case 9: cc_set_chromaticities(tags, bt2020); return true;
    case 11: cc_set_chromaticities(tags, dci_p3); return true;
    case 12: cc_set_chromaticities(tags, display_p3); return true;
    default: return false;
    }
}

bool cc_use_transfer(unsigned code, cc_color_tags *tags) {
    switch (code) {
    case 1:
    case 6:
    case 14:
    case 15: tags->transfer = CC_TRANSFER_BT709; return true;
    case 4:
    case 5:
        tags->transfer = CC_TRANSFER_GAMMA;
        tags->gamma = code == 4 ? 1 / 2.2 : 1 / 2.8;
        return true;
    case 8:
        tags->transfer = CC_TRANSFER_GAMMA;
        tags->gamma = 1;
        return true;
    case 13: tags->transfer = CC_TRANSFER_SRGB; return true;
    default: return false;
    }
}

/// The code point 2 means "unspecified", and is treated as sRGB.
enum { UNSPECIFIED = 2, PQ = 16, HLG = 18 };

/// Primaries of television systems, which PNG files do not use.
static bool use_television(unsigned code, cc_color_tags *tags) {
    static const int32_t pal[8] = {31270, 32900, 64000, 33000, 29000, 60000, 15000, 6000};
    static const int32_t ntsc[8] = {31270, 32900, 63000, 34000, 31000, 59500, 15500, 7000};
    if (code < 5 || code > 7) { return false; }
    cc_set_chromaticities(tags, code == 5 ? pal : ntsc);
    return true;
}

void cc_use_code_points(unsigned primaries, unsigned transfer, cc_color_tags *tags) {
    const bool has_primaries =
        primaries == UNSPECIFIED || cc_use_primaries(primaries, tags) || use_television(primaries, tags);
    const bool has_transfer = transfer == UNSPECIFIED || cc_use_transfer(transfer, tags);
    if (has_primaries && has_transfer) { return; }
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
