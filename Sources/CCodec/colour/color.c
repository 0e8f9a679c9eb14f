#include <lcms2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "color.h"

struct cc_color {
    cc_color_budget budget;
    cmsContext context;
    cc_pixel_form form;
    uint32_t output_bytes;
    // For RGB and inks; NULL for gray, which has a table.
    cmsHTRANSFORM transform;
    // For gray: three bytes for each value.
    uint8_t *table;
};

// The transform

/// Relative colorimetric: the paper, or the screen's white, becomes white, and colours in both gamuts stay as
/// they are. Black point compensation makes the darkest ink black; without it, this ink would be a dark gray.
/// Most profiles consist of three curves and a matrix: for these, all other intents give the same result.
///
/// `precision` is 0 or cmsFLAGS_NOOPTIMIZE, which is exact, but fifteen times slower. With 0, lcms2 converts
/// samples of 8 bits with the profile's matrix, if it has one, with an error of at most 1 of 255. For inks
/// and samples of 16 bits, lcms2 interpolates in a table, with errors of up to 20 in dark colours.
static cmsHTRANSFORM make_transform(
    const cc_color *color, cmsHPROFILE profile, cmsUInt32Number input, cmsUInt32Number output,
    cmsUInt32Number precision) {
    cmsHPROFILE srgb = cmsCreate_sRGBProfileTHR(color->context);
    if (srgb == NULL) { return NULL; }
    // Without its cache of the last pixel a transform can be used by several threads.
    cmsHTRANSFORM transform = cmsCreateTransformTHR(
        color->context, profile, input, srgb, output, INTENT_RELATIVE_COLORIMETRIC,
        cmsFLAGS_NOCACHE | cmsFLAGS_BLACKPOINTCOMPENSATION | precision);
    cmsCloseProfile(srgb);
    return transform;
}

/// The layout of the samples that lcms2 reads; alpha comes after them.
static cmsUInt32Number lcms_format(cmsHPROFILE profile, const cc_pixel_form *form) {
    const cmsUInt32Number channels = cmsChannelsOf(cmsGetColorSpace(profile));
    const cmsUInt32Number extra = form->samples - channels;
    return COLORSPACE_SH((cmsUInt32Number)_cmsLCMScolorSpace(cmsGetColorSpace(profile))) | EXTRA_SH(extra)
        | CHANNELS_SH(channels) | BYTES_SH(form->bits / 8);
}

// Whether a conversion is needed

static bool is_near(uint8_t a, uint8_t b) { return a - b <= 1 && b - a <= 1; }

/// Whether no sample of a row of RGB pixels changes by more than one in 255.
static bool is_kept(cmsHTRANSFORM transform, const uint8_t *pixels, size_t count) {
    uint8_t result[256 * 3];
    cmsDoTransform(transform, pixels, result, (cmsUInt32Number)count);
    for (size_t i = 0; i < 3 * count; i++) {
        if (!is_near(pixels[i], result[i])) { return false; }
    }
    return true;
}

/// Whether a ramp stays the same: from black to white for channels 7, to red for 1, and so on.
static bool keeps_ramp(cmsHTRANSFORM transform, unsigned channels) {
    uint8_t pixels[256 * 3] = {0};
    for (unsigned i = 0; i < sizeof pixels; i++) {
        if ((channels >> (i % 3)) & 1) { pixels[i] = (uint8_t)(i / 3); }
    }
    return is_kept(transform, pixels, 256);
}

/// Whether RGB is sRGB: all values of gray and of each primary, and a lattice of 18 x 18 x 18.
static bool is_srgb(cmsHTRANSFORM transform) {
    enum { STEP = 15, NODES = 255 / STEP + 1 };
    for (unsigned channels = 1; channels <= 7; channels++) {
        if (!keeps_ramp(transform, channels)) { return false; }
    }
    for (unsigned i = 0; i < NODES * NODES; i++) {
        uint8_t pixels[NODES * 3];
        for (unsigned blue = 0; blue < NODES; blue++) {
            pixels[3 * blue] = (uint8_t)(i / NODES * STEP);
            pixels[3 * blue + 1] = (uint8_t)(i % NODES * STEP);
            pixels[3 * blue + 2] = (uint8_t)(blue * STEP);
        }
        if (!is_kept(transform, pixels, NODES)) { return false; }
    }
    return true;
}

/// Whether 8 bits are too few: in linear light, dark colours have visible steps.
static bool shows_steps(cmsHTRANSFORM transform) {
    enum { WIDEST_STEP = 4 };
    uint8_t pixels[256 * 3], result[256 * 3];
    for (unsigned i = 0; i < sizeof pixels; i++) { pixels[i] = (uint8_t)(i / 3); }
    cmsDoTransform(transform, pixels, result, 256);
    for (unsigned i = 3; i < sizeof result; i++) {
        if (result[i] - result[i - 3] > WIDEST_STEP) { return true; }
    }
    return false;
}

// Gray

/// Computes the result for each value of gray. For an RGB profile, gray is equal amounts of red, green and
/// blue.
static bool make_table(cc_color *color, cmsHPROFILE profile) {
    const uint32_t values = 1U << color->form.bits;
    const uint32_t channels = cmsChannelsOf(cmsGetColorSpace(profile));
    const cc_pixel_form form = {CC_SPACE_GRAY, channels, 16};
    cmsHTRANSFORM transform =
        make_transform(color, profile, lcms_format(profile, &form), TYPE_RGB_8, cmsFLAGS_NOOPTIMIZE);
    color->table = malloc((size_t)values * 3);
    color->budget.is_out_of_memory |= color->table == NULL;
    const bool is_made = transform != NULL && color->table != NULL;
    for (uint32_t value = 0; is_made && value < values; value++) {
        const uint16_t sample = (uint16_t)(color->form.bits == 8 ? value * 257 : value);
        const uint16_t pixel[3] = {sample, sample, sample};
        cmsDoTransform(transform, pixel, color->table + (size_t)value * 3, 1);
    }
    if (transform != NULL) { cmsDeleteTransform(transform); }
    return is_made;
}

/// Whether each gray stays gray, except for rounding of the channels.
static bool is_neutral(const cc_color *color) {
    for (uint32_t value = 0; value >> color->form.bits == 0; value++) {
        const uint8_t *entry = color->table + (size_t)value * 3;
        if (!is_near(entry[0], entry[1]) || !is_near(entry[1], entry[2])) { return false; }
    }
    return true;
}

/// Whether gray is sRGB's.
static bool is_srgb_gray(const cc_color *color) {
    const unsigned step = color->form.bits == 8 ? 1 : 257;
    for (unsigned value = 0; value < 256; value++) {
        for (int channel = 0; channel < 3; channel++) {
            const uint8_t result = color->table[(size_t)value * step * 3 + (size_t)channel];
            if (!is_near((uint8_t)value, result)) { return false; }
        }
    }
    return true;
}

/// Makes all channels the middle one's.
static void make_neutral(cc_color *color) {
    for (uint32_t value = 0; value >> color->form.bits == 0; value++) {
        uint8_t *entry = color->table + (size_t)value * 3;
        entry[0] = entry[2] = entry[1];
    }
}

// Making a conversion

static bool prepare_gray(cc_color *color, cmsHPROFILE profile, bool *is_needed) {
    if (!make_table(color, profile)) { return false; }
    *is_needed = !is_srgb_gray(color);
    const bool stays_gray = is_neutral(color);
    if (stays_gray) { make_neutral(color); }
    color->output_bytes = color->form.samples == 4 ? 4 : stays_gray ? color->form.samples : 3;
    return true;
}

static bool prepare_inks(cc_color *color, cmsHPROFILE profile, bool *is_needed) {
    const bool has_alpha = color->form.samples == 5;
    color->transform = make_transform(
        color, profile, lcms_format(profile, &color->form), has_alpha ? TYPE_RGBA_8 : TYPE_RGB_8, 0);
    *is_needed = true;
    color->output_bytes = has_alpha ? 4 : 3;
    return color->transform != NULL;
}

static bool prepare_rgb(cc_color *color, cmsHPROFILE profile, bool *is_needed) {
    cmsHTRANSFORM trial = make_transform(color, profile, TYPE_RGB_8, TYPE_RGB_8, 0);
    if (trial == NULL) { return false; }
    *is_needed = !is_srgb(trial);
    if (!shows_steps(trial)) { color->form.bits = 8; }
    cmsDeleteTransform(trial);
    color->output_bytes = color->form.samples;
    color->transform = make_transform(
        color, profile, lcms_format(profile, &color->form),
        color->form.samples == 4 ? TYPE_RGBA_8 : TYPE_RGB_8,
        color->form.bits == 16 ? cmsFLAGS_NOOPTIMIZE : 0);
    return color->transform != NULL;
}

static bool prepare_lab(cc_color *color) {
    cmsHPROFILE profile = cmsCreateLab4ProfileTHR(color->context, NULL);
    if (profile == NULL) { return false; }
    color->transform = make_transform(color, profile, TYPE_Lab_16, TYPE_RGB_8, cmsFLAGS_NOOPTIMIZE);
    color->output_bytes = 3;
    cmsCloseProfile(profile);
    return color->transform != NULL;
}

static cc_status prepare(
    cc_color *color, const cc_color_tags *tags, bool *is_needed, cc_color_summary *summary,
    cc_message *message) {
    if (tags == NULL) {
        *is_needed = prepare_lab(color);
        return CC_OK;
    }
    if (tags->problem.text[0] != 0) { return cc_fail(message, CC_DAMAGED, "%s", tags->problem.text); }
    cmsHPROFILE profile = NULL;
    const cc_status status = cc_color_profile(color->context, tags, color->form.space, &profile, message);
    if (status != CC_OK) { return status; }
    cc_describe_color(profile, tags, summary);
    static bool (*const prepare_space[])(cc_color *, cmsHPROFILE, bool *) = {
        [CC_SPACE_GRAY] = prepare_gray,
        [CC_SPACE_RGB] = prepare_rgb,
        [CC_SPACE_CMYK] = prepare_inks,
    };
    const bool is_sound = prepare_space[color->form.space](color, profile, is_needed);
    cmsCloseProfile(profile);
    summary->bits = color->form.bits;
    summary->bytes_per_pixel = color->output_bytes;
    return is_sound ? CC_OK : cc_fail(message, CC_DAMAGED, "its colour profile is damaged");
}

/// Prepares a conversion, unless lcms2 is refused memory.
static cc_status prepare_in_budget(
    cc_color *color, const cc_color_tags *tags, bool *is_needed, cc_color_summary *summary,
    cc_message *message) {
    if (setjmp(color->budget.refused) != 0) {
        color->budget.leaves = false;
        return cc_fail(message, CC_DAMAGED, "its colour profile is damaged");
    }
    color->budget.leaves = true;
    const cc_status status = prepare(color, tags, is_needed, summary, message);
    color->budget.leaves = false;
    return status;
}

cc_status cc_color_create(
    const cc_color_tags *tags, cc_pixel_form form, cc_color **result, cc_color_summary *summary,
    cc_message *message) {
    *result = NULL;
    *summary = (cc_color_summary){0};
    cc_color *color = calloc(1, sizeof *color);
    if (color == NULL) { return cc_fail_memory(message); }
    color->form = form;
    color->context = cc_color_context(&color->budget);
    bool is_needed = false;
    cc_status status = color->context == NULL ? CC_OUT_OF_MEMORY
                                              : prepare_in_budget(color, tags, &is_needed, summary, message);
    if (color->context == NULL || color->budget.is_out_of_memory) { status = cc_fail_memory(message); }
    if (status == CC_OK && is_needed) {
        *result = color;
    } else {
        cc_color_destroy(color);
    }
    return status;
}

void cc_color_destroy(cc_color *color) {
    if (color == NULL) { return; }
    if (color->transform != NULL) { cmsDeleteTransform(color->transform); }
    cc_color_delete_context(color->context, &color->budget);
    free(color->table);
    free(color);
}

// Pixels

/// Scales 16 bits to 8 with rounding, as libpng does.
static uint8_t scaled(uint16_t sample) { return (uint8_t)((sample * 255U + 32895) >> 16); }

static void copy_alpha(const cc_pixel_form *form, const void *pixels, size_t count, uint8_t *result) {
    for (size_t i = 0; i < count; i++) {
        const size_t place = (i + 1) * form->samples - 1;
        result[4 * i + 3] =
            form->bits == 8 ? ((const uint8_t *)pixels)[place] : scaled(((const uint16_t *)pixels)[place]);
    }
}

static void look_up(const cc_color *color, const void *pixels, size_t count, uint8_t *result) {
    const uint32_t bytes = color->output_bytes, copied = bytes == 4 ? 3 : bytes;
    for (size_t i = 0; i < count; i++) {
        const size_t place = i * color->form.samples;
        const size_t value =
            color->form.bits == 8 ? ((const uint8_t *)pixels)[place] : ((const uint16_t *)pixels)[place];
        memcpy(result + i * bytes, color->table + value * 3, copied);
    }
}

/// Repeats the pixel before `result`.
static void repeat(uint8_t *result, size_t count, size_t bytes) {
    const size_t size = count * bytes;
    memcpy(result, result - bytes, bytes);
    for (size_t done = bytes; done < size; done *= 2) {
        memcpy(result + done, result, done < size - done ? done : size - done);
    }
}

/// Drawings are mostly runs of one colour, which are found several times faster than they are converted.
static void transform(const cc_color *color, const uint8_t *pixels, size_t count, uint8_t *result) {
    enum { BLOCK = 64 };
    const size_t bytes = color->form.samples * color->form.bits / 8, out = color->output_bytes;
    for (size_t i = 0; i < count; i += BLOCK) {
        const size_t block = count - i < BLOCK ? count - i : BLOCK;
        const uint8_t *in = pixels + i * bytes;
        if (i > 0 && memcmp(in, in - bytes, block * bytes) == 0) {
            repeat(result + i * out, block, out);
        } else {
            cmsDoTransform(color->transform, in, result + i * out, (cmsUInt32Number)block);
        }
    }
}

void cc_color_convert(const cc_color *color, const void *pixels, size_t count, uint8_t *result) {
    if (color->table != NULL) {
        look_up(color, pixels, count, result);
    } else {
        transform(color, pixels, count, result);
    }
    if (color->output_bytes == 4) { copy_alpha(&color->form, pixels, count, result); }
}
