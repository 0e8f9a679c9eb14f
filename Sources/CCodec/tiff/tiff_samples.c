#include "tiff_samples.h"

#include <math.h>
#include <string.h>

bool cc_samples_are_known(cc_tiff_kind kind, unsigned bits) {
    if (kind == CC_TIFF_FLOAT) { return bits == 16 || bits == 32 || bits == 64; }
    return (bits >= 1 && bits <= 16) || bits == 24 || bits == 32 || bits == 64;
}

bool cc_samples_have_indices(const cc_samples *samples) {
    return samples->kind != CC_TIFF_FLOAT && samples->bits <= 16;
}

/// What is added to a signed sample to make it an index; flipping that bit does it.
static unsigned bias(const cc_samples *samples) {
    return samples->kind == CC_TIFF_SIGNED ? 1u << (samples->bits - 1) : 0;
}

double cc_sample_of_index(const cc_samples *samples, unsigned index) { return (double)index - bias(samples); }

/// Samples of less than a byte, and those between one byte and two, begin with the highest bit.
static unsigned packed_sample(const uint8_t *row, size_t sample, unsigned bits) {
    const size_t first = sample * bits;
    const size_t last = first + bits - 1;
    uint32_t window = 0;
    for (size_t byte = first / 8; byte <= last / 8; byte++) { window = window << 8 | row[byte]; }
    return (window >> (7 - last % 8)) & ((1u << bits) - 1);
}

void cc_load_indices(
    const cc_samples *samples, const uint8_t *row, size_t first, size_t count, uint16_t *indices) {
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
        // 24 bits, which libtiff has put into the machine's order: the lowest byte first on all
        // machines that we know.
        for (size_t i = 0; i < count; i++) {
            const uint8_t *sample = row + 3 * (first + i * step);
            const int32_t value = sample[0] | sample[1] << 8 | sample[2] << 16;
            numbers[i] = is_signed && (value >> 23) ? value - (1 << 24) : value;
        }
    }
}

void cc_load_numbers(
    const cc_samples *samples, const uint8_t *row, size_t first, size_t count, double *numbers) {
    const size_t step = samples->step;
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
