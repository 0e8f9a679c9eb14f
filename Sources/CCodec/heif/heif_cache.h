// The samples of a layer, decoded as they are asked for.

#ifndef TILEWRIGHT_HEIF_CACHE_H
#define TILEWRIGHT_HEIF_CACHE_H

#include "heif_picture.h"

enum {
    /// Tiles that are decoded at the same time, by a thread each.
    CC_HEIF_THREADS = 4,
    /// Lines of tiles that are kept: the one that is read, and those beside it, for chroma between two tiles.
    CC_HEIF_LINES = 3,
};

typedef struct cc_heif_cache {
    const cc_heif_file *file;
    const cc_heif_layer *layer;
    bool is_luma_alone;
    /// Whether the layer is read column by column.
    bool is_by_columns;
    /// The samples of each tile, or NULL.
    uint8_t **tiles;
    /// The tiles that are there, the oldest at `oldest`.
    uint32_t *queue;
    uint32_t capacity, oldest, count;
} cc_heif_cache;

/// Prepares a layer. On failure, too, cc_heif_cache_free is to be called.
cc_status cc_heif_cache_init(
    cc_heif_cache *cache, const cc_heif_file *file, const cc_heif_layer *layer, bool is_luma_alone,
    bool is_by_columns, cc_message *message);

void cc_heif_cache_free(cc_heif_cache *cache);

/// Memory that the cache takes at most, with that of decoding.
uint64_t cc_heif_cache_bytes(const cc_heif_layer *layer, bool is_luma_alone, bool is_by_columns);

/// Width and height of a plane: 0 is luma, 1 and 2 are chroma.
uint32_t cc_heif_plane_width(const cc_heif_layer *layer, unsigned plane);
uint32_t cc_heif_plane_height(const cc_heif_layer *layer, unsigned plane);

/// Writes adjacent samples of a row of a plane, which lie within it.
cc_status cc_heif_cache_read(
    cc_heif_cache *cache, unsigned plane, uint32_t column, uint32_t row, uint32_t count, int32_t *samples,
    cc_message *message);

#endif
