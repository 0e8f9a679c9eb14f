// The headers of HEVC and AV1 data that say how large images are, and what their samples mean.

#ifndef TILEWRIGHT_HEIF_SEQUENCE_H
#define TILEWRIGHT_HEIF_SEQUENCE_H

#include "heif_boxes.h"

/// Code points of ITU-T H.273.
typedef struct cc_heif_code_points {
    unsigned primaries, transfer, matrix;
    bool has_full_range;
} cc_heif_code_points;

typedef struct cc_heif_sequence {
    uint64_t width, height;
    cc_heif_code_points points;
} cc_heif_sequence;

/// Reads a sequence parameter set of HEVC, behind the head of its NAL unit; false if it ends early.
bool cc_hevc_sequence(cc_cursor unit, cc_heif_sequence *sequence);

/// Reads a sequence header of AV1; false if it ends early.
bool cc_av1_sequence(cc_cursor unit, cc_heif_sequence *sequence);

#endif
