// The headers of HEVC and AV1 data: the size of coded images, and the meaning of their samples.

#ifndef TILEWRIGHT_HEIF_CODED_H
#define TILEWRIGHT_HEIF_CODED_H

#include "heif_boxes.h"

/// Code points of ITU-T H.273.
typedef struct cc_heif_code_points {
    unsigned primaries, transfer, matrix;
    bool has_full_range;
} cc_heif_code_points;

/// The content of a coded image's sequence headers.
typedef struct cc_heif_coded {
    /// The largest size in any header, which a decoder allocates.
    uint64_t width, height;
    /// The smallest size in any header after cropping.
    uint64_t least_width, least_height;
    /// Values of the last header. `is_certain` if frames surely have its size: in AV1, they may be smaller.
    bool is_certain;
    unsigned bits;
    cc_heif_chroma chroma;
    cc_heif_code_points points;
} cc_heif_coded;

/// Reads the headers in a coded image's configuration, the content of `hvcC` or `av1C`, and in its data.
cc_status cc_heif_inspect(
    bool is_av1, cc_cursor configuration, cc_cursor data, cc_heif_coded *coded, cc_message *message);

#endif
