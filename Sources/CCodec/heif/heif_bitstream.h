// The heads of HEVC and AV1 data, as far as they say how much a decoder will allocate.

#ifndef TILEWRIGHT_HEIF_BITSTREAM_H
#define TILEWRIGHT_HEIF_BITSTREAM_H

#include "heif_sequence.h"

/// The configuration of a coded image, `hvcC` or `av1C`; false if there is none.
bool cc_heif_configuration(const cc_meta *meta, const cc_item *item, cc_box *box);

/// Reads the form of a coded image in its configuration.
cc_status cc_heif_read_form(
    const cc_meta *meta, const cc_item *item, unsigned *bits, cc_heif_chroma *chroma, cc_message *message);

/// Fails if a coded image is far larger than its description says: a few bytes can ask a decoder for
/// gigabytes. `points` becomes what the image says of its samples, if it says anything.
///
/// `data` is what the item holds.
cc_status cc_heif_inspect(
    const cc_box *configuration, cc_cursor data, uint32_t width, uint32_t height, cc_heif_code_points *points,
    cc_message *message);

#endif
