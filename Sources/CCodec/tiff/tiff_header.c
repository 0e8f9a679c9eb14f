#include "tiff.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    // GDAL's tag for the nodata value, as text.
    TAG_NODATA = 42113,
    // Larger strips are read row by row. Up to this size, a block is decompressed in one go, which is
    // several times faster.
    LARGEST_STRIP = 1 << 26,
    // Tiles cannot be read row by row. 8192 x 8192 pixels of RGBA.
    LARGEST_TILE = 1 << 28,
};

// Tags that libtiff does not know. libtiff keeps them with their type in the file.

static uint32_t values_of(TIFF *tiff, uint32_t tag, TIFFDataType *type, const void **values) {
    const TIFFField *field = TIFFFindField(tiff, tag, TIFF_ANY);
    uint32_t count = 0;
    if (field == NULL || !TIFFFieldPassCount(field) || TIFFFieldReadCount(field) != TIFF_VARIABLE2) {
        return 0;
    }
    *type = TIFFFieldDataType(field);
    return TIFFGetField(tiff, tag, &count, values) && *values != NULL ? count : 0;
}

static bool number_at(TIFFDataType type, const void *values, size_t index, double *number) {
    switch (type) {
    case TIFF_SHORT: *number = ((const uint16_t *)values)[index]; return true;
    case TIFF_SSHORT: *number = ((const int16_t *)values)[index]; return true;
    case TIFF_LONG: *number = ((const uint32_t *)values)[index]; return true;
    case TIFF_SLONG: *number = ((const int32_t *)values)[index]; return true;
    case TIFF_LONG8: *number = (double)((const uint64_t *)values)[index]; return true;
    case TIFF_SLONG8: *number = (double)((const int64_t *)values)[index]; return true;
    case TIFF_FLOAT: *number = ((const float *)values)[index]; return true;
    case TIFF_DOUBLE: *number = ((const double *)values)[index]; return true;
    default: return false;
    }
}

size_t cc_tiff_numbers(const cc_tiff_reader *reader, uint32_t tag, double *numbers, size_t capacity) {
    TIFFDataType type = TIFF_NOTYPE;
    const void *values = NULL;
    const uint32_t count = values_of(reader->file->tiff, tag, &type, &values);
    double number = 0;
    if (count == 0 || !number_at(type, values, 0, &number)) { return 0; }
    for (size_t i = 0; i < count && i < capacity; i++) { number_at(type, values, i, &numbers[i]); }
    return count;
}

static const char *text_of(TIFF *tiff, uint32_t tag, size_t *size) {
    TIFFDataType type = TIFF_NOTYPE;
    const void *values = NULL;
    *size = values_of(tiff, tag, &type, &values);
    return *size > 0 && (type == TIFF_ASCII || type == TIFF_BYTE) ? values : NULL;
}

const char *cc_tiff_text(const cc_tiff_reader *reader, uint32_t tag, size_t *size) {
    return text_of(reader->file->tiff, tag, size);
}

// The header

static void find_nodata(TIFF *tiff, cc_tiff_header *header) {
    size_t size = 0;
    const char *tag = text_of(tiff, TAG_NODATA, &size);
    char text[64] = {0};
    if (tag == NULL) { return; }
    memcpy(text, tag, size < sizeof text - 1 ? size : sizeof text - 1);
    char *end = text;
    header->nodata = strtod(text, &end);
    while (*end == ' ') { end++; }
    header->has_nodata = end != text && *end == 0;
}

static bool get_kind(TIFF *tiff, cc_tiff_kind *kind) {
    uint16_t format = SAMPLEFORMAT_UINT;
    TIFFGetFieldDefaulted(tiff, TIFFTAG_SAMPLEFORMAT, &format);
    switch (format) {
    case SAMPLEFORMAT_UINT:
    case SAMPLEFORMAT_VOID: *kind = CC_TIFF_UNSIGNED; return true;
    case SAMPLEFORMAT_INT: *kind = CC_TIFF_SIGNED; return true;
    case SAMPLEFORMAT_IEEEFP: *kind = CC_TIFF_FLOAT; return true;
    default: return false;
    }
}

static void get_samples(TIFF *tiff, cc_tiff_header *header) {
    uint16_t planar = PLANARCONFIG_CONTIG, count = 0;
    const uint16_t *extra = NULL;
    TIFFGetFieldDefaulted(tiff, TIFFTAG_SAMPLESPERPIXEL, &header->samples);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_BITSPERSAMPLE, &header->bits);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_PLANARCONFIG, &planar);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_COMPRESSION, &header->compression);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_ORIENTATION, &header->orientation);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_INKSET, &header->ink_set);
    header->is_planar = planar == PLANARCONFIG_SEPARATE && header->samples > 1;
    if (!TIFFGetField(tiff, TIFFTAG_PHOTOMETRIC, &header->photometric)) {
        // Baseline TIFF demands the tag. Without it, one sample or two are gray.
        header->photometric = header->samples >= 3 ? PHOTOMETRIC_RGB : PHOTOMETRIC_MINISBLACK;
    }
    TIFFGetFieldDefaulted(tiff, TIFFTAG_EXTRASAMPLES, &count, &extra);
    const size_t capacity = sizeof header->extra_samples / sizeof header->extra_samples[0];
    header->extra_count = count;
    // NULL if libtiff had no memory for them, which cc_tiff_describe reports.
    for (size_t i = 0; extra != NULL && i < count && i < capacity; i++) {
        header->extra_samples[i] = extra[i];
    }
}

/// Finds the pixels per inch. The file's unit is the inch, by default, or the centimetre.
static void find_resolution(TIFF *tiff, cc_tiff_header *header) {
    float across = 0, down = 0;
    TIFFGetFieldDefaulted(tiff, TIFFTAG_RESOLUTIONUNIT, &header->resolution_unit);
    const uint16_t unit = header->resolution_unit;
    if (unit != RESUNIT_INCH && unit != RESUNIT_CENTIMETER) { return; }
    if (!TIFFGetField(tiff, TIFFTAG_XRESOLUTION, &across)) { return; }
    if (!TIFFGetField(tiff, TIFFTAG_YRESOLUTION, &down)) { return; }
    const double units_per_inch = unit == RESUNIT_INCH ? 1 : 2.54;
    header->pixels_per_inch[0] = across * units_per_inch;
    header->pixels_per_inch[1] = down * units_per_inch;
}

/// libtiff converts YCbCr to RGB.
static void choose_conversion(TIFF *tiff, cc_tiff_header *header) {
    if (header->photometric == PHOTOMETRIC_YCBCR && header->compression == COMPRESSION_JPEG
        && !header->is_planar) {
        TIFFSetField(tiff, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
        header->photometric = PHOTOMETRIC_RGB;
        return;
    }
    header->is_converted = header->photometric == PHOTOMETRIC_YCBCR;
}

static cc_status check_samples(
    TIFF *tiff, const cc_tiff_header *header, bool kind_is_known, cc_message *message) {
    char reason[1024];
    if (!TIFFIsCODECConfigured(header->compression)) {
        return cc_fail(
            message, CC_UNSUPPORTED, "its compression %d is not one that libtiff reads", header->compression);
    }
    if (!kind_is_known) { return cc_fail(message, CC_UNSUPPORTED, "its samples are complex numbers"); }
    if (!header->is_converted && !cc_samples_are_known(header->kind, header->bits)) {
        return cc_fail(
            message, CC_UNSUPPORTED, "it has %d bits per %s sample", header->bits,
            header->kind == CC_TIFF_FLOAT ? "floating-point" : "integer");
    }
    if (header->is_converted && !TIFFRGBAImageOK(tiff, reason)) {
        return cc_fail(message, CC_UNSUPPORTED, "its colours are not read: %.150s", reason);
    }
    return CC_OK;
}

static cc_status measure_blocks(TIFF *tiff, uint64_t file_size, cc_tiff_header *header, cc_message *message) {
    uint64_t bytes = 0;
    if (header->is_tiled) {
        TIFFGetField(tiff, TIFFTAG_TILEWIDTH, &header->block_width);
        TIFFGetField(tiff, TIFFTAG_TILELENGTH, &header->block_height);
        bytes = TIFFTileSize64(tiff);
    } else {
        uint32_t rows = 0;
        TIFFGetFieldDefaulted(tiff, TIFFTAG_ROWSPERSTRIP, &rows);
        header->block_width = header->width;
        header->block_height = rows == 0 || rows > header->height ? header->height : rows;
        bytes = TIFFVStripSize64(tiff, header->block_height);
    }
    const uint64_t pixels = (uint64_t)header->block_width * header->block_height;
    header->block_bytes = header->is_converted ? 4 * pixels
        : header->is_planar                    ? bytes * header->samples
                                               : bytes;
    header->is_sequential = !header->is_tiled && header->block_bytes > LARGEST_STRIP;
    const uint64_t stored = TIFFGetStrileByteCount(tiff, 0);
    header->stored_bytes = stored < file_size ? stored : file_size;
    if (header->block_bytes > LARGEST_TILE && header->is_tiled) {
        return cc_fail(
            message, CC_UNSUPPORTED, "its tiles of %u x %u pixels are too large", header->block_width,
            header->block_height);
    }
    if (header->is_sequential && header->is_converted) {
        return cc_fail(
            message, CC_UNSUPPORTED, "its strips of %u x %u pixels are too large", header->block_width,
            header->block_height);
    }
    return CC_OK;
}

cc_status cc_tiff_describe(cc_tiff_file *file, cc_tiff_header *header, cc_message *message) {
    TIFF *tiff = file->tiff;
    uint32_t profile_size = 0;
    *header = (cc_tiff_header){.is_tiled = TIFFIsTiled(tiff), .is_big = TIFFIsBigTIFF(tiff)};
    TIFFGetField(tiff, TIFFTAG_IMAGEWIDTH, &header->width);
    TIFFGetField(tiff, TIFFTAG_IMAGELENGTH, &header->height);
    const bool kind_is_known = get_kind(tiff, &header->kind);
    get_samples(tiff, header);
    find_resolution(tiff, header);
    choose_conversion(tiff, header);
    find_nodata(tiff, header);
    if (TIFFGetField(tiff, TIFFTAG_ICCPROFILE, &profile_size, &header->profile) && header->profile != NULL) {
        header->profile_size = profile_size;
    }
    cc_status status = check_samples(tiff, header, kind_is_known, message);
    if (status == CC_OK) { status = measure_blocks(tiff, file->size, header, message); }
    // If memory runs out, tags are zeros. Other errors are reported when pixels are read.
    const bool lacks_memory = file->system_error == ENOMEM && strstr(file->reason.text, "memory") != NULL;
    return status == CC_OK && lacks_memory ? cc_fail_memory(message) : status;
}

// CIELAB

/// Reads the tag Decode, if present: the smallest and the largest L*, a* and b*.
static void find_decode(TIFF *tiff, double decode[6]) {
    enum { TAG_DECODE = 433 };
    const TIFFField *field = TIFFFindField(tiff, TAG_DECODE, TIFF_ANY);
    const float *numbers = NULL;
    uint32_t count = 0;
    uint16_t short_count = 0;
    if (field == NULL || !TIFFFieldPassCount(field) || TIFFFieldDataType(field) != TIFF_SRATIONAL
        || TIFFFieldSetGetSize(field) != sizeof *numbers) {
        return;
    }
    // The type of the count depends on whether libtiff knows the tag.
    const bool is_long = TIFFFieldReadCount(field) == TIFF_VARIABLE2;
    const bool is_there = is_long ? TIFFGetField(tiff, TAG_DECODE, &count, &numbers)
                                  : TIFFGetField(tiff, TAG_DECODE, &short_count, &numbers);
    if (!is_there || numbers == NULL || (is_long ? count : short_count) != 6) { return; }
    for (int i = 0; i < 6; i++) { decode[i] = numbers[i]; }
}

void cc_tiff_lab_ranges(TIFF *tiff, const cc_tiff_header *header, cc_lab_range ranges[3]) {
    const bool is_icc = header->photometric == PHOTOMETRIC_ICCLAB;
    const bool is_signed = header->photometric == PHOTOMETRIC_CIELAB;
    const double largest = header->bits == 16 ? 65535.0 / 256 : 255;
    double decode[6] = {0, 100, -21760.0 / 255, 21590.0 / 255, -19200.0 / 255, 31800.0 / 255};
    if (header->photometric == PHOTOMETRIC_ITULAB) {
        find_decode(tiff, decode);
        for (int i = 0; i < 3; i++) { ranges[i] = (cc_lab_range){decode[2 * i], decode[2 * i + 1], false}; }
        return;
    }
    ranges[0] = (cc_lab_range){0, is_icc && header->bits == 16 ? 100 * 65535.0 / 65280 : 100, false};
    ranges[1] = ranges[2] = (cc_lab_range){-128, largest - 128, is_signed};
}
