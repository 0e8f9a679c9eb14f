#include <errno.h>
#include <libdeflate.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../colour/color.h"
#include "png_reader.h"

/// Chunk types, as in png_reader.h.
enum {
    CICP = 0x63494350,
    ICCP = 0x69434350,
    SRGB = 0x73524742,
    GAMA = 0x67414D41,
    CHRM = 0x6348524D,
};

enum {
    SIGNATURE = 8,
    // The longest name of a profile. A NUL and the compression method follow it.
    LONGEST_PROFILE_NAME = 79,
    CHRM_SIZE = 32,
};

// Writers round 1/2.2 to 0.45 or 0.4545, and mean sRGB: the sRGB chunk was defined later.
static const double gamma_of_srgb = 0.45455, gamma_tolerance = 0.005;

/// The chunks that were found, each the first of its type.
typedef struct found {
    bool has_cicp, has_iccp, has_srgb, has_gama, has_chrm;
    uint8_t cicp[4];
    uint8_t gama[4];
    uint8_t chrm[CHRM_SIZE];
    uint8_t *profile;  // NULL if iCCP cannot be used
    size_t profile_size;
    bool is_out_of_memory;
} found;

static int32_t number(const uint8_t bytes[4]) { return (int32_t)cc_big_endian(bytes); }

// iCCP

/// Inflates a profile, up to the size limit.
static void inflate_profile(found *found, const uint8_t *deflated, size_t size) {
    struct libdeflate_decompressor *inflater = libdeflate_alloc_decompressor();
    uint8_t *profile = malloc(CC_LARGEST_PROFILE);
    const bool is_sound = inflater != NULL && profile != NULL
        && libdeflate_zlib_decompress(
               inflater, deflated, size, profile, CC_LARGEST_PROFILE, &found->profile_size)
            == LIBDEFLATE_SUCCESS;
    libdeflate_free_decompressor(inflater);
    found->is_out_of_memory = inflater == NULL || profile == NULL;
    if (is_sound && found->profile_size > 0) {
        uint8_t *smaller = realloc(profile, found->profile_size);
        found->profile = smaller != NULL ? smaller : profile;
    } else {
        free(profile);
    }
}

/// Reads a name, a NUL, the compression method, which is 0, and the compressed profile.
static void take_profile(found *found, const uint8_t *chunk, size_t size) {
    const size_t most = size < LONGEST_PROFILE_NAME + 1 ? size : LONGEST_PROFILE_NAME + 1;
    const uint8_t *end_of_name = memchr(chunk, 0, most);
    if (end_of_name == NULL) { return; }
    const size_t head = (size_t)(end_of_name - chunk) + 2;
    if (head < size && end_of_name[1] == 0) { inflate_profile(found, chunk + head, size - head); }
}

static void read_profile(cc_chunks *chunks, found *found) {
    const size_t size = chunks->left;
    if (size > CC_LARGEST_PROFILE) { return; }
    uint8_t *chunk = malloc(size + 1);
    found->is_out_of_memory = chunk == NULL;
    if (chunk != NULL && cc_chunks_read(chunks, chunk, size) == size) { take_profile(found, chunk, size); }
    free(chunk);
}

// The chunks

/// Reads the first chunk of a type, if it has this size.
static void read_chunk(cc_chunks *chunks, bool *has, uint8_t *bytes, size_t size) {
    if (*has || chunks->left != size) { return; }
    *has = cc_chunks_read(chunks, bytes, size) == size;
}

static void take_chunk(cc_chunks *chunks, found *found) {
    uint8_t intent;
    switch (chunks->type) {
    case CICP: read_chunk(chunks, &found->has_cicp, found->cicp, sizeof found->cicp); return;
    case ICCP:
        if (!found->has_iccp) { read_profile(chunks, found); }
        found->has_iccp = true;
        return;
    case SRGB: read_chunk(chunks, &found->has_srgb, &intent, sizeof intent); return;
    case GAMA: read_chunk(chunks, &found->has_gama, found->gama, sizeof found->gama); return;
    case CHRM: read_chunk(chunks, &found->has_chrm, found->chrm, sizeof found->chrm); return;
    default: return;
    }
}

/// Fails only on system errors. Damage is found when the image is read.
static cc_status find(FILE *file, found *found, cc_message *message) {
    uint8_t head[SIGNATURE + CC_CHUNK_HEADER];
    if (fread(head, 1, sizeof head, file) < sizeof head) {
        return ferror(file) ? cc_fail_errno(message, CC_READ_FAILED, errno) : CC_OK;
    }
    cc_chunks chunks;
    cc_chunks_begin(&chunks, file, head + SIGNATURE);
    while (chunks.type != CC_IDAT && chunks.type != CC_IEND) {
        take_chunk(&chunks, found);
        if (!cc_chunks_next(&chunks)) { break; }
    }
    if (found->is_out_of_memory) { return cc_fail_memory(message); }
    *message = chunks.failure.reason;
    return chunks.failure.status == CC_DAMAGED ? CC_OK : chunks.failure.status;
}

// Their meaning

static void use_gamma(const found *found, cc_color_tags *tags) {
    if (found->has_chrm) {
        double values[8];
        for (int i = 0; i < 8; i++) { values[i] = number(found->chrm + 4 * i) / 1e5; }
        cc_set_chromaticities(tags, values);
    }
    tags->gamma = number(found->gama) / 1e5;
    const bool is_srgb = !tags->has_chromaticities && fabs(tags->gamma - gamma_of_srgb) <= gamma_tolerance;
    tags->transfer = is_srgb ? CC_TRANSFER_SRGB : CC_TRANSFER_GAMMA;
}

/// Uses primaries, transfer function, matrix (always 0 for RGB), and the full-range flag. PNG files do not
/// use the primaries of television systems, nor unspecified values.
static void use_code_points(const found *found, cc_color_tags *tags) {
    const uint8_t *code = found->cicp;
    const bool is_usual =
        code[0] != 2 && (code[0] < 5 || code[0] > 7) && code[1] != 2 && code[2] == 0 && code[3] == 1;
    cc_use_code_points(code[0], code[1], tags);
    if (is_usual && tags->problem.text[0] == 0) { return; }
    *tags = (cc_color_tags){0};
    cc_fail(
        &tags->problem, CC_UNSUPPORTED, "its cICP chunk says %d, %d, %d, %d, which is not known", code[0],
        code[1], code[2], code[3]);
}

cc_status cc_png_find_color(FILE *file, cc_color_tags *tags, cc_message *message) {
    found found = {0};
    const cc_status status = find(file, &found, message);
    rewind(file);
    *tags = (cc_color_tags){0};
    if (status != CC_OK) {
        free(found.profile);
        return status;
    }
    if (found.has_cicp) {
        use_code_points(&found, tags);
    } else if (found.has_iccp && found.profile == NULL) {
        cc_fail(&tags->problem, CC_DAMAGED, "its colour profile is damaged or too large");
    } else if (found.has_iccp) {
        tags->profile = found.profile;
        tags->profile_size = found.profile_size;
        return CC_OK;
    } else if (found.has_gama && !found.has_srgb) {
        use_gamma(&found, tags);
    }
    free(found.profile);
    return CC_OK;
}
