#include "tiff_lab.h"

/// The tag Decode, if it is there: the least and the largest L*, a* and b*.
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
    // Whether libtiff knows the tag decides which of the two it wants.
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
