// The heads of HEVC and AV1 data: how large coded images are, and what their samples mean.

#ifndef TILEWRIGHT_HEIF_CODED_H
#define TILEWRIGHT_HEIF_CODED_H

#include "heif_boxes.h"

/// Code points of ITU-T H.273.
typedef struct cc_heif_code_points {
    unsigned primaries, transfer, matrix;
    bool has_full_range;
} cc_heif_code_points;

/// What the sequence headers of a coded image say.
typedef struct cc_heif_coded {
    /// The largest of all headers. A decoder allocates as much.
    uint64_t width, height;
    /// What remains of the smallest when its edges are cut, and whether that is certain: frames of AV1 may be
    /// smaller.
    uint64_t least_width, least_height;
    bool is_certain;
    /// Those of the last header.
    unsigned bits;
    cc_heif_chroma chroma;
    cc_heif_code_points points;
} cc_heif_coded;

/// Reads the headers in a coded image's configuration, the content of `hvcC` or `av1C`, and in its data.
cc_status cc_heif_inspect(
    bool is_av1, cc_cursor configuration, cc_cursor data, cc_heif_coded *coded, cc_message *message);

#endif
