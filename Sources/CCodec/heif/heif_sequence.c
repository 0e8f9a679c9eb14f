#include "heif_sequence.h"

#include <string.h>

#include "heif_bits.h"

// The code point for what is not said.
enum { UNSPECIFIED = 2 };

// HEVC: ITU-T H.265, 7.3

/// Profile and level of 88 and 8 bits, then those of sub-layers (7.3.3).
static void skip_profile(cc_bits *bits, unsigned sub_layers) {
    uint64_t has_profile = 0, has_level = 0;
    cc_bits_skip(bits, 96);
    for (unsigned i = 0; i < sub_layers; i++) {
        has_profile |= cc_bits_take(bits, 1) << i;
        has_level |= cc_bits_take(bits, 1) << i;
    }
    if (sub_layers > 0) { cc_bits_skip(bits, 2 * (8 - sub_layers)); }
    for (unsigned i = 0; i < sub_layers; i++) {
        cc_bits_skip(bits, (has_profile >> i & 1 ? 88 : 0) + (has_level >> i & 1 ? 8 : 0));
    }
}

static void skip_numbers(cc_bits *bits, uint64_t count) {
    for (uint64_t i = 0; i < count && !bits->bytes.is_short; i++) { cc_bits_golomb(bits); }
}

/// 7.3.4
static void skip_scaling_lists(cc_bits *bits) {
    for (unsigned size = 0; size < 4; size++) {
        for (unsigned matrix = 0; matrix < 6; matrix += size == 3 ? 3 : 1) {
            if (!cc_bits_take(bits, 1)) {
                cc_bits_golomb(bits);
                continue;
            }
            const unsigned coefficients = size == 0 ? 16 : 64;
            skip_numbers(bits, coefficients + (size > 1 ? 1 : 0));
        }
    }
}

/// A set of reference pictures that is predicted from the one before it, which has `count` pictures (7.3.7).
static unsigned skip_predicted_set(cc_bits *bits, unsigned count) {
    cc_bits_skip(bits, 1);
    cc_bits_golomb(bits);
    unsigned pictures = 0;
    for (unsigned i = 0; i <= count; i++) {
        const bool is_used = cc_bits_take(bits, 1);
        pictures += is_used || cc_bits_take(bits, 1);
    }
    return pictures;
}

static bool skip_reference_sets(cc_bits *bits) {
    enum { MOST = 64 };
    const uint64_t sets = cc_bits_golomb(bits);
    unsigned pictures = 0;
    for (uint64_t i = 0; i < sets && sets <= MOST; i++) {
        if (i > 0 && cc_bits_take(bits, 1)) {
            pictures = skip_predicted_set(bits, pictures);
        } else {
            const uint64_t before = cc_bits_golomb(bits), behind = cc_bits_golomb(bits);
            if (before > MOST || behind > MOST) { return false; }
            pictures = (unsigned)(before + behind);
            for (unsigned j = 0; j < pictures; j++) {
                cc_bits_golomb(bits);
                cc_bits_skip(bits, 1);
            }
        }
        if (pictures > MOST || bits->bytes.is_short) { return false; }
    }
    return sets <= MOST;
}

/// What stands between the size and the usability information (7.3.2.2); false if it makes no sense.
static bool skip_tools(cc_bits *bits, unsigned sub_layers) {
    skip_numbers(bits, 2);  // bits of luma and chroma
    const unsigned count_bits = (unsigned)cc_bits_golomb(bits) + 4;
    const unsigned orders = cc_bits_take(bits, 1) ? sub_layers + 1 : 1;
    skip_numbers(bits, 3 * orders + 6);
    if (cc_bits_take(bits, 1) && cc_bits_take(bits, 1)) { skip_scaling_lists(bits); }
    cc_bits_skip(bits, 2);
    if (cc_bits_take(bits, 1)) {  // pcm_enabled_flag
        cc_bits_skip(bits, 8);
        skip_numbers(bits, 2);
        cc_bits_skip(bits, 1);
    }
    if (count_bits > 16 || !skip_reference_sets(bits)) { return false; }
    if (cc_bits_take(bits, 1)) {  // long_term_ref_pics_present_flag
        const uint64_t count = cc_bits_golomb(bits);
        for (uint64_t i = 0; i < count && !bits->bytes.is_short; i++) { cc_bits_skip(bits, count_bits + 1); }
    }
    cc_bits_skip(bits, 2);
    return !bits->bytes.is_short;
}

/// The beginning of the usability information (E.2.1).
static void read_usability(cc_bits *bits, cc_heif_code_points *points) {
    enum { ANY_ASPECT = 255 };
    if (cc_bits_take(bits, 1) && cc_bits_take(bits, 8) == ANY_ASPECT) { cc_bits_skip(bits, 32); }
    if (cc_bits_take(bits, 1)) { cc_bits_skip(bits, 1); }
    if (!cc_bits_take(bits, 1)) { return; }
    cc_bits_skip(bits, 3);
    points->has_full_range = cc_bits_take(bits, 1);
    if (!cc_bits_take(bits, 1)) { return; }
    points->primaries = (unsigned)cc_bits_take(bits, 8);
    points->transfer = (unsigned)cc_bits_take(bits, 8);
    points->matrix = (unsigned)cc_bits_take(bits, 8);
}

bool cc_hevc_sequence(cc_cursor unit, cc_heif_sequence *sequence) {
    cc_bits bits = {.bytes = unit, .is_escaped = true};
    cc_bits_skip(&bits, 4);
    const unsigned sub_layers = (unsigned)cc_bits_take(&bits, 3);
    cc_bits_skip(&bits, 1);
    skip_profile(&bits, sub_layers);
    cc_bits_golomb(&bits);
    if (cc_bits_golomb(&bits) == 3) { cc_bits_skip(&bits, 1); }
    sequence->width = cc_bits_golomb(&bits);
    sequence->height = cc_bits_golomb(&bits);
    sequence->points = (cc_heif_code_points){UNSPECIFIED, UNSPECIFIED, UNSPECIFIED, false};
    if (bits.bytes.is_short) { return false; }
    if (cc_bits_take(&bits, 1)) { skip_numbers(&bits, 4); }
    if (skip_tools(&bits, sub_layers) && cc_bits_take(&bits, 1)) { read_usability(&bits, &sequence->points); }
    return true;
}

// AV1: AV1 Bitstream & Decoding Process Specification, 5.5

/// What stands between the first five bits and the size if the header is not a reduced one.
static void skip_operating_points(cc_bits *bits) {
    bool has_model = false;
    unsigned delay_bits = 0;
    if (cc_bits_take(bits, 1)) {  // timing_info_present_flag
        cc_bits_skip(bits, 64);
        if (cc_bits_take(bits, 1)) { cc_bits_golomb(bits); }
        has_model = cc_bits_take(bits, 1);
        if (has_model) {
            delay_bits = 1 + (unsigned)cc_bits_take(bits, 5);
            cc_bits_skip(bits, 42);
        }
    }
    const bool has_delay = cc_bits_take(bits, 1);
    const uint64_t points = 1 + cc_bits_take(bits, 5);
    for (uint64_t i = 0; i < points && !bits->bytes.is_short; i++) {
        cc_bits_skip(bits, 12);
        if (cc_bits_take(bits, 5) > 7) { cc_bits_skip(bits, 1); }
        if (has_model && cc_bits_take(bits, 1)) { cc_bits_skip(bits, 2 * delay_bits + 1); }
        if (has_delay && cc_bits_take(bits, 1)) { cc_bits_skip(bits, 4); }
    }
}

/// The tools of sequences, which reduced headers leave out.
static void skip_sequence_tools(cc_bits *bits) {
    enum { CHOOSE = 2 };
    cc_bits_skip(bits, 4);
    const bool has_order = cc_bits_take(bits, 1);
    if (has_order) { cc_bits_skip(bits, 2); }
    const uint64_t screen_content = cc_bits_take(bits, 1) ? CHOOSE : cc_bits_take(bits, 1);
    if (screen_content > 0 && !cc_bits_take(bits, 1)) { cc_bits_skip(bits, 1); }
    if (has_order) { cc_bits_skip(bits, 3); }
}

/// 5.5.2
static void read_colors(cc_bits *bits, uint64_t profile, cc_heif_code_points *points) {
    const bool is_deep = cc_bits_take(bits, 1);
    if (profile == 2 && is_deep) { cc_bits_skip(bits, 1); }
    const bool is_gray = profile != 1 && cc_bits_take(bits, 1);
    if (cc_bits_take(bits, 1)) {
        points->primaries = (unsigned)cc_bits_take(bits, 8);
        points->transfer = (unsigned)cc_bits_take(bits, 8);
        points->matrix = (unsigned)cc_bits_take(bits, 8);
    }
    const bool is_srgb = !is_gray && points->primaries == 1 && points->transfer == 13 && points->matrix == 0;
    points->has_full_range = is_srgb || cc_bits_take(bits, 1);
}

bool cc_av1_sequence(cc_cursor unit, cc_heif_sequence *sequence) {
    cc_bits bits = {.bytes = unit};
    const uint64_t profile = cc_bits_take(&bits, 3);
    cc_bits_skip(&bits, 1);
    const bool is_reduced = cc_bits_take(&bits, 1);
    if (is_reduced) {
        cc_bits_skip(&bits, 5);  // seq_level_idx
    } else {
        skip_operating_points(&bits);
    }
    const unsigned width_bits = 1 + (unsigned)cc_bits_take(&bits, 4);
    const unsigned height_bits = 1 + (unsigned)cc_bits_take(&bits, 4);
    sequence->width = 1 + cc_bits_take(&bits, width_bits);
    sequence->height = 1 + cc_bits_take(&bits, height_bits);
    sequence->points = (cc_heif_code_points){UNSPECIFIED, UNSPECIFIED, UNSPECIFIED, false};
    if (!is_reduced && cc_bits_take(&bits, 1)) { cc_bits_skip(&bits, 7); }
    cc_bits_skip(&bits, 3);
    if (!is_reduced) { skip_sequence_tools(&bits); }
    cc_bits_skip(&bits, 3);
    read_colors(&bits, profile, &sequence->points);
    return !bits.bytes.is_short;
}
