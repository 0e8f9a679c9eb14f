// One coded image at a time through libheif.

#ifndef TILEWRIGHT_HEIF_TILE_H
#define TILEWRIGHT_HEIF_TILE_H

#include "heif_picture.h"

/// A coded image to decode, by itself, so that several threads can each have one.
typedef struct cc_heif_job {
    /// What was made of the image's data and configuration.
    uint8_t *file;
    size_t file_size;
    /// Of the data; all 0 if there are none.
    cc_heif_code_points points;
    uint32_t codec;
    uint32_t width, height;
    unsigned bits;
    cc_heif_chroma chroma;
    /// Whether chroma is not wanted, as of transparency.
    bool is_luma_alone;

    /// Samples of 8 bits, or of 16 if they have more: the planes one after the other, rows without gaps. To
    /// be freed by the caller.
    uint8_t *samples;
    cc_status status;
    cc_message message;
} cc_heif_job;

/// Whether libheif can be loaded, and has a decoder for the codec.
cc_status cc_heif_check_decoder(uint32_t codec, cc_heif_obstacle *obstacle, cc_message *message);

/// How many bytes the samples of a tile have.
uint64_t cc_heif_tile_bytes(const cc_heif_layer *layer, bool is_luma_alone);

/// Prepares a tile of a layer: reads its data, and the code points in them. `job->file` is to be freed by the
/// caller unless it is decoded.
cc_status cc_heif_prepare(
    const cc_heif_file *file, const cc_heif_layer *layer, const cc_item *tile, cc_heif_job *job,
    cc_message *message);

/// Decodes a tile that was prepared. The status and the message say how it ended.
void cc_heif_decode(cc_heif_job *job);

#endif
