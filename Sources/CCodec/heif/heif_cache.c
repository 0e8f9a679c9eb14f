#include "heif_cache.h"

#include <pthread.h>
#include <stdlib.h>

#include "heif_tile.h"
#include "../message.h"

static uint32_t least(uint64_t a, uint64_t b) { return (uint32_t)(a < b ? a : b); }

static bool halves_columns(const cc_heif_layer *layer, unsigned plane) {
    return plane > 0 && (layer->chroma == CC_HEIF_420 || layer->chroma == CC_HEIF_422);
}

static bool halves_rows(const cc_heif_layer *layer, unsigned plane) {
    return plane > 0 && layer->chroma == CC_HEIF_420;
}

static uint32_t halved(uint32_t edge, bool is_halved) { return is_halved ? (edge + 1) / 2 : edge; }

uint32_t cc_heif_plane_width(const cc_heif_layer *layer, unsigned plane) {
    return halved(layer->width, halves_columns(layer, plane));
}

uint32_t cc_heif_plane_height(const cc_heif_layer *layer, unsigned plane) {
    return halved(layer->height, halves_rows(layer, plane));
}

// Memory

static uint64_t tile_count(const cc_heif_layer *layer) { return (uint64_t)layer->columns * layer->rows; }

static uint32_t capacity_of(const cc_heif_layer *layer, bool is_by_columns) {
    const uint32_t line = is_by_columns ? layer->rows : layer->columns;
    return least(CC_HEIF_LINES * line + CC_HEIF_THREADS, tile_count(layer));
}

cc_status cc_heif_cache_init(
    cc_heif_cache *cache, const cc_heif_file *file, const cc_heif_layer *layer, bool is_luma_alone,
    bool is_by_columns, cc_message *message) {
    *cache = (cc_heif_cache){
        .file = file,
        .layer = layer,
        .is_luma_alone = is_luma_alone,
        .is_by_columns = is_by_columns,
        .capacity = capacity_of(layer, is_by_columns),
    };
    cache->tiles = calloc((size_t)tile_count(layer), sizeof *cache->tiles);
    cache->queue = calloc(cache->capacity, sizeof *cache->queue);
    return cache->tiles != NULL && cache->queue != NULL ? CC_OK : cc_fail_memory(message);
}

void cc_heif_cache_free(cc_heif_cache *cache) {
    for (uint64_t i = 0; cache->tiles != NULL && i < tile_count(cache->layer); i++) { free(cache->tiles[i]); }
    free(cache->tiles);
    free(cache->queue);
    *cache = (cc_heif_cache){0};
}

uint64_t cc_heif_cache_bytes(const cc_heif_layer *layer, bool is_luma_alone, bool is_by_columns) {
    const uint64_t pixels = (uint64_t)layer->tile_width * layer->tile_height;
    const uint64_t kept = capacity_of(layer, is_by_columns) * cc_heif_tile_bytes(layer, is_luma_alone);
    const uint64_t decoded = least(CC_HEIF_THREADS, tile_count(layer)) * pixels * (layer->bits > 8 ? 2 : 1);
    // A decoder has its frame and its notes on blocks; libheif has its copy, and the copy that it makes of
    // that: 3 bytes a pixel each at most.
    return kept + 10 * decoded;
}

// Decoding

/// Puts the samples of a tile into the cache; the oldest one goes if there is no room.
static void keep(cc_heif_cache *cache, uint32_t index, uint8_t *samples) {
    if (cache->count == cache->capacity) {
        const uint32_t oldest = cache->queue[cache->oldest];
        free(cache->tiles[oldest]);
        cache->tiles[oldest] = NULL;
        cache->oldest = (cache->oldest + 1) % cache->capacity;
        cache->count--;
    }
    cache->queue[(cache->oldest + cache->count++) % cache->capacity] = index;
    cache->tiles[index] = samples;
}

static void *decode_in_thread(void *job) {
    cc_heif_decode(job);
    return NULL;
}

/// Decodes jobs, each in a thread if the system grants one.
static void decode_all(cc_heif_job *jobs, unsigned count) {
    pthread_t threads[CC_HEIF_THREADS];
    bool has_thread[CC_HEIF_THREADS] = {false};
    for (unsigned i = 1; i < count; i++) {
        has_thread[i] = pthread_create(&threads[i], NULL, decode_in_thread, &jobs[i]) == 0;
    }
    for (unsigned i = 0; i < count; i++) {
        if (!has_thread[i]) { cc_heif_decode(&jobs[i]); }
    }
    for (unsigned i = 1; i < count; i++) {
        if (has_thread[i]) { pthread_join(threads[i], NULL); }
    }
}

/// Lists a tile that is missing, and those behind it in its line.
static unsigned list_missing(const cc_heif_cache *cache, uint32_t index, uint32_t indices[CC_HEIF_THREADS]) {
    const cc_heif_layer *layer = cache->layer;
    const uint32_t step = cache->is_by_columns ? layer->columns : 1;
    const uint32_t left =
        cache->is_by_columns ? layer->rows - index / layer->columns : layer->columns - index % layer->columns;
    unsigned count = 0;
    for (uint32_t i = 0; i < least(left, CC_HEIF_THREADS); i++) {
        if (cache->tiles[index + i * step] == NULL) { indices[count++] = index + i * step; }
    }
    return count;
}

static cc_status decode(cc_heif_cache *cache, uint32_t index, cc_message *message) {
    uint32_t indices[CC_HEIF_THREADS];
    cc_heif_job jobs[CC_HEIF_THREADS] = {0};
    const unsigned count = list_missing(cache, index, indices);
    unsigned prepared = 0;
    cc_status status = CC_OK;
    while (prepared < count && status == CC_OK) {
        cc_heif_job *job = &jobs[prepared];
        job->is_luma_alone = cache->is_luma_alone;
        status =
            cc_heif_prepare(cache->file, cache->layer, cache->layer->tiles[indices[prepared]], job, message);
        prepared += status == CC_OK;
    }
    decode_all(jobs, prepared);
    for (unsigned i = 0; i < prepared; i++) {
        if (jobs[i].status == CC_OK) {
            keep(cache, indices[i], jobs[i].samples);
        } else if (status == CC_OK) {
            *message = jobs[i].message;
            status = jobs[i].status;
        }
    }
    // What comes later will be reported when it is needed.
    return cache->tiles[index] != NULL ? CC_OK : status;
}

// Samples

/// Writes samples of a tile's plane that lie in one row.
static void copy(
    const cc_heif_cache *cache, const uint8_t *tile, unsigned plane, uint32_t column, uint32_t row,
    uint32_t count, int32_t *result) {
    const cc_heif_layer *layer = cache->layer;
    const size_t width = halved(layer->tile_width, halves_columns(layer, plane));
    const size_t height = halved(layer->tile_height, halves_rows(layer, plane));
    const size_t luma = plane > 0 ? (size_t)layer->tile_width * layer->tile_height : 0;
    const size_t first = luma + (plane == 2 ? width * height : 0) + row * width + column;
    if (layer->bits > 8) {
        const uint16_t *samples = (const uint16_t *)(const void *)tile + first;
        for (uint32_t i = 0; i < count; i++) { result[i] = samples[i]; }
    } else {
        for (uint32_t i = 0; i < count; i++) { result[i] = tile[first + i]; }
    }
}

cc_status cc_heif_cache_read(
    cc_heif_cache *cache, unsigned plane, uint32_t column, uint32_t row, uint32_t count, int32_t *samples,
    cc_message *message) {
    const cc_heif_layer *layer = cache->layer;
    const uint32_t width = halved(layer->tile_width, halves_columns(layer, plane));
    const uint32_t height = halved(layer->tile_height, halves_rows(layer, plane));
    for (uint32_t done = 0; done < count;) {
        const uint32_t from = column + done, index = row / height * layer->columns + from / width;
        if (cache->tiles[index] == NULL) {
            const cc_status status = decode(cache, index, message);
            if (status != CC_OK) { return status; }
        }
        const uint32_t part = least(width - from % width, count - done);
        copy(cache, cache->tiles[index], plane, from % width, row % height, part, samples + done);
        done += part;
    }
    return CC_OK;
}
