#include "tiff.h"

#include <math.h>
#include <string.h>

// Rows are converted in runs of 1024 pixels, whose samples take 16 kB of the stack.
enum { RUN = 1024 };

/// The samples of a run, 8 bits each: the colour and alpha.
typedef struct run {
    uint8_t bands[4][RUN];
    uint8_t alpha[RUN];
} run;

// Samples

/// Whether a number is nodata after it is rounded to the file's type.
static bool is_nodata(const cc_pixel_maker *maker, double number) {
    if (isnan(number)) { return true; }
    if (!maker->form.has_nodata) { return false; }
    const double nodata = maker->form.nodata;
    return number
        == (maker->samples.bits == 32 && maker->samples.kind == CC_TIFF_FLOAT ? (double)(float)nodata
                                                                              : nodata);
}

/// `blank` stays true for pixels whose bands so far are all nodata.
static void load_table_bands(
    const cc_pixel_maker *maker, const cc_sample_row *row, size_t column, size_t count, run *run,
    uint8_t *blank) {
    uint16_t indices[RUN];
    const uint8_t *palette = maker->palette;
    for (int band = 0; band < maker->color_count; band++) {
        cc_load_indices(maker, row, band, column, count, indices);
        for (size_t i = 0; palette != NULL && i < count; i++) {
            for (int c = 0; c < 3; c++) { run->bands[c][i] = palette[3 * indices[i] + c]; }
        }
        for (size_t i = 0; palette == NULL && i < count; i++) {
            run->bands[band][i] = maker->color_table[indices[i]];
        }
        const uint16_t nodata = (uint16_t)maker->nodata_index;
        for (size_t i = 0; maker->nodata_index >= 0 && i < count; i++) { blank[i] &= indices[i] == nodata; }
    }
    if (maker->form.alpha >= 0) {
        cc_load_indices(maker, row, maker->color_count, column, count, indices);
        for (size_t i = 0; i < count; i++) { run->alpha[i] = maker->alpha_table[indices[i]]; }
    }
}

static void load_number_bands(
    const cc_pixel_maker *maker, const cc_sample_row *row, size_t column, size_t count, run *run,
    uint8_t *blank) {
    double numbers[RUN];
    for (int band = 0; band < maker->color_count; band++) {
        cc_load_numbers(maker, row, band, column, count, numbers);
        for (size_t i = 0; i < count; i++) {
            run->bands[band][i] = cc_scaled(&maker->form, numbers[i]);
            blank[i] &= is_nodata(maker, numbers[i]);
        }
    }
    if (maker->form.alpha >= 0) {
        const cc_tiff_form all = {.low = 0, .high = cc_opaque_number(&maker->samples)};
        cc_load_numbers(maker, row, maker->color_count, column, count, numbers);
        for (size_t i = 0; i < count; i++) { run->alpha[i] = cc_scaled(&all, numbers[i]); }
    }
}

/// Loads all samples of a run; false if none of its pixels can be transparent.
static bool load_run(
    const cc_pixel_maker *maker, const cc_sample_row *row, size_t column, size_t count, const uint8_t *mask,
    run *run) {
    uint8_t blank[RUN];
    const bool has_indices = maker->color_table != NULL;
    const bool can_be_blank = !has_indices || maker->nodata_index >= 0;
    memset(blank, can_be_blank, count);
    if (maker->form.alpha < 0) { memset(run->alpha, 255, count); }
    if (has_indices) {
        load_table_bands(maker, row, column, count, run, blank);
    } else {
        load_number_bands(maker, row, column, count, run, blank);
    }
    for (size_t i = 0; can_be_blank && i < count; i++) { run->alpha[i] &= (uint8_t)(blank[i] - 1); }
    for (size_t i = 0; mask != NULL && i < count; i++) {
        if (mask[i] < run->alpha[i]) { run->alpha[i] = mask[i]; }
    }
    return can_be_blank || mask != NULL || maker->form.alpha >= 0;
}

// Pixels

static void inks_to_light(run *run, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const unsigned light = 255u - run->bands[3][i];
        for (int c = 0; c < 3; c++) { run->bands[c][i] = cc_product(255u - run->bands[c][i], light); }
    }
}

/// Converts the samples of a run to sRGB.
static void lab_to_light(
    const cc_pixel_maker *maker, const cc_sample_row *row, size_t column, size_t count, run *run) {
    uint16_t indices[RUN], lab[3 * RUN];
    uint8_t light[3 * RUN];
    for (int band = 0; band < 3; band++) {
        cc_load_indices(maker, row, band, column, count, indices);
        for (size_t i = 0; i < count; i++) {
            lab[3 * i + (size_t)band] = maker->lab_tables[band][indices[i]];
        }
    }
    cc_color_convert(maker->lab, lab, count, light);
    for (size_t i = 0; i < 3 * count; i++) { run->bands[i % 3][i / 3] = light[i]; }
}

static void unpremultiply(run *run, int bands, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const unsigned alpha = run->alpha[i];
        if (alpha == 0 || alpha == 255) { continue; }
        for (int c = 0; c < bands; c++) {
            const unsigned color = (run->bands[c][i] * 255u + alpha / 2) / alpha;
            run->bands[c][i] = (uint8_t)(color > 255 ? 255 : color);
        }
    }
}

/// Loads samples of any type as numbers.
static void load_values(
    const cc_pixel_maker *maker, const cc_sample_row *row, int band, size_t column, size_t count,
    double *numbers) {
    uint16_t indices[RUN];
    if (maker->color_table == NULL) {
        cc_load_numbers(maker, row, band, column, count, numbers);
        return;
    }
    cc_load_indices(maker, row, band, column, count, indices);
    for (size_t i = 0; i < count; i++) { numbers[i] = cc_sample_of_index(&maker->samples, indices[i]); }
}

/// Divides samples of more than 8 bits before they are rounded: with a small alpha, 8 bits are not exact
/// enough.
static void unpremultiply_deep(
    const cc_pixel_maker *maker, const cc_sample_row *row, size_t column, size_t count, run *run) {
    const cc_tiff_form *form = &maker->form;
    double alpha[RUN], numbers[RUN];
    load_values(maker, row, maker->color_count, column, count, alpha);
    const double opaque = cc_opaque_number(&maker->samples);
    for (int band = 0; band < maker->color_count; band++) {
        load_values(maker, row, band, column, count, numbers);
        for (size_t i = 0; i < count; i++) {
            if (!(alpha[i] > 0)) { continue; }
            run->bands[band][i] = cc_scaled(form, form->low + (numbers[i] - form->low) * opaque / alpha[i]);
        }
    }
}

static void store(const run *run, bool is_gray, size_t count, unsigned size, uint8_t *pixels) {
    if (size == 1) {
        memcpy(pixels, run->bands[0], count);
        return;
    }
    const uint8_t *red = run->bands[0];
    const uint8_t *green = run->bands[is_gray ? 0 : 1];
    const uint8_t *blue = run->bands[is_gray ? 0 : 2];
    for (size_t i = 0; size == 3 && i < count; i++) {
        pixels[3 * i] = red[i];
        pixels[3 * i + 1] = green[i];
        pixels[3 * i + 2] = blue[i];
    }
    for (size_t i = 0; size == 4 && i < count; i++) {
        pixels[4 * i] = red[i];
        pixels[4 * i + 1] = green[i];
        pixels[4 * i + 2] = blue[i];
        pixels[4 * i + 3] = run->alpha[i];
    }
}

static void store_inks(const run *run, size_t count, unsigned size, uint8_t *pixels) {
    for (size_t i = 0; i < count; i++) {
        for (int c = 0; c < 4; c++) { pixels[size * i + (size_t)c] = run->bands[c][i]; }
        if (size == 5) { pixels[size * i + 4] = run->alpha[i]; }
    }
}

static void make_run(
    const cc_pixel_maker *maker, const cc_sample_row *row, size_t column, size_t count, const uint8_t *mask,
    uint8_t *pixels) {
    run run;
    load_run(maker, row, column, count, mask, &run);
    const cc_tiff_form *form = &maker->form;
    if (form->is_premultiplied && form->alpha >= 0) {
        // In TIFF, even inks are multiplied by alpha.
        if (maker->samples.bits > 8) {
            unpremultiply_deep(maker, row, column, count, &run);
        } else {
            unpremultiply(&run, form->color == CC_TIFF_PALETTE ? 3 : maker->color_count, count);
        }
    }
    if (form->color == CC_TIFF_CMYK) { inks_to_light(&run, count); }
    if (form->color == CC_TIFF_LAB) { lab_to_light(maker, row, column, count, &run); }
    if (form->color == CC_TIFF_INKS) {
        store_inks(&run, count, form->bytes_per_pixel, pixels);
    } else {
        store(&run, form->color == CC_TIFF_GRAY, count, form->bytes_per_pixel, pixels);
    }
}

void cc_make_pixels(
    const cc_pixel_maker *maker, const cc_sample_row *row, size_t column, size_t count, const uint8_t *mask,
    uint8_t *pixels) {
    const size_t size = maker->form.bytes_per_pixel;
    if (maker->copies && mask == NULL) {
        memcpy(pixels, row->planes[0] + column * size, count * size);
        return;
    }
    for (size_t done = 0; done < count; done += RUN) {
        const size_t left = count - done;
        make_run(
            maker, row, column + done, left < RUN ? left : RUN, mask == NULL ? NULL : mask + done,
            pixels + done * size);
    }
}

// Surveys

/// Maps a float to bits in the order of numbers: for negative floats, all bits are inverted; for others, the
/// sign bit is set.
static uint32_t ordered_bits(double number) {
    const float value = (float)number;
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits >> 31 ? ~bits : bits | 1u << 31;
}

double cc_tiff_counted_number(uint32_t upper, uint32_t lower) {
    const uint32_t ordered = upper << 16 | lower;
    const uint32_t bits = ordered >> 31 ? ordered & ~(1u << 31) : ~ordered;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static void count_number(cc_tiff_survey *survey, double number) {
    const uint32_t bits = ordered_bits(number);
    if (survey->upper < 0) {
        survey->counts[bits >> 16]++;
    } else if (bits >> 16 == (uint32_t)survey->upper) {
        survey->counts[bits & 0xffff]++;
    }
}

static void take_in(cc_tiff_survey *survey, double value) {
    if (value < survey->low) { survey->low = value; }
    if (value > survey->high) { survey->high = value; }
}

static void look_at_indices(
    const cc_pixel_maker *maker, const uint16_t *indices, const uint8_t *alpha, size_t count,
    cc_tiff_survey *survey) {
    unsigned low = UINT16_MAX, high = 0;
    bool has_any = false;
    for (size_t i = 0; i < count; i++) {
        if (alpha[i] == 0 || indices[i] == maker->nodata_index) { continue; }
        has_any = true;
        if (indices[i] < low) { low = indices[i]; }
        if (indices[i] > high) { high = indices[i]; }
        if (survey->counts != NULL) { survey->counts[indices[i]]++; }
    }
    if (!has_any) { return; }
    take_in(survey, cc_sample_of_index(&maker->samples, low));
    take_in(survey, cc_sample_of_index(&maker->samples, high));
}

static void look_at_run(
    const cc_pixel_maker *maker, const cc_sample_row *row, size_t column, size_t count, const uint8_t *mask,
    cc_tiff_survey *survey) {
    run run;
    load_run(maker, row, column, count, mask, &run);
    for (int band = 0; band < maker->color_count; band++) {
        if (maker->color_table != NULL) {
            uint16_t indices[RUN];
            cc_load_indices(maker, row, band, column, count, indices);
            look_at_indices(maker, indices, run.alpha, count, survey);
        } else {
            double numbers[RUN];
            cc_load_numbers(maker, row, band, column, count, numbers);
            for (size_t i = 0; i < count; i++) {
                if (run.alpha[i] == 0 || !isfinite(numbers[i]) || is_nodata(maker, numbers[i])) { continue; }
                take_in(survey, numbers[i]);
                if (survey->counts != NULL) { count_number(survey, numbers[i]); }
            }
        }
    }
}

void cc_look_at_pixels(
    const cc_pixel_maker *maker, const cc_sample_row *row, size_t column, size_t count, const uint8_t *mask,
    cc_tiff_survey *survey) {
    for (size_t done = 0; done < count; done += RUN) {
        const size_t left = count - done;
        look_at_run(
            maker, row, column + done, left < RUN ? left : RUN, mask == NULL ? NULL : mask + done, survey);
    }
}
