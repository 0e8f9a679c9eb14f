#include "heif.h"

// The code point "unspecified".
enum { UNSPECIFIED = 2 };

static const cc_heif_code_points unspecified = {UNSPECIFIED, UNSPECIFIED, UNSPECIFIED, false};

// Bits

/// Reads bits in order, the highest bit of a byte first. Reading beyond the end gives zeros, and sets
/// `bytes.is_short`.
typedef struct bit_cursor {
    cc_cursor bytes;
    /// Whether a byte 3 after two zeros is skipped, as in NAL units.
    bool is_escaped;
    unsigned zeros;
    uint64_t byte;
    unsigned left;
} bit_cursor;

static void next_byte(bit_cursor *bits) {
    bits->byte = cc_cursor_number(&bits->bytes, 1);
    if (bits->is_escaped && bits->zeros >= 2 && bits->byte == 3) {
        bits->zeros = 0;
        bits->byte = cc_cursor_number(&bits->bytes, 1);
    }
    bits->zeros = bits->byte == 0 ? bits->zeros + 1 : 0;
    bits->left = 8;
}

/// Reads a number of 0 to 64 bits.
static uint64_t take(bit_cursor *bits, unsigned count) {
    uint64_t number = 0;
    for (unsigned i = 0; i < count; i++) {
        if (bits->left == 0) { next_byte(bits); }
        bits->left--;
        number = number << 1 | (bits->byte >> bits->left & 1);
    }
    return number;
}

static void skip(bit_cursor *bits, unsigned count) {
    for (; count > 64; count -= 64) { take(bits, 64); }
    take(bits, count);
}

/// Reads an Exp-Golomb number: ue(v) of ITU-T H.265, or uvlc() of AV1. se(v) has the same number of bits.
static uint64_t take_golomb(bit_cursor *bits) {
    unsigned zeros = 0;
    while (zeros < 32 && !bits->bytes.is_short && take(bits, 1) == 0) { zeros++; }
    return (UINT64_C(1) << zeros) - 1 + take(bits, zeros);
}

static void use_size(uint64_t width, uint64_t height, uint64_t across, uint64_t down, cc_heif_coded *coded) {
    if (width > coded->width) { coded->width = width; }
    if (height > coded->height) { coded->height = height; }
    const uint64_t least_width = across < width ? width - across : 0;
    const uint64_t least_height = down < height ? height - down : 0;
    const bool is_first = coded->bits == 0;
    if (is_first || least_width < coded->least_width) { coded->least_width = least_width; }
    if (is_first || least_height < coded->least_height) { coded->least_height = least_height; }
}

// HEVC: ITU-T H.265, 7.3

/// Skips the profile (88 bits) and level (8 bits), then those of sub-layers (7.3.3).
static void skip_profile(bit_cursor *bits, unsigned sub_layers) {
    uint64_t has_profile = 0, has_level = 0;
    skip(bits, 96);
    for (unsigned i = 0; i < sub_layers; i++) {
        has_profile |= take(bits, 1) << i;
        has_level |= take(bits, 1) << i;
    }
    if (sub_layers > 0) { skip(bits, 2 * (8 - sub_layers)); }
    for (unsigned i = 0; i < sub_layers; i++) {
        skip(bits, (has_profile >> i & 1 ? 88 : 0) + (has_level >> i & 1 ? 8 : 0));
    }
}

static void skip_numbers(bit_cursor *bits, uint64_t count) {
    for (uint64_t i = 0; i < count && !bits->bytes.is_short; i++) { take_golomb(bits); }
}

/// 7.3.4
static void skip_scaling_lists(bit_cursor *bits) {
    for (unsigned size = 0; size < 4; size++) {
        for (unsigned matrix = 0; matrix < 6; matrix += size == 3 ? 3 : 1) {
            if (!take(bits, 1)) {
                take_golomb(bits);
                continue;
            }
            const unsigned coefficients = size == 0 ? 16 : 64;
            skip_numbers(bits, coefficients + (size > 1 ? 1 : 0));
        }
    }
}

/// Skips a set of reference pictures that is predicted from the previous set, which has `count` pictures
/// (7.3.7).
static unsigned skip_predicted_set(bit_cursor *bits, unsigned count) {
    skip(bits, 1);
    take_golomb(bits);
    unsigned pictures = 0;
    for (unsigned i = 0; i <= count; i++) {
        const bool is_used = take(bits, 1);
        pictures += is_used || take(bits, 1);
    }
    return pictures;
}

static bool skip_reference_sets(bit_cursor *bits) {
    enum { MOST = 64 };
    const uint64_t sets = take_golomb(bits);
    unsigned pictures = 0;
    for (uint64_t i = 0; i < sets && sets <= MOST; i++) {
        if (i > 0 && take(bits, 1)) {
            pictures = skip_predicted_set(bits, pictures);
        } else {
            const uint64_t before = take_golomb(bits), behind = take_golomb(bits);
            if (before > MOST || behind > MOST) { return false; }
            pictures = (unsigned)(before + behind);
            for (unsigned j = 0; j < pictures; j++) {
                take_golomb(bits);
                skip(bits, 1);
            }
        }
        if (pictures > MOST || bits->bytes.is_short) { return false; }
    }
    return sets <= MOST;
}

/// Skips the fields between the sample bits and the usability information (7.3.2.2); false if they are
/// invalid.
static bool skip_tools(bit_cursor *bits, unsigned sub_layers) {
    const unsigned count_bits = (unsigned)take_golomb(bits) + 4;
    const unsigned orders = take(bits, 1) ? sub_layers + 1 : 1;
    skip_numbers(bits, 3 * orders + 6);
    if (take(bits, 1) && take(bits, 1)) { skip_scaling_lists(bits); }
    skip(bits, 2);
    if (take(bits, 1)) {  // pcm_enabled_flag
        skip(bits, 8);
        skip_numbers(bits, 2);
        skip(bits, 1);
    }
    if (count_bits > 16 || !skip_reference_sets(bits)) { return false; }
    if (take(bits, 1)) {  // long_term_ref_pics_present_flag
        const uint64_t count = take_golomb(bits);
        for (uint64_t i = 0; i < count && !bits->bytes.is_short; i++) { skip(bits, count_bits + 1); }
    }
    skip(bits, 2);
    return !bits->bytes.is_short;
}

static void take_code_points(bit_cursor *bits, cc_heif_code_points *points) {
    points->primaries = (unsigned)take(bits, 8);
    points->transfer = (unsigned)take(bits, 8);
    points->matrix = (unsigned)take(bits, 8);
}

/// Reads the beginning of the usability information (E.2.1).
static void read_usability(bit_cursor *bits, cc_heif_code_points *points) {
    enum { ANY_ASPECT = 255 };
    if (take(bits, 1) && take(bits, 8) == ANY_ASPECT) { skip(bits, 32); }
    if (take(bits, 1)) { skip(bits, 1); }
    if (!take(bits, 1)) { return; }
    skip(bits, 3);
    points->has_full_range = take(bits, 1);
    if (take(bits, 1)) { take_code_points(bits, points); }
}

static cc_status read_hevc_sequence(cc_cursor unit, cc_heif_coded *coded, cc_message *message) {
    bit_cursor bits = {.bytes = unit, .is_escaped = true};
    skip(&bits, 4);
    const unsigned sub_layers = (unsigned)take(&bits, 3);
    skip(&bits, 1);
    skip_profile(&bits, sub_layers);
    take_golomb(&bits);
    coded->chroma = (cc_heif_chroma)(take_golomb(&bits) & 3);  // has the numbers of chroma_format_idc
    if (coded->chroma == CC_HEIF_444) { skip(&bits, 1); }
    const uint64_t width = take_golomb(&bits), height = take_golomb(&bits);
    uint64_t across = 0, down = 0;
    if (take(&bits, 1)) {
        across = take_golomb(&bits) + take_golomb(&bits);
        down = take_golomb(&bits) + take_golomb(&bits);
    }
    const bool is_halved = coded->chroma == CC_HEIF_420 || coded->chroma == CC_HEIF_422;
    use_size(
        width, height, is_halved ? 2 * across : across, coded->chroma == CC_HEIF_420 ? 2 * down : down,
        coded);
    coded->is_certain = true;
    coded->bits = 8 + (unsigned)(take_golomb(&bits) & 15);
    const unsigned chroma_bits = 8 + (unsigned)(take_golomb(&bits) & 15);
    coded->points = unspecified;
    if (bits.bytes.is_short) { return cc_fail(message, CC_DAMAGED, "its HEVC header is damaged"); }
    if (coded->chroma != CC_HEIF_GRAY && coded->bits != chroma_bits) {
        return cc_fail(
            message, CC_UNSUPPORTED, "its luma has %u bits and its chroma %u", coded->bits, chroma_bits);
    }
    if (skip_tools(&bits, sub_layers) && take(&bits, 1)) { read_usability(&bits, &coded->points); }
    return CC_OK;
}

// AV1: AV1 Bitstream & Decoding Process Specification, 5.5

/// Skips the fields between the first five bits and the size, in a header that is not reduced.
static void skip_operating_points(bit_cursor *bits) {
    bool has_model = false;
    unsigned delay_bits = 0;
    if (take(bits, 1)) {  // timing_info_present_flag
        skip(bits, 64);
        if (take(bits, 1)) { take_golomb(bits); }
        has_model = take(bits, 1);
        if (has_model) {
            delay_bits = 1 + (unsigned)take(bits, 5);
            skip(bits, 42);
        }
    }
    const bool has_delay = take(bits, 1);
    const uint64_t points = 1 + take(bits, 5);
    for (uint64_t i = 0; i < points && !bits->bytes.is_short; i++) {
        skip(bits, 12);
        if (take(bits, 5) > 7) { skip(bits, 1); }
        if (has_model && take(bits, 1)) { skip(bits, 2 * delay_bits + 1); }
        if (has_delay && take(bits, 1)) { skip(bits, 4); }
    }
}

/// Skips the sequence's coding-tool flags, which reduced headers lack.
static void skip_sequence_tools(bit_cursor *bits) {
    enum { CHOOSE = 2 };
    skip(bits, 4);
    const bool has_order = take(bits, 1);
    if (has_order) { skip(bits, 2); }
    const uint64_t screen_content = take(bits, 1) ? CHOOSE : take(bits, 1);
    if (screen_content > 0 && !take(bits, 1)) { skip(bits, 1); }
    if (has_order) { skip(bits, 3); }
}

/// 5.5.2
static void read_colors(bit_cursor *bits, uint64_t profile, cc_heif_coded *coded) {
    cc_heif_code_points *points = &coded->points;
    const bool is_deep = take(bits, 1), is_twelve = profile == 2 && is_deep && take(bits, 1);
    coded->bits = is_twelve ? 12 : is_deep ? 10 : 8;
    const bool is_gray = profile != 1 && take(bits, 1);
    *points = unspecified;
    if (take(bits, 1)) { take_code_points(bits, points); }
    const bool is_srgb = !is_gray && points->primaries == 1 && points->transfer == 13 && points->matrix == 0;
    points->has_full_range = is_srgb || take(bits, 1);
    const bool is_whole = is_srgb || profile == 1 || (is_twelve && !take(bits, 1));
    const bool is_halved_across = profile == 2 && !(is_twelve && take(bits, 1));
    coded->chroma = is_gray ? CC_HEIF_GRAY
        : is_whole          ? CC_HEIF_444
        : is_halved_across  ? CC_HEIF_422
                            : CC_HEIF_420;
}

static cc_status read_av1_sequence(cc_cursor unit, cc_heif_coded *coded, cc_message *message) {
    bit_cursor bits = {.bytes = unit};
    const uint64_t profile = take(&bits, 3);
    skip(&bits, 1);
    const bool is_reduced = take(&bits, 1);
    if (is_reduced) {
        skip(&bits, 5);  // seq_level_idx
    } else {
        skip_operating_points(&bits);
    }
    const unsigned width_bits = 1 + (unsigned)take(&bits, 4), height_bits = 1 + (unsigned)take(&bits, 4);
    const uint64_t width = 1 + take(&bits, width_bits), height = 1 + take(&bits, height_bits);
    use_size(width, height, 0, 0, coded);
    coded->is_certain = is_reduced;
    if (!is_reduced && take(&bits, 1)) { skip(&bits, 7); }
    skip(&bits, 3);
    if (!is_reduced) { skip_sequence_tools(&bits); }
    skip(&bits, 3);
    read_colors(&bits, profile, coded);
    return bits.bytes.is_short ? cc_fail(message, CC_DAMAGED, "its AV1 header is damaged") : CC_OK;
}

// Units

static cc_status inspect_nal(cc_cursor nal, cc_heif_coded *coded, cc_message *message) {
    enum { SEQUENCE_PARAMETERS = 33 };
    const uint64_t head = cc_cursor_number(&nal, 2);
    // Decoders skip other layers, such as the second view of a stereo image.
    const bool is_header = (head >> 9 & 63) == SEQUENCE_PARAMETERS && (head >> 3 & 63) == 0;
    return is_header ? read_hevc_sequence(nal, coded, message) : CC_OK;
}

/// Reads the NAL units of the configuration (ISO/IEC 14496-15, 8.3.2) and of the data.
static cc_status inspect_hevc(
    cc_cursor configuration, cc_cursor data, cc_heif_coded *coded, cc_message *message) {
    cc_status status = CC_OK;
    cc_cursor_part(&configuration, 21);
    const unsigned size_bytes = 1 + (unsigned)(cc_cursor_number(&configuration, 1) & 3);
    // libheif assumes 4 bytes.
    if (size_bytes != 4 && !configuration.is_short) {
        return cc_fail(
            message, CC_UNSUPPORTED, "the sizes in its image data have %u bytes, not 4", size_bytes);
    }
    const uint64_t arrays = cc_cursor_number(&configuration, 1);
    for (uint64_t i = 0; i < arrays && !configuration.is_short; i++) {
        cc_cursor_number(&configuration, 1);
        const uint64_t units = cc_cursor_number(&configuration, 2);
        for (uint64_t j = 0; j < units && !configuration.is_short && status == CC_OK; j++) {
            const uint64_t size = cc_cursor_number(&configuration, 2);
            status = inspect_nal(cc_cursor_part(&configuration, size), coded, message);
        }
    }
    if (configuration.is_short) { return cc_fail(message, CC_DAMAGED, "its box 'hvcC' is damaged"); }
    while (cc_cursor_left(&data) > 0 && status == CC_OK) {
        const uint64_t size = cc_cursor_number(&data, 4);
        status = inspect_nal(cc_cursor_part(&data, size), coded, message);
        if (data.is_short) { return cc_fail(message, CC_DAMAGED, "its image data are damaged"); }
    }
    return status;
}

/// Reads an AV1 number of seven bits per byte, the lowest bits first.
static uint64_t take_leb128(cc_cursor *cursor) {
    uint64_t number = 0;
    for (unsigned i = 0; i < 8; i++) {
        const uint64_t byte = cc_cursor_number(cursor, 1);
        number |= (byte & 127) << (7 * i);
        if (!(byte & 128)) { break; }
    }
    return number;
}

/// Reads open bitstream units (AV1 specification, 5.3).
static cc_status inspect_av1(cc_cursor units, cc_heif_coded *coded, cc_message *message) {
    enum { SEQUENCE_HEADER = 1 };
    cc_status status = CC_OK;
    while (cc_cursor_left(&units) > 0 && status == CC_OK) {
        const uint64_t head = cc_cursor_number(&units, 1);
        if (head & 4) { cc_cursor_number(&units, 1); }
        const uint64_t size = head & 2 ? take_leb128(&units) : cc_cursor_left(&units);
        const cc_cursor unit = cc_cursor_part(&units, size);
        if (units.is_short) { return cc_fail(message, CC_DAMAGED, "its image data are damaged"); }
        if ((head >> 3 & 15) == SEQUENCE_HEADER) { status = read_av1_sequence(unit, coded, message); }
    }
    return status;
}

cc_status cc_heif_inspect(
    bool is_av1, cc_cursor configuration, cc_cursor data, cc_heif_coded *coded, cc_message *message) {
    *coded = (cc_heif_coded){0};
    cc_status status;
    if (is_av1) {
        cc_cursor_part(&configuration, 4);
        status = inspect_av1(configuration, coded, message);
        if (status == CC_OK) { status = inspect_av1(data, coded, message); }
    } else {
        status = inspect_hevc(configuration, data, coded, message);
    }
    if (status == CC_OK && coded->bits == 0) {
        return cc_fail(message, CC_DAMAGED, "an image does not say how it is coded");
    }
    return status;
}
