// The samples of one band of a row of a TIFF file, whatever their type.

#ifndef TILEWRIGHT_TIFF_SAMPLES_H
#define TILEWRIGHT_TIFF_SAMPLES_H

#include "CCodec.h"

/// The type of samples, and their layout in a row.
typedef struct cc_samples {
    cc_tiff_kind kind;
    uint16_t bits;
    /// Samples from one pixel to the next.
    uint16_t step;
} cc_samples;

/// Whether samples are read: integers of 1...16, 24, 32 and 64 bits, floats of 16, 32 and 64.
bool cc_samples_are_known(cc_tiff_kind kind, unsigned bits);

/// Whether samples are few enough for tables: integers of up to 16 bits, which are counted from the
/// smallest. All others are read as doubles.
bool cc_samples_have_indices(const cc_samples *samples);

/// The number that an index stands for.
double cc_sample_of_index(const cc_samples *samples, unsigned index);

/// Reads the indices of `count` samples, the first of which is the row's sample number `first`.
void cc_load_indices(
    const cc_samples *samples, const uint8_t *row, size_t first, size_t count, uint16_t *indices);

/// Reads the numbers of samples that have no indices.
void cc_load_numbers(
    const cc_samples *samples, const uint8_t *row, size_t first, size_t count, double *numbers);

#endif
