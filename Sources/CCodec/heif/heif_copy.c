#include "heif.h"

#include <stdlib.h>
#include <string.h>

// A growing file in memory.
typedef struct writer {
    uint8_t *bytes;
    size_t size, capacity;
    bool has_failed;
} writer;

static void put_bytes(writer *file, const uint8_t *bytes, size_t size) {
    if (size > file->capacity - file->size && !file->has_failed) {
        const size_t capacity = file->capacity + file->capacity / 4 + size;
        uint8_t *longer = realloc(file->bytes, capacity);
        file->has_failed = longer == NULL;
        if (longer != NULL) { file->bytes = longer, file->capacity = capacity; }
    }
    if (file->has_failed || size == 0) { return; }
    memcpy(file->bytes + file->size, bytes, size);
    file->size += size;
}

/// Writes a number, most significant byte first.
static void put(writer *file, uint64_t number, unsigned bytes) {
    uint8_t letters[8];
    for (unsigned i = 0; i < bytes; i++) { letters[i] = (uint8_t)(number >> (8 * (bytes - 1 - i))); }
    put_bytes(file, letters, bytes);
}

/// Begins a box; returns its position.
static size_t begin(writer *file, const char type[4]) {
    put(file, 0, 4);
    put_bytes(file, (const uint8_t *)type, 4);
    return file->size - 8;
}

static size_t begin_full(writer *file, const char type[4], unsigned version, unsigned flags) {
    const size_t start = begin(file, type);
    put(file, version << 24 | flags, 4);
    return start;
}

static void end(writer *file, size_t start) {
    if (file->has_failed) { return; }
    const size_t size = file->size - start;
    for (unsigned i = 0; i < 4; i++) { file->bytes[start + i] = (uint8_t)(size >> (24 - 8 * i)); }
}

/// Writes a box with some content.
static void put_box(writer *file, const char type[4], const void *content, size_t size) {
    const size_t start = begin(file, type);
    put_bytes(file, content, size);
    end(file, start);
}

/// The next used item; NULL after the last. Initialize `place` with 0.
static const cc_item *next_used(const cc_heif_file *file, size_t *place) {
    while (*place < file->item_count) {
        const cc_item *item = &file->items[(*place)++];
        if (item->use != CC_UNUSED) { return item; }
    }
    return NULL;
}

static size_t count_used(const cc_heif_file *file) {
    size_t count = 0;
    for (size_t i = 0; next_used(file, &i) != NULL;) { count++; }
    return count;
}

static void put_data(writer *copy, const cc_heif_file *file) {
    const cc_item *item;
    const size_t box = begin(copy, "mdat");
    for (size_t i = 0; (item = next_used(file, &i)) != NULL;) {
        put_bytes(copy, item->data.next, cc_cursor_left(&item->data));
    }
    end(copy, box);
}

static void put_items(writer *copy, const cc_heif_file *file, const cc_item *primary) {
    const cc_item *item;
    put_box(copy, "hdlr", "\0\0\0\0\0\0\0\0pict\0\0\0\0\0\0\0\0\0\0\0\0", 25);
    size_t box = begin_full(copy, "pitm", 1, 0);
    put(copy, primary->id, 4);
    end(copy, box);
    box = begin_full(copy, "iinf", 1, 0);
    put(copy, count_used(file), 4);
    for (size_t i = 0; (item = next_used(file, &i)) != NULL;) {
        const size_t entry = begin_full(copy, "infe", 3, 0);
        put(copy, item->id, 4);
        put(copy, 0, 2);
        put(copy, item->type, 4);
        put(copy, 0, 1);
        end(copy, entry);
    }
    end(copy, box);
}

static void put_locations(writer *copy, const cc_heif_file *file, size_t offset) {
    const cc_item *item;
    const size_t box = begin_full(copy, "iloc", 2, 0);
    put(copy, 0x4400, 2);
    put(copy, count_used(file), 4);
    for (size_t i = 0; (item = next_used(file, &i)) != NULL;) {
        const size_t size = cc_cursor_left(&item->data);
        put(copy, item->id, 4);
        put(copy, 0, 4);
        put(copy, 1, 2);
        put(copy, offset, 4);
        put(copy, size, 4);
        offset += size;
    }
    end(copy, box);
}

static void put_colors(writer *copy, unsigned matrix) {
    const size_t box = begin(copy, "colr");
    put_bytes(copy, (const uint8_t *)"nclx\0\1\0\15", 8);
    put(copy, matrix, 2);
    put(copy, 0x80, 1);
    end(copy, box);
}

/// Writes three properties: 1, the colours; 2, the mark of a transparency image; 3, the transparency's own
/// colours. Then writes sizes and configurations.
///
/// For a grid's transparency, libheif converts gray to RGB and uses the red: with BT.601, red is luma.
static void put_property_list(writer *copy, const cc_heif_file *file, unsigned matrix) {
    const cc_item *item;
    const size_t list = begin(copy, "ipco");
    put_colors(copy, matrix);
    static const char alpha[] = "\0\0\0\0urn:mpeg:mpegB:cicp:systems:auxiliary:alpha";
    put_box(copy, "auxC", alpha, sizeof alpha);
    put_colors(copy, CC_HEIF_BT601);
    for (size_t i = 0; (item = next_used(file, &i)) != NULL;) {
        const size_t box = begin_full(copy, "ispe", 0, 0);
        put(copy, item->width, 4);
        put(copy, item->height, 4);
        end(copy, box);
        if (item->type == CC_GRID) { continue; }
        const cc_cursor configuration = cc_heif_configuration(file, item)->content;
        put_box(
            copy, item->type == CC_AV01 ? "av1C" : "hvcC", configuration.next,
            cc_cursor_left(&configuration));
    }
    end(copy, list);
}

static void put_properties(writer *copy, const cc_heif_file *file, unsigned matrix) {
    enum { COLORS = 1, TRANSPARENCY, COLORS_OF_TRANSPARENCY, ESSENTIAL = 0x8000 };
    const cc_item *item;
    const size_t box = begin(copy, "iprp");
    put_property_list(copy, file, matrix);
    const size_t links = begin_full(copy, "ipma", 1, 1);
    put(copy, count_used(file), 4);
    unsigned next = COLORS_OF_TRANSPARENCY + 1;
    for (size_t i = 0; (item = next_used(file, &i)) != NULL;) {
        const bool is_coded = item->type != CC_GRID, is_alpha = item->use == CC_ALPHA;
        put(copy, item->id, 4);
        put(copy, 2u + is_coded + is_alpha, 1);
        put(copy, next++, 2);
        if (is_coded) { put(copy, ESSENTIAL | next++, 2); }
        if (is_alpha) { put(copy, TRANSPARENCY, 2); }
        put(copy, is_alpha ? COLORS_OF_TRANSPARENCY : COLORS, 2);
    }
    end(copy, links);
    end(copy, box);
}

static void put_reference(writer *copy, const char type[4], uint32_t from, uint32_t to) {
    const size_t box = begin(copy, type);
    put(copy, from, 4);
    put(copy, 1, 2);
    put(copy, to, 4);
    end(copy, box);
}

/// Writes the tiles of a grid.
static void put_tiles(writer *copy, const cc_heif_file *file, const cc_item *grid) {
    uint64_t count = 0;
    for (size_t i = 0; i < file->reference_count; i++) {
        count += file->references[i].type == CC_DIMG && file->references[i].from == grid->id;
    }
    const size_t box = begin(copy, "dimg");
    put(copy, grid->id, 4);
    put(copy, count, 2);
    for (size_t i = 0; i < file->reference_count; i++) {
        const cc_reference *reference = &file->references[i];
        if (reference->type == CC_DIMG && reference->from == grid->id) { put(copy, reference->to, 4); }
    }
    end(copy, box);
}

static void put_references(writer *copy, const cc_heif_file *file, const cc_heif_picture *picture) {
    const cc_item *base = picture->base, *alpha = picture->alpha;
    const size_t box = begin_full(copy, "iref", 1, 0);
    if (base->type == CC_GRID) { put_tiles(copy, file, base); }
    if (alpha != NULL && alpha->type == CC_GRID) { put_tiles(copy, file, alpha); }
    if (alpha != NULL) { put_reference(copy, "auxl", alpha->id, base->id); }
    for (size_t i = 0; i < file->reference_count && picture->header.has_alpha && alpha == NULL; i++) {
        const cc_reference *reference = &file->references[i];
        const cc_item *from = cc_heif_item(file, reference->from), *to = cc_heif_item(file, reference->to);
        if (reference->type == CC_AUXL && from != NULL && to != NULL && from->use == CC_ALPHA
            && to->use == CC_COLOR) {
            put_reference(copy, "auxl", from->id, to->id);
        }
    }
    end(copy, box);
}

void cc_heif_copy(
    const cc_heif_file *file, const cc_heif_picture *picture, unsigned matrix, uint8_t **bytes,
    size_t *size) {
    enum { DESCRIPTION = 1 << 16 };
    const size_t capacity = (size_t)picture->data_size + DESCRIPTION;
    writer copy = {.bytes = malloc(capacity)};
    copy.capacity = copy.bytes != NULL ? capacity : 0;
    put_box(&copy, "ftyp", "heic\0\0\0\0mif1heicavif", 20);
    const size_t data = copy.size + 8;
    put_data(&copy, file);
    const size_t meta = begin_full(&copy, "meta", 0, 0);
    put_items(&copy, file, picture->base);
    put_locations(&copy, file, data);
    put_properties(&copy, file, matrix);
    put_references(&copy, file, picture);
    end(&copy, meta);
    if (copy.has_failed) { free(copy.bytes); }
    *bytes = copy.has_failed ? NULL : copy.bytes;
    *size = copy.size;
}
