// What the files of the TIFF reader share: the file, its description, and its samples.

#ifndef TILEWRIGHT_TIFF_H
#define TILEWRIGHT_TIFF_H

#include <math.h>
#include <tiffio.h>

#include "../shared.h"

// A TIFF file that libtiff reads. The file is not mapped, so that a file that shrinks causes an error instead
// of a signal. Errors are kept instead of printed.

typedef struct cc_tiff_file {
    TIFF *tiff;
    int descriptor;
    // Notes which parts of the file were read; may be NULL.
    cc_read_log *log;
    uint64_t size;
    uint64_t position;
    // Whether libtiff is reading a directory, and the bytes that it may still read for directories in all.
    bool is_in_directory;
    uint64_t directory_bytes;
    // Errors since the last cc_tiff_forget.
    bool has_failed;
    bool has_ended;
    int system_error;
    cc_message reason;
} cc_tiff_file;

/// Opens a file and reads its header, but not a directory. The log may be NULL. This function takes ownership
/// of the descriptor, even if it fails; if the descriptor is -1, errno is the reason. On success, the caller
/// must close *file.
cc_status cc_tiff_file_open(int descriptor, cc_read_log *log, cc_tiff_file **file, cc_message *message);

/// NULL is allowed.
void cc_tiff_file_close(cc_tiff_file *file);

/// Reads the directory at an offset.
cc_status cc_tiff_file_enter(cc_tiff_file *file, uint64_t offset, cc_message *message);

/// Clears errors before a call of libtiff, so that only those of the call are kept.
void cc_tiff_forget(cc_tiff_file *file);

/// The status and the message of a call of libtiff that has failed, or reported an error.
cc_status cc_tiff_complaint(const cc_tiff_file *file, cc_message *message);

// Converts the samples of a TIFF file's rows to pixels.

// Samples of one band of a row, of any type

/// The type of samples, and their layout in a row.
typedef struct cc_samples {
    cc_tiff_kind kind;
    uint16_t bits;
    /// Samples from one pixel to the next.
    uint16_t step;
} cc_samples;

/// Whether samples are supported: integers of 1...16, 24, 32 and 64 bits, floats of 16, 32 and 64 bits.
bool cc_samples_are_known(cc_tiff_kind kind, unsigned bits);

/// The sample value of an index into tables, for integers of up to 16 bits. Indices are counted from the
/// smallest value. All other samples are read as doubles.
double cc_sample_of_index(const cc_samples *samples, unsigned index);

// Pixels

/// A row of samples as it was decoded: interleaved in the first of the planes, or each sample in a
/// separate plane.
typedef struct cc_sample_row {
    const uint8_t *planes[5];
} cc_sample_row;

/// The values of L*, a* or b* for the smallest and the largest sample, and whether samples are signed.
typedef struct cc_lab_range {
    double low;
    double high;
    bool is_signed;
} cc_lab_range;

/// The prepared conversion of samples to pixels. `places` has the position of each sample: first the colour,
/// then alpha.
typedef struct cc_pixel_maker {
    cc_tiff_form form;
    cc_samples samples;
    int color_count;
    /// The samples of the colour, and one for alpha.
    int count;
    /// The plane of a sample, and its number within a pixel there.
    struct {
        uint8_t plane;
        uint16_t offset;
    } places[5];
    /// Whether rows of samples are already rows of pixels.
    bool copies;
    /// By index; NULL if samples have no indices.
    uint8_t *color_table;
    uint8_t *alpha_table;
    /// Red, green and blue by index; NULL if there is no palette.
    uint8_t *palette;
    /// For CIELAB: the conversion to sRGB, and its input for each sample, by index; else NULL.
    cc_color *lab;
    uint16_t *lab_tables[3];
    /// The index that is nodata, or -1.
    int nodata_index;
} cc_pixel_maker;

/// Creates the tables; the caller must have set `places`. `colormap` is tag 320's three arrays of 16 bits,
/// for a palette. `lab` has the ranges of L*, a* and b*, for CIELAB. False if there is not enough memory.
bool cc_pixel_maker_prepare(cc_pixel_maker *maker, uint16_t *const colormap[3], const cc_lab_range lab[3]);

void cc_pixel_maker_destroy(cc_pixel_maker *maker);

/// Reads the indices of the samples of a band in the `count` pixels of a row that begin at `column`.
void cc_load_indices(
    const cc_pixel_maker *maker, const cc_sample_row *row, int band, size_t column, size_t count,
    uint16_t *indices);

/// Reads likewise, as doubles, the values of samples that have no indices.
void cc_load_numbers(
    const cc_pixel_maker *maker, const cc_sample_row *row, int band, size_t column, size_t count,
    double *numbers);

/// The level of a sample value: 0 for the form's `low`, 255 for its `high`.
static inline uint8_t cc_scaled(const cc_tiff_form *form, double value) {
    const double span = form->high - form->low;
    const double level = span == 0 ? 0 : (value - form->low) * 255 / span;
    // The comparisons are false for NaN.
    return level >= 255 ? 255 : level > 0 ? (uint8_t)(level + 0.5) : 0;
}

/// The alpha value of an opaque pixel: 1 for floats, otherwise the largest value of the samples' type.
static inline double cc_opaque_number(const cc_samples *samples) {
    if (samples->kind == CC_TIFF_FLOAT) { return 1; }
    return ldexp(1, samples->kind == CC_TIFF_SIGNED ? samples->bits - 1 : samples->bits) - 1;
}

/// Makes the `count` pixels of a row that begin at `column`. `mask` is NULL, or has a byte for each pixel:
/// the upper limit of its alpha.
void cc_make_pixels(
    const cc_pixel_maker *maker, const cc_sample_row *row, size_t column, size_t count, const uint8_t *mask,
    uint8_t *pixels);

/// Adds to a survey the `count` pixels of a row that begin at `column`, except transparent ones.
void cc_look_at_pixels(
    const cc_pixel_maker *maker, const cc_sample_row *row, size_t column, size_t count, const uint8_t *mask,
    cc_tiff_survey *survey);

// The description of an image from the tags of a TIFF directory.

/// Describes the current directory, and chooses whether libtiff converts its colours. CC_UNSUPPORTED if its
/// pixels are of an unsupported kind.
cc_status cc_tiff_describe(cc_tiff_file *file, cc_tiff_header *header, cc_message *message);

/// The ranges of the current directory's samples: TIFF 6.0, section 23; ICC.1, 6.3.4.2 for ICCLAB, whose 16
/// bits end at 0xFF00; RFC 2301, 5.2.3, for ITULAB, unless the tag Decode defines other ranges.
void cc_tiff_lab_ranges(TIFF *tiff, const cc_tiff_header *header, cc_lab_range ranges[3]);

// The reader

enum { CC_MOST_PLANES = 5 };

struct cc_tiff_reader {
    cc_tiff_file *file;
    cc_tiff_header header;
    cc_pixel_maker maker;
    bool has_form;
    uint64_t offset;
    cc_tiff_reader *mask;
    // Whether the mask is in a separate file.
    bool mask_is_separate;
    uint8_t *mask_pixels;
    size_t mask_size;

    // The planes that the form needs: the sample of each, or one plane of all samples.
    uint16_t planes[CC_MOST_PLANES];
    int plane_count;
    // The last block that was decoded, plane after plane, and its first pixel.
    uint8_t *block;
    size_t plane_bytes;
    size_t row_bytes;
    bool has_block;
    bool block_is_missing;
    uint32_t block_column;
    uint32_t block_row;

    // For a sequential reader: a handle for each plane.
    cc_tiff_file *streams[CC_MOST_PLANES];
};

#endif
