#include "heif_bitstream.h"

#include "../message.h"

enum {
    HVCC = 0x68766343,
    AV1C = 0x61763143,
    // NAL units and OBUs that say the size of what follows.
    SEQUENCE_PARAMETERS = 33,
    SEQUENCE_HEADER = 1,
    // How many times more pixels may be coded than shown, and how many in any case: blocks of 64 or 128 along
    // the edges, and the finest layer of an image that is shown coarser.
    MOST_TIMES = 4,
    ALWAYS = 1 << 20,
};

bool cc_heif_configuration(const cc_meta *meta, const cc_item *item, cc_box *box) {
    box->type = item->type == CC_FOURCC('h', 'v', 'c', '1') ? HVCC : AV1C;
    return cc_meta_property(meta, item, box->type, &box->content);
}

// Forms

/// ISO/IEC 14496-15, 8.3.2: HEVCDecoderConfigurationRecord.
static cc_status read_hevc_form(
    cc_cursor content, unsigned *bits, cc_heif_chroma *chroma, cc_message *message) {
    static const cc_heif_chroma forms[] = {CC_HEIF_GRAY, CC_HEIF_420, CC_HEIF_422, CC_HEIF_444};
    cc_cursor_part(&content, 16);
    *chroma = forms[cc_cursor_number(&content, 1) & 3];
    *bits = 8 + (unsigned)(cc_cursor_number(&content, 1) & 7);
    const unsigned chroma_bits = 8 + (unsigned)(cc_cursor_number(&content, 1) & 7);
    cc_cursor_part(&content, 2);
    const unsigned size_bytes = 1 + (unsigned)(cc_cursor_number(&content, 1) & 3);
    if (content.is_short) { return cc_fail(message, CC_DAMAGED, "its box 'hvcC' is damaged"); }
    if (*chroma != CC_HEIF_GRAY && *bits != chroma_bits) {
        return cc_fail(message, CC_UNSUPPORTED, "its luma has %u bits and its chroma %u", *bits, chroma_bits);
    }
    // libheif takes it for granted.
    if (size_bytes != 4) {
        return cc_fail(
            message, CC_UNSUPPORTED, "the sizes in its image data have %u bytes, not 4", size_bytes);
    }
    return CC_OK;
}

/// AV1 Codec ISO Media File Format Binding, 2.3.3: marker and version, profile and level, then bits.
static cc_status read_av1_form(
    cc_cursor content, unsigned *bits, cc_heif_chroma *chroma, cc_message *message) {
    cc_cursor_part(&content, 2);
    const uint64_t flags = cc_cursor_number(&content, 1);
    if (content.is_short) { return cc_fail(message, CC_DAMAGED, "its box 'av1C' is damaged"); }
    *bits = !(flags & 0x40) ? 8 : flags & 0x20 ? 12 : 10;
    *chroma = flags & 0x10 ? CC_HEIF_GRAY
        : !(flags & 8)     ? CC_HEIF_444
        : flags & 4        ? CC_HEIF_420
                           : CC_HEIF_422;
    return CC_OK;
}

cc_status cc_heif_read_form(
    const cc_meta *meta, const cc_item *item, unsigned *bits, cc_heif_chroma *chroma, cc_message *message) {
    cc_box box;
    if (!cc_heif_configuration(meta, item, &box)) {
        return cc_fail(message, CC_DAMAGED, "an image does not say how it is coded");
    }
    return box.type == HVCC ? read_hevc_form(box.content, bits, chroma, message)
                            : read_av1_form(box.content, bits, chroma, message);
}

// Units

/// What a coded image may be, and what was found in it.
typedef struct inspection {
    uint32_t width, height;
    cc_heif_code_points *points;
} inspection;

static cc_status inspect(const inspection *expected, const cc_heif_sequence *found, cc_message *message) {
    const uint64_t most = (uint64_t)expected->width * expected->height * MOST_TIMES + ALWAYS;
    *expected->points = found->points;
    if (found->width <= UINT32_MAX && found->height <= UINT32_MAX && found->width * found->height <= most) {
        return CC_OK;
    }
    return cc_fail(
        message, CC_DAMAGED, "an image of %u x %u pixels is coded as %llu x %llu", expected->width,
        expected->height, (unsigned long long)found->width, (unsigned long long)found->height);
}

static cc_status inspect_nal(const inspection *expected, cc_cursor nal, cc_message *message) {
    cc_heif_sequence found;
    const bool is_header = (cc_cursor_number(&nal, 2) >> 9 & 63) == SEQUENCE_PARAMETERS;
    return is_header && cc_hevc_sequence(nal, &found) ? inspect(expected, &found, message) : CC_OK;
}

/// The NAL units of the configuration and of the data.
static cc_status inspect_hevc(
    const inspection *expected, cc_cursor configuration, cc_cursor data, cc_message *message) {
    cc_status status = CC_OK;
    cc_cursor_part(&configuration, 22);
    const uint64_t arrays = cc_cursor_number(&configuration, 1);
    for (uint64_t i = 0; i < arrays && !configuration.is_short; i++) {
        cc_cursor_number(&configuration, 1);
        const uint64_t units = cc_cursor_number(&configuration, 2);
        for (uint64_t j = 0; j < units && !configuration.is_short && status == CC_OK; j++) {
            const uint64_t size = cc_cursor_number(&configuration, 2);
            status = inspect_nal(expected, cc_cursor_part(&configuration, size), message);
        }
    }
    while (cc_cursor_left(&data) > 0 && status == CC_OK) {
        const uint64_t size = cc_cursor_number(&data, 4);
        status = inspect_nal(expected, cc_cursor_part(&data, size), message);
        if (data.is_short) { return cc_fail(message, CC_DAMAGED, "its image data are damaged"); }
    }
    return status;
}

/// AV1's numbers of seven bits a byte, the lowest first.
static uint64_t take_leb128(cc_cursor *cursor) {
    uint64_t number = 0;
    for (unsigned i = 0; i < 8; i++) {
        const uint64_t byte = cc_cursor_number(cursor, 1);
        number |= (byte & 127) << (7 * i);
        if (!(byte & 128)) { break; }
    }
    return number;
}

/// Open bitstream units, one after the other (AV1 specification, 5.3).
static cc_status inspect_av1(const inspection *expected, cc_cursor units, cc_message *message) {
    cc_status status = CC_OK;
    while (cc_cursor_left(&units) > 0 && status == CC_OK) {
        const uint64_t head = cc_cursor_number(&units, 1);
        if (head & 4) { cc_cursor_number(&units, 1); }
        const uint64_t size = head & 2 ? take_leb128(&units) : cc_cursor_left(&units);
        const cc_cursor unit = cc_cursor_part(&units, size);
        if (units.is_short) { return cc_fail(message, CC_DAMAGED, "its image data are damaged"); }
        cc_heif_sequence found;
        if ((head >> 3 & 15) == SEQUENCE_HEADER && cc_av1_sequence(unit, &found)) {
            status = inspect(expected, &found, message);
        }
    }
    return status;
}

cc_status cc_heif_inspect(
    const cc_box *configuration, cc_cursor data, uint32_t width, uint32_t height, cc_heif_code_points *points,
    cc_message *message) {
    cc_cursor content = configuration->content;
    const inspection expected = {width, height, points};
    if (configuration->type == HVCC) { return inspect_hevc(&expected, content, data, message); }
    cc_cursor_part(&content, 4);
    const cc_status status = inspect_av1(&expected, content, message);
    return status == CC_OK ? inspect_av1(&expected, data, message) : status;
}
