#include "tiff.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool cc_samples_are_known(cc_tiff_kind kind, unsigned bits) {
    if (kind == CC_TIFF_FLOAT) { return bits == 16 || bits == 32 || bits == 64; }
    return (bits >= 1 && bits <= 16) || bits == 24 || bits == 32 || bits == 64;
}

static bool have_indices(const cc_samples *samples) {
    return samples->kind != CC_TIFF_FLOAT && samples->bits <= 16;
}

/// The bias of signed samples: flipping this bit turns a sample into an index.
static unsigned bias(const cc_samples *samples) {
    return samples->kind == CC_TIFF_SIGNED ? 1u << (samples->bits - 1) : 0;
}

double cc_sample_of_index(const cc_samples *samples, unsigned index) { return (double)index - bias(samples); }

/// Reads a sample of less than a byte, or between one byte and two. The highest bit comes first.
static unsigned packed_sample(const uint8_t *row, size_t sample, unsigned bits) {
    const size_t first = sample * bits;
    const size_t last = first + bits - 1;
    uint32_t window = 0;
    for (size_t byte = first / 8; byte <= last / 8; byte++) { window = window << 8 | row[byte]; }
    return (window >> (7 - last % 8)) & ((1u << bits) - 1);
}

/// The number of a sample in its plane.
static size_t place_of(const cc_pixel_maker *maker, int band, size_t column) {
    return column * maker->samples.step + maker->places[band].offset;
}

void cc_load_indices(
    const cc_pixel_maker *maker, const cc_sample_row *samples_of_row, int band, size_t column, size_t count,
    uint16_t *indices) {
    const cc_samples *samples = &maker->samples;
    const uint8_t *row = samples_of_row->planes[maker->places[band].plane];
    const size_t first = place_of(maker, band, column);
    const unsigned flip = bias(samples);
    const size_t step = samples->step;
    if (samples->bits == 8) {
        const uint8_t *sample = row + first;
        for (size_t i = 0; i < count; i++) { indices[i] = (uint16_t)(sample[i * step] ^ flip); }
    } else if (samples->bits == 16) {
        const uint8_t *sample = row + 2 * first;
        for (size_t i = 0; i < count; i++) {
            uint16_t value;
            memcpy(&value, sample + 2 * i * step, sizeof value);
            indices[i] = (uint16_t)(value ^ flip);
        }
    } else {
        for (size_t i = 0; i < count; i++) {
            indices[i] = (uint16_t)(packed_sample(row, first + i * step, samples->bits) ^ flip);
        }
    }
}

/// IEEE 754 binary16: a sign, 5 bits of exponent, 10 of fraction.
static double number_of_half(uint16_t half) {
    const int exponent = (half >> 10) & 31;
    const int fraction = half & 1023;
    const double magnitude = exponent == 31 ? (fraction != 0 ? NAN : INFINITY)
        : exponent == 0                     ? ldexp(fraction, -24)
                                            : ldexp(fraction + 1024, exponent - 25);
    return half >> 15 ? -magnitude : magnitude;
}

#define LOAD(type, expression)                                                 \
    for (size_t i = 0; i < count; i++) {                                       \
        type value;                                                            \
        memcpy(&value, row + (first + i * step) * sizeof value, sizeof value); \
        numbers[i] = (double)(expression);                                     \
    }

static void load_integers(
    const cc_samples *samples, const uint8_t *row, size_t first, size_t count, double *numbers) {
    const size_t step = samples->step;
    const bool is_signed = samples->kind == CC_TIFF_SIGNED;
    if (samples->bits == 32 && is_signed) {
        LOAD(int32_t, value)
    } else if (samples->bits == 32) {
        LOAD(uint32_t, value)
    } else if (samples->bits == 64 && is_signed) {
        LOAD(int64_t, value)
    } else if (samples->bits == 64) {
        LOAD(uint64_t, value)
    } else {
        // 24 bits, which libtiff has converted to the machine's byte order: little-endian on all supported
        // machines.
        for (size_t i = 0; i < count; i++) {
            const uint8_t *sample = row + 3 * (first + i * step);
            const int32_t value = sample[0] | sample[1] << 8 | sample[2] << 16;
            numbers[i] = is_signed && (value >> 23) ? value - (1 << 24) : value;
        }
    }
}

void cc_load_numbers(
    const cc_pixel_maker *maker, const cc_sample_row *samples_of_row, int band, size_t column, size_t count,
    double *numbers) {
    const cc_samples *samples = &maker->samples;
    const uint8_t *row = samples_of_row->planes[maker->places[band].plane];
    const size_t first = place_of(maker, band, column), step = samples->step;
    if (samples->kind != CC_TIFF_FLOAT) {
        load_integers(samples, row, first, count, numbers);
    } else if (samples->bits == 16) {
        LOAD(uint16_t, number_of_half(value))
    } else if (samples->bits == 32) {
        LOAD(float, value)
    } else {
        LOAD(double, value)
    }
}

// Tables

static uint8_t *table_of(const cc_pixel_maker *maker, uint8_t (*entry)(const cc_pixel_maker *, unsigned)) {
    const unsigned size = 1u << maker->samples.bits;
    uint8_t *table = malloc(size);
    if (table == NULL) { return NULL; }
    for (unsigned index = 0; index < size; index++) { table[index] = entry(maker, index); }
    return table;
}

static uint8_t color_entry(const cc_pixel_maker *maker, unsigned index) {
    return cc_scaled(&maker->form, cc_sample_of_index(&maker->samples, index));
}

static uint8_t alpha_entry(const cc_pixel_maker *maker, unsigned index) {
    const cc_tiff_form all = {.low = 0, .high = cc_opaque_number(&maker->samples)};
    return cc_scaled(&all, cc_sample_of_index(&maker->samples, index));
}

/// Entries have 16 bits. Some programs wrote 8 bits, either unchanged, or times 256 instead of 257. GDAL 3.10
/// and later detect them in the same way.
static bool make_palette(cc_pixel_maker *maker, uint16_t *const colormap[3]) {
    const size_t size = (size_t)1 << maker->samples.bits;
    maker->palette = malloc(3 * size);
    if (maker->palette == NULL) { return false; }
    unsigned largest = 0, low_bits = 0;
    for (size_t i = 0; i < 3 * size; i++) {
        const unsigned entry = colormap[i % 3][i / 3];
        if (entry > largest) { largest = entry; }
        low_bits |= entry & 255;
    }
    for (size_t i = 0; i < 3 * size; i++) {
        const unsigned entry = colormap[maker->form.bands[i % 3]][i / 3];
        const unsigned level = largest < 256 ? entry : low_bits == 0 ? entry / 256 : (entry + 128) / 257;
        maker->palette[i] = cc_scaled(&maker->form, level);
    }
    return true;
}

/// Makes tables of CIELAB numbers, as `cc_color_create` expects them.
static bool make_lab_tables(cc_pixel_maker *maker, const cc_lab_range lab[3]) {
    const unsigned size = 1u << maker->samples.bits;
    cc_color_summary summary;
    cc_message message;
    cc_color_create(NULL, (cc_pixel_form){CC_SPACE_RGB, 3, 16}, &maker->lab, &summary, &message);
    if (maker->lab == NULL) { return false; }
    for (int band = 0; band < 3; band++) {
        uint16_t *table = maker->lab_tables[band] = malloc(size * sizeof *table);
        if (table == NULL) { return false; }
        const unsigned flip = lab[band].is_signed ? size / 2 : 0;
        const double span = lab[band].high - lab[band].low;
        for (unsigned index = 0; index < size; index++) {
            const double number = lab[band].low + span * (index ^ flip) / (size - 1);
            const double level = band == 0 ? number * 655.35 : (number + 128) * 257;
            table[index] = level >= 65535 ? 65535 : level > 0 ? (uint16_t)(level + 0.5) : 0;
        }
    }
    return true;
}

static int index_of_nodata(const cc_pixel_maker *maker) {
    if (!maker->form.has_nodata) { return -1; }
    const double first = cc_sample_of_index(&maker->samples, 0);
    const double index = maker->form.nodata - first;
    const bool exists = index >= 0 && index < ldexp(1, maker->samples.bits) && floor(index) == index;
    return exists ? (int)index : -1;
}

static bool copies(const cc_pixel_maker *maker) {
    const cc_tiff_form *form = &maker->form;
    const bool is_plain = maker->samples.bits == 8 && maker->samples.kind == CC_TIFF_UNSIGNED
        && form->low == 0 && form->high == 255 && maker->nodata_index < 0
        && (form->color == CC_TIFF_GRAY || form->color == CC_TIFF_RGB || form->color == CC_TIFF_INKS)
        && maker->samples.step == form->bytes_per_pixel && maker->count == (int)form->bytes_per_pixel
        && !(form->is_premultiplied && form->alpha >= 0);
    for (int i = 0; is_plain && i < maker->count; i++) {
        if (maker->places[i].plane != 0 || maker->places[i].offset != i) { return false; }
    }
    return is_plain;
}

bool cc_pixel_maker_prepare(cc_pixel_maker *maker, uint16_t *const colormap[3], const cc_lab_range lab[3]) {
    maker->nodata_index = -1;
    if (have_indices(&maker->samples)) {
        maker->nodata_index = index_of_nodata(maker);
        maker->color_table = table_of(maker, color_entry);
        maker->alpha_table = table_of(maker, alpha_entry);
        if (maker->color_table == NULL || maker->alpha_table == NULL) { return false; }
        if (maker->form.color == CC_TIFF_PALETTE && !make_palette(maker, colormap)) { return false; }
        if (maker->form.color == CC_TIFF_LAB && !make_lab_tables(maker, lab)) { return false; }
    }
    maker->copies = copies(maker);
    return true;
}

void cc_pixel_maker_destroy(cc_pixel_maker *maker) {
    free(maker->color_table);
    free(maker->alpha_table);
    free(maker->palette);
    maker->color_table = maker->alpha_table = maker->palette = NULL;
    for (int band = 0; band < 3; band++) { free(maker->lab_tables[band]); }
    memset(maker->lab_tables, 0, sizeof maker->lab_tables);
    cc_color_destroy(maker->lab);
    maker->lab = NULL;
}
