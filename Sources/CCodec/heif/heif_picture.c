#include "heif_picture.h"

#include <stdlib.h>
#include <string.h>

#include "heif_bitstream.h"
#include "heif_turn.h"
#include "../message.h"

enum {
    HVC1 = 0x68766331,
    AV01 = 0x61763031,
    GRID = 0x67726964,
    IDEN = 0x6964656E,
    IOVL = 0x696F766C,
    TMAP = 0x746D6170,
    EXIF = 0x45786966,
    DIMG = 0x64696D67,
    AUXL = 0x6175786C,
    THMB = 0x74686D62,
    CDSC = 0x63647363,
    PREM = 0x7072656D,
    // A picture may stand for another one, which may do so again.
    DEEPEST = 4,
    // Of a grid; its sides have 256 at most.
    MOST_TILES = 1 << 16,
    // Comparisons of tiles with what refers to them.
    MOST_COMPARISONS = 1 << 24,
};

// References

/// The item that the first reference of a type leads to from an item; NULL if there is none.
static const cc_item *referred(const cc_meta *meta, uint32_t type, uint32_t from) {
    for (size_t i = 0; i < meta->reference_count; i++) {
        const cc_reference *reference = &meta->references[i];
        if (reference->type == type && reference->from == from) { return cc_meta_item(meta, reference->to); }
    }
    return NULL;
}

static bool refers(const cc_meta *meta, uint32_t type, uint32_t from, uint32_t to) {
    for (size_t i = 0; i < meta->reference_count; i++) {
        const cc_reference *reference = &meta->references[i];
        if (reference->type == type && reference->from == from && reference->to == to) { return true; }
    }
    return false;
}

// A coded image

/// The size of a coded image. Without one, the size that is there already stays.
static cc_status size_of(
    const cc_meta *meta, const cc_item *item, uint32_t *width, uint32_t *height, cc_message *message) {
    cc_cursor content;
    if (!cc_meta_property(meta, item, CC_FOURCC('i', 's', 'p', 'e'), &content)) {
        return *width > 0 ? CC_OK : cc_fail(message, CC_DAMAGED, "an image has no size");
    }
    cc_cursor_full_box(&content);
    *width = (uint32_t)cc_cursor_number(&content, 4);
    *height = (uint32_t)cc_cursor_number(&content, 4);
    if (content.is_short || *width == 0 || *height == 0 || (*width | *height) > INT32_MAX) {
        return cc_fail(message, CC_DAMAGED, "its size is %u x %u", *width, *height);
    }
    return CC_OK;
}

static cc_status refuse_type(uint32_t type, cc_message *message) {
    if (type == IOVL) {
        return cc_fail(message, CC_UNSUPPORTED, "it is several images laid over each other");
    }
    char name[5] = {0};
    for (int i = 0; i < 4; i++) {
        const char letter = (char)(type >> (24 - 8 * i));
        name[i] = letter > ' ' && letter <= '~' ? letter : '?';
    }
    return cc_fail(message, CC_UNSUPPORTED, "its image is coded as '%s', not as HEVC or AV1", name);
}

static cc_status use_tile(
    const cc_meta *meta, const cc_item *tile, cc_heif_layer *layer, cc_message *message) {
    layer->codec = tile->type;
    if (layer->codec != HVC1 && layer->codec != AV01) { return refuse_type(tile->type, message); }
    const cc_status status = size_of(meta, tile, &layer->tile_width, &layer->tile_height, message);
    return status == CC_OK ? cc_heif_read_form(meta, tile, &layer->bits, &layer->chroma, message) : status;
}

/// A layer of one tile.
static cc_status use_single(
    const cc_meta *meta, const cc_item *item, cc_heif_layer *layer, cc_message *message) {
    layer->columns = layer->rows = 1;
    layer->tiles = malloc(sizeof *layer->tiles);
    if (layer->tiles == NULL) { return cc_fail_memory(message); }
    layer->tiles[0] = item;
    const cc_status status = use_tile(meta, item, layer, message);
    layer->width = layer->tile_width;
    layer->height = layer->tile_height;
    return status;
}

// A grid

/// Columns, rows, width and height.
static cc_status read_grid(
    const cc_heif_file *file, const cc_item *item, cc_heif_layer *layer, cc_message *message) {
    uint8_t bytes[12];
    uint64_t size;
    cc_status status = cc_heif_item_size(file, item, &size, message);
    if (status == CC_OK && (size < 8 || size > sizeof bytes)) {
        status = cc_fail(message, CC_DAMAGED, "its grid of tiles is damaged");
    }
    if (status == CC_OK) { status = cc_heif_read_item(file, item, bytes, message); }
    if (status != CC_OK) { return status; }
    cc_cursor cursor = {bytes, bytes + size, false};
    const bool is_wide = cc_cursor_number(&cursor, 2) & 1;
    layer->rows = (uint32_t)cc_cursor_number(&cursor, 1) + 1;
    layer->columns = (uint32_t)cc_cursor_number(&cursor, 1) + 1;
    layer->width = (uint32_t)cc_cursor_number(&cursor, is_wide ? 4 : 2);
    layer->height = (uint32_t)cc_cursor_number(&cursor, is_wide ? 4 : 2);
    return cursor.is_short ? cc_fail(message, CC_DAMAGED, "its grid of tiles is damaged") : CC_OK;
}

static cc_status list_tiles(
    const cc_meta *meta, const cc_item *grid, cc_heif_layer *layer, cc_message *message) {
    const size_t expected = (size_t)layer->columns * layer->rows;
    layer->tiles = calloc(expected, sizeof *layer->tiles);
    if (layer->tiles == NULL) { return cc_fail_memory(message); }
    size_t count = 0;
    for (size_t i = 0; i < meta->reference_count; i++) {
        const cc_reference *reference = &meta->references[i];
        if (reference->type != DIMG || reference->from != grid->id) { continue; }
        if (count < expected) { layer->tiles[count] = cc_meta_item(meta, reference->to); }
        if (count < expected && layer->tiles[count] == NULL) { break; }
        count++;
    }
    if (count == expected) { return CC_OK; }
    return cc_fail(message, CC_DAMAGED, "it has %zu tiles of %zu", count, expected);
}

/// Whether two tiles have one form.
static bool are_alike(const cc_heif_layer *a, const cc_heif_layer *b) {
    return a->codec == b->codec && a->tile_width == b->tile_width && a->tile_height == b->tile_height
        && a->bits == b->bits && a->chroma == b->chroma;
}

static cc_status check_tiles(const cc_meta *meta, cc_heif_layer *layer, cc_message *message) {
    cc_status status = use_tile(meta, layer->tiles[0], layer, message);
    for (size_t i = 1; i < (size_t)layer->columns * layer->rows && status == CC_OK; i++) {
        if (layer->tiles[i] == layer->tiles[0]) { continue; }
        cc_heif_layer other = {0};
        status = use_tile(meta, layer->tiles[i], &other, message);
        if (status == CC_OK && !are_alike(layer, &other)) {
            status = cc_fail(message, CC_UNSUPPORTED, "its tiles differ in size or form");
        }
    }
    return status;
}

/// Whether tiles begin where a whole sample of chroma does.
static bool is_aligned(const cc_heif_layer *layer) {
    const bool halves_columns = layer->chroma == CC_HEIF_420 || layer->chroma == CC_HEIF_422;
    return !(halves_columns && layer->columns > 1 && layer->tile_width % 2 != 0)
        && !(layer->chroma == CC_HEIF_420 && layer->rows > 1 && layer->tile_height % 2 != 0);
}

static cc_status use_grid(
    const cc_heif_file *file, const cc_item *item, cc_heif_layer *layer, cc_message *message) {
    const cc_meta *meta = &file->meta;
    cc_status status = read_grid(file, item, layer, message);
    if (status == CC_OK) { status = list_tiles(meta, item, layer, message); }
    if (status == CC_OK) { status = check_tiles(meta, layer, message); }
    if (status != CC_OK) { return status; }
    const bool covers = (uint64_t)layer->columns * layer->tile_width >= layer->width
        && (uint64_t)layer->rows * layer->tile_height >= layer->height;
    if (!covers || layer->width == 0 || layer->height == 0 || (layer->width | layer->height) > INT32_MAX) {
        return cc_fail(
            message, CC_DAMAGED, "its size is %u x %u, and its tiles cover less", layer->width,
            layer->height);
    }
    return is_aligned(layer) ? CC_OK : cc_fail(message, CC_UNSUPPORTED, "its tiles have odd sizes");
}

// The picture

/// Follows an item to the coded images that it stands for, and applies what cuts and turns them.
static cc_status follow(
    const cc_heif_file *file, const cc_item *item, unsigned depth, cc_heif_layer *layer, cc_heif_turn *turn,
    cc_message *message) {
    const cc_meta *meta = &file->meta;
    cc_status status;
    if (item->type == IDEN) {
        const cc_item *base = referred(meta, DIMG, item->id);
        if (base == NULL || depth == DEEPEST) {
            return cc_fail(message, CC_DAMAGED, "its image stands for none");
        }
        status = follow(file, base, depth + 1, layer, turn, message);
    } else {
        status = item->type == GRID ? use_grid(file, item, layer, message)
                                    : use_single(meta, item, layer, message);
        *turn = cc_heif_no_turn(layer->width, layer->height);
    }
    return status == CC_OK ? cc_heif_apply_turns(meta, item, turn, message) : status;
}

/// The item at the end of a chain of items that stand for others.
static const cc_item *base_of(const cc_meta *meta, const cc_item *item) {
    for (unsigned depth = 0; depth < DEEPEST && item->type == IDEN; depth++) {
        const cc_item *base = referred(meta, DIMG, item->id);
        if (base == NULL) { break; }
        item = base;
    }
    return item;
}

// Transparency

static bool has_aux_type(const cc_meta *meta, const cc_item *item, const char *const *names, size_t count) {
    cc_cursor content;
    if (item == NULL || !cc_meta_property(meta, item, CC_FOURCC('a', 'u', 'x', 'C'), &content)) {
        return false;
    }
    cc_cursor_full_box(&content);
    for (size_t i = 0; i < count; i++) {
        const size_t size = strlen(names[i]) + 1;
        if (cc_cursor_left(&content) >= size && memcmp(content.next, names[i], size) == 0) { return true; }
    }
    return false;
}

static bool is_alpha(const cc_meta *meta, const cc_item *item) {
    static const char *const names[] = {
        "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha", "urn:mpeg:hevc:2015:auxid:1",
        "urn:mpeg:avc:2015:auxid:1"};
    return has_aux_type(meta, item, names, sizeof names / sizeof names[0]);
}

static bool is_gain_map(const cc_meta *meta, const cc_item *item) {
    static const char *const names[] = {"urn:com:apple:photo:2020:aux:hdrgainmap"};
    return has_aux_type(meta, item, names, 1);
}

/// The first item that a test likes among those that stand beside an image; NULL if there is none.
static const cc_item *beside(
    const cc_meta *meta, uint32_t id, bool (*fits)(const cc_meta *, const cc_item *)) {
    for (size_t i = 0; i < meta->reference_count; i++) {
        const cc_reference *reference = &meta->references[i];
        if (reference->type != AUXL || reference->to != id) { continue; }
        const cc_item *item = cc_meta_item(meta, reference->from);
        if (fits(meta, item)) { return item; }
    }
    return NULL;
}

/// The transparency of each tile, if they have it one by one.
static cc_status find_alpha_tiles(const cc_meta *meta, cc_heif_picture *picture, cc_message *message) {
    const cc_heif_layer *color = &picture->color;
    cc_heif_layer *alpha = &picture->alpha;
    const size_t count = (size_t)color->columns * color->rows;
    *alpha = *color;
    alpha->tiles = calloc(count, sizeof *alpha->tiles);
    if (alpha->tiles == NULL) { return cc_fail_memory(message); }
    if (count * meta->reference_count > MOST_COMPARISONS) {
        return cc_fail(message, CC_UNSUPPORTED, "its tiles are transparent one by one, and too many");
    }
    for (size_t i = 0; i < count; i++) {
        alpha->tiles[i] = beside(meta, color->tiles[i]->id, is_alpha);
        if (alpha->tiles[i] == NULL) {
            return cc_fail(message, CC_UNSUPPORTED, "some of its tiles are transparent, and some are not");
        }
    }
    return check_tiles(meta, alpha, message);
}

static cc_status find_alpha(
    const cc_heif_file *file, const cc_item *primary, const cc_item *base, cc_heif_picture *picture,
    cc_message *message) {
    const cc_meta *meta = &file->meta;
    const cc_item *item = beside(meta, primary->id, is_alpha);
    if (item == NULL) { item = beside(meta, base->id, is_alpha); }
    const cc_item *first = picture->color.tiles[0];
    cc_status status = CC_OK;
    if (item != NULL) {
        // Some writers leave out its size.
        picture->alpha.tile_width = picture->color.tile_width;
        picture->alpha.tile_height = picture->color.tile_height;
        // It is cut and turned as the picture is, whatever it says itself.
        cc_heif_turn turn;
        status = follow(file, base_of(meta, item), 0, &picture->alpha, &turn, message);
        picture->is_premultiplied = refers(meta, PREM, primary->id, item->id);
    } else if (first != base && beside(meta, first->id, is_alpha) != NULL) {
        status = find_alpha_tiles(meta, picture, message);
    }
    const cc_heif_layer *color = &picture->color, *alpha = &picture->alpha;
    if (status != CC_OK || alpha->tiles == NULL) { return status; }
    if (alpha->width != color->width || alpha->height != color->height) {
        return cc_fail(message, CC_UNSUPPORTED, "its transparency has another size than its colours");
    }
    return CC_OK;
}

// Colours and metadata

static void use_color(cc_cursor content, cc_heif_picture *picture) {
    switch (cc_cursor_number(&content, 4)) {
    case CC_FOURCC('p', 'r', 'o', 'f'):
    case CC_FOURCC('r', 'I', 'C', 'C'):
        if (picture->profile.next == NULL) { picture->profile = content; }
        return;
    case CC_FOURCC('n', 'c', 'l', 'x'): break;
    default: return;
    }
    if (picture->has_code_points) { return; }
    picture->code_points.primaries = (unsigned)cc_cursor_number(&content, 2);
    picture->code_points.transfer = (unsigned)cc_cursor_number(&content, 2);
    picture->code_points.matrix = (unsigned)cc_cursor_number(&content, 2);
    picture->code_points.has_full_range = cc_cursor_number(&content, 1) >> 7;
    picture->has_code_points = !content.is_short;
}

static void find_colors(const cc_meta *meta, const cc_item *item, cc_heif_picture *picture) {
    for (size_t i = 0; i < item->links; i++) {
        const cc_box *property = &meta->properties[meta->links[item->first_link + i]];
        if (property->type == CC_FOURCC('c', 'o', 'l', 'r')) { use_color(property->content, picture); }
    }
}

static const cc_item *exif_of(const cc_meta *meta, const cc_item *image) {
    for (size_t i = 0; i < meta->reference_count; i++) {
        const cc_reference *reference = &meta->references[i];
        if (reference->type != CDSC || reference->to != image->id) { continue; }
        const cc_item *item = cc_meta_item(meta, reference->from);
        if (item != NULL && item->type == EXIF) { return item; }
    }
    return NULL;
}

// Other images

static bool is_image(uint32_t type) {
    static const uint32_t types[] = {
        HVC1,
        AV01,
        GRID,
        IDEN,
        IOVL,
        CC_FOURCC('h', 'e', 'v', '1'),
        CC_FOURCC('a', 'v', 'c', '1'),
        CC_FOURCC('j', 'p', 'e', 'g'),
        CC_FOURCC('j', '2', 'k', '1'),
        CC_FOURCC('v', 'v', 'c', '1'),
        CC_FOURCC('u', 'n', 'c', 'i')};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        if (types[i] == type) { return true; }
    }
    return false;
}

/// Counts what is an image in its own right, and no thumbnail, mask or part of another.
static cc_status count_images(const cc_meta *meta, cc_heif_picture *picture, cc_message *message) {
    bool *is_part = calloc(meta->item_count, sizeof *is_part);
    if (is_part == NULL) { return cc_fail_memory(message); }
    for (size_t i = 0; i < meta->reference_count; i++) {
        const cc_reference *reference = &meta->references[i];
        const bool is_first = reference->type == THMB || reference->type == AUXL;
        const cc_item *part = is_first || reference->type == DIMG
            ? cc_meta_item(meta, is_first ? reference->from : reference->to)
            : NULL;
        if (part != NULL && part->id != meta->primary) { is_part[part - meta->items] = true; }
    }
    for (size_t i = 0; i < meta->item_count; i++) {
        const cc_item *item = &meta->items[i];
        picture->images += is_image(item->type) && !item->is_hidden && !is_part[i];
    }
    free(is_part);
    return CC_OK;
}

static bool has_gain_map(const cc_meta *meta, const cc_item *primary) {
    if (beside(meta, primary->id, is_gain_map) != NULL) { return true; }
    for (size_t i = 0; i < meta->item_count; i++) {
        const cc_item *item = &meta->items[i];
        if (item->type == TMAP && referred(meta, DIMG, item->id) == primary) { return true; }
    }
    return false;
}

cc_status cc_heif_compose(
    const cc_heif_file *file, const cc_item *primary, cc_heif_picture *picture, cc_message *message) {
    const cc_meta *meta = &file->meta;
    cc_status status = follow(file, primary, 0, &picture->color, &picture->turn, message);
    if (status != CC_OK) { return status; }
    const cc_item *base = base_of(meta, primary);
    status = find_alpha(file, primary, base, picture, message);
    if (status != CC_OK) { return status; }
    find_colors(meta, primary, picture);
    find_colors(meta, base, picture);
    find_colors(meta, picture->color.tiles[0], picture);
    picture->exif = exif_of(meta, primary);
    if (picture->exif == NULL) { picture->exif = exif_of(meta, base); }
    picture->has_gain_map = has_gain_map(meta, primary);
    return count_images(meta, picture, message);
}

void cc_heif_release_picture(cc_heif_picture *picture) {
    free(picture->color.tiles);
    free(picture->alpha.tiles);
    picture->color.tiles = picture->alpha.tiles = NULL;
}
