#include "heif.h"

#include <stdlib.h>
#include <string.h>

enum {
    IDEN = CC_FOURCC('i', 'd', 'e', 'n'),
    // The maximum number of derivations in a row: an item may be derived from an item that is itself derived.
    DEEPEST = 4,
    // libheif always reads images whose sides are at most this long.
    LONGEST_SIDE = 32768,
    // The limit of coded pixels, as a multiple of the visible pixels; the number of pixels that is always
    // allowed; and the limit for all images. Coded images are larger because of blocks of 64 or 128 pixels
    // along the edges, or because the data also contain a finer layer of the image.
    MOST_TIMES = 4,
    ALWAYS = 1 << 20,
    MOST_PIXELS = 1 << 30,
    // The limit for all data. libheif has the same limit for one image.
    LARGEST_DATA = 512 << 20,
};

static bool is_coded(const cc_item *item) { return item->type == CC_HVC1 || item->type == CC_AV01; }

// References

/// The next reference of a type from an item; NULL after the last. Initialize `place` with 0.
static const cc_reference *next_from(
    const cc_heif_file *file, uint32_t type, const cc_item *item, size_t *place) {
    while (*place < file->reference_count) {
        const cc_reference *reference = &file->references[(*place)++];
        if (reference->type == type && reference->from == item->id) { return reference; }
    }
    return NULL;
}

/// The target of an item's first reference of a type, or NULL.
static cc_item *referred(const cc_heif_file *file, uint32_t type, const cc_item *item) {
    size_t place = 0;
    const cc_reference *reference = next_from(file, type, item, &place);
    return reference == NULL ? NULL : cc_heif_item(file, reference->to);
}

/// The first item that has a reference of a type to `other`, and passes the test `fits`, or NULL.
static cc_item *referring(
    const cc_heif_file *file, uint32_t type, const cc_item *other,
    bool (*fits)(const cc_heif_file *, const cc_item *)) {
    for (size_t i = 0; i < file->reference_count; i++) {
        const cc_reference *reference = &file->references[i];
        if (reference->type != type || reference->to != other->id) { continue; }
        cc_item *item = cc_heif_item(file, reference->from);
        if (item != NULL && fits(file, item)) { return item; }
    }
    return NULL;
}

static bool has_aux_type(const cc_heif_file *file, const cc_item *item, const char *name) {
    const cc_box *box = cc_heif_property(file, item, CC_FOURCC('a', 'u', 'x', 'C'));
    const size_t size = strlen(name) + 1;
    return box != NULL && cc_cursor_left(&box->content) >= 4 + size
        && memcmp(box->content.next + 4, name, size) == 0;
}

static bool is_alpha(const cc_heif_file *file, const cc_item *item) {
    return has_aux_type(file, item, "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha")
        || has_aux_type(file, item, "urn:mpeg:hevc:2015:auxid:1")
        || has_aux_type(file, item, "urn:mpeg:avc:2015:auxid:1");
}

static bool is_gain_map(const cc_heif_file *file, const cc_item *item) {
    return has_aux_type(file, item, "urn:com:apple:photo:2020:aux:hdrgainmap");
}

static bool is_exif(const cc_heif_file *file, const cc_item *item) {
    (void)file;
    return item->type == CC_FOURCC('E', 'x', 'i', 'f');
}

const cc_box *cc_heif_configuration(const cc_heif_file *file, const cc_item *item) {
    return cc_heif_property(
        file, item, item->type == CC_AV01 ? CC_FOURCC('a', 'v', '1', 'C') : CC_FOURCC('h', 'v', 'c', 'C'));
}

// Sizes

/// Reads columns and rows of tiles, width and height.
static cc_status read_grid(const cc_item *grid, uint32_t fields[4], cc_message *message) {
    if (grid->problem != NULL) { return cc_fail(message, CC_DAMAGED, "%s", grid->problem); }
    cc_cursor cursor = grid->data;
    const unsigned bytes = cc_cursor_number(&cursor, 2) & 1 ? 4 : 2;
    fields[1] = (uint32_t)cc_cursor_number(&cursor, 1) + 1;
    fields[0] = (uint32_t)cc_cursor_number(&cursor, 1) + 1;
    fields[2] = (uint32_t)cc_cursor_number(&cursor, bytes);
    fields[3] = (uint32_t)cc_cursor_number(&cursor, bytes);
    return cursor.is_short ? cc_fail(message, CC_DAMAGED, "its grid of tiles is damaged") : CC_OK;
}

/// Finds the width and height of an item. Some writers leave out the size of the transparency: then it is the
/// picture's size.
static cc_status find_size(
    const cc_heif_file *file, cc_item *item, const cc_heif_picture *picture, cc_message *message) {
    uint32_t fields[4] = {1, 1, picture->width, picture->height};
    const cc_box *box = cc_heif_property(file, item, CC_FOURCC('i', 's', 'p', 'e'));
    if (item->type == CC_GRID) {
        const cc_status status = read_grid(item, fields, message);
        if (status != CC_OK) { return status; }
    } else if (box != NULL) {
        cc_cursor content = box->content;
        cc_cursor_number(&content, 4);
        fields[2] = (uint32_t)cc_cursor_number(&content, 4);
        fields[3] = (uint32_t)cc_cursor_number(&content, 4);
    } else if (fields[2] == 0) {
        return cc_fail(message, CC_DAMAGED, "an image has no size");
    }
    item->width = fields[2], item->height = fields[3];
    if (item->width == 0 || item->height == 0) {
        return cc_fail(message, CC_DAMAGED, "its size is %u x %u", item->width, item->height);
    }
    if (item->width > LONGEST_SIDE || item->height > LONGEST_SIDE) {
        return cc_fail(
            message, CC_UNSUPPORTED, "it has %u x %u pixels, and libheif reads %d x %d at most", item->width,
            item->height, LONGEST_SIDE, LONGEST_SIDE);
    }
    return CC_OK;
}

// Used items

static cc_status refuse_type(uint32_t type, cc_message *message) {
    if (type == CC_FOURCC('i', 'o', 'v', 'l')) {
        return cc_fail(message, CC_UNSUPPORTED, "it is an overlay of several images");
    }
    char name[5] = {0};
    for (int i = 0; i < 4; i++) {
        const char letter = (char)(type >> (24 - 8 * i));
        name[i] = letter > ' ' && letter <= '~' ? letter : '?';
    }
    return cc_fail(message, CC_UNSUPPORTED, "its image is coded as '%s', not as HEVC or AV1", name);
}

/// Fails if a coded image is much larger than its description says: a few bytes could make a decoder allocate
/// gigabytes. Also fails if the image is smaller: libheif would leave parts of a grid uninitialized.
static cc_status check_size(const cc_item *item, const cc_heif_coded *coded, cc_message *message) {
    const uint64_t most = (uint64_t)item->width * item->height * MOST_TIMES + ALWAYS;
    if ((coded->width | coded->height) <= UINT32_MAX && coded->least_width >= item->width
        && coded->least_height >= item->height
        && coded->width * coded->height <= (most < MOST_PIXELS ? most : MOST_PIXELS)) {
        return CC_OK;
    }
    return cc_fail(
        message, CC_DAMAGED, "an image of %u x %u pixels is coded as %llu x %llu", item->width, item->height,
        (unsigned long long)coded->width, (unsigned long long)coded->height);
}

/// Marks a coded image as used, and checks its headers.
static cc_status use_coded(
    const cc_heif_file *file, cc_item *item, cc_item_use use, cc_heif_picture *picture, cc_heif_coded *coded,
    cc_message *message) {
    if (!is_coded(item)) { return refuse_type(item->type, message); }
    if (item->use != CC_UNUSED) { return cc_fail(message, CC_DAMAGED, "an image is its own transparency"); }
    const cc_box *configuration = cc_heif_configuration(file, item);
    if (configuration == NULL) {
        return cc_fail(message, CC_DAMAGED, "an image does not say how it is coded");
    }
    if (item->problem != NULL) { return cc_fail(message, CC_DAMAGED, "%s", item->problem); }
    cc_status status = find_size(file, item, picture, message);
    if (status == CC_OK) {
        status = cc_heif_inspect(item->type == CC_AV01, configuration->content, item->data, coded, message);
    }
    if (status == CC_OK) { status = check_size(item, coded, message); }
    if (status != CC_OK) { return status; }
    if (coded->width * coded->height > picture->largest) { picture->largest = coded->width * coded->height; }
    picture->data_size += cc_cursor_left(&item->data);
    item->use = use;
    return CC_OK;
}

/// Marks the tiles of a grid, which must all have the same size and form, and the tiles of its transparency.
static cc_status use_tiles(
    const cc_heif_file *file, const cc_item *grid, cc_item_use use, cc_heif_picture *picture,
    cc_heif_coded *coded, cc_message *message) {
    uint32_t fields[4], count = 0;
    cc_status status = read_grid(grid, fields, message);
    const cc_item *first = NULL;
    const cc_reference *reference;
    for (size_t i = 0; status == CC_OK && (reference = next_from(file, CC_DIMG, grid, &i)); count++) {
        cc_item *tile = cc_heif_item(file, reference->to);
        if (tile == NULL) { break; }
        if (first != NULL && is_coded(tile) && tile->use == use) { continue; }
        cc_heif_coded other;
        status = use_coded(file, tile, use, picture, &other, message);
        if (status == CC_OK && first == NULL) { first = tile, *coded = other; }
        if (status == CC_OK
            && (tile->width != first->width || tile->height != first->height || coded->bits != other.bits
                || coded->chroma != other.chroma)) {
            return cc_fail(message, CC_UNSUPPORTED, "its tiles differ in size or form");
        }
    }
    if (status != CC_OK) { return status; }
    if (count != fields[0] * fields[1]) {
        return cc_fail(message, CC_DAMAGED, "it has %u of %u tiles", count, fields[0] * fields[1]);
    }
    const uint64_t columns = (uint64_t)fields[0] * first->width, rows = (uint64_t)fields[1] * first->height;
    if (columns < fields[2] || rows < fields[3] || columns - first->width >= fields[2]
        || rows - first->height >= fields[3]) {
        return cc_fail(
            message, CC_DAMAGED, "its size is %u x %u, and its tiles cover %llu x %llu", fields[2], fields[3],
            (unsigned long long)columns, (unsigned long long)rows);
    }
    const bool is_halved = coded->chroma == CC_HEIF_420 || coded->chroma == CC_HEIF_422;
    if (is_halved
        && ((fields[0] > 1 && first->width % 2 != 0) || (fields[1] > 1 && first->height % 2 != 0))) {
        return cc_fail(message, CC_UNSUPPORTED, "its tiles have odd sizes");
    }
    return CC_OK;
}

static cc_status use_image(
    const cc_heif_file *file, cc_item *item, cc_item_use use, cc_heif_picture *picture, cc_heif_coded *coded,
    cc_message *message) {
    if (item->type != CC_GRID) { return use_coded(file, item, use, picture, coded, message); }
    if (item->use != CC_UNUSED) { return cc_fail(message, CC_DAMAGED, "an image is its own transparency"); }
    item->use = use;
    picture->data_size += cc_cursor_left(&item->data);
    const cc_status status = find_size(file, item, picture, message);
    return status == CC_OK ? use_tiles(file, item, use, picture, coded, message) : status;
}

// Transparency

static cc_status use_alpha_of_tiles(
    const cc_heif_file *file, cc_heif_picture *picture, cc_heif_coded *coded, cc_message *message) {
    cc_status status = CC_OK;
    for (size_t i = 0; i < file->reference_count && status == CC_OK; i++) {
        const cc_reference *reference = &file->references[i];
        const cc_item *tile = cc_heif_item(file, reference->to);
        cc_item *item = cc_heif_item(file, reference->from);
        if (reference->type != CC_AUXL || tile == NULL || item == NULL || tile->use != CC_COLOR
            || item->use == CC_ALPHA || !is_alpha(file, item)) {
            continue;
        }
        picture->header.has_alpha = true;
        status = use_coded(file, item, CC_ALPHA, picture, coded, message);
        // libheif copies as many pixels as the tile has, without a check.
        if (status == CC_OK
            && (!coded->is_certain || item->width != tile->width || item->height != tile->height)) {
            return cc_fail(message, CC_UNSUPPORTED, "a tile and its transparency differ in size");
        }
    }
    return status;
}

static cc_status use_alpha(
    const cc_heif_file *file, cc_item *primary, cc_heif_picture *picture, cc_message *message) {
    cc_heif_coded coded;
    cc_item *alpha = referring(file, CC_AUXL, primary, is_alpha);
    if (alpha == NULL) { alpha = referring(file, CC_AUXL, picture->base, is_alpha); }
    if (alpha == NULL) {
        return picture->base->type == CC_GRID ? use_alpha_of_tiles(file, picture, &coded, message) : CC_OK;
    }
    for (size_t i = 0; i < file->reference_count; i++) {
        const cc_reference *reference = &file->references[i];
        picture->is_premultiplied |=
            reference->type == CC_PREM && reference->from == primary->id && reference->to == alpha->id;
    }
    picture->alpha = alpha;
    picture->header.has_alpha = true;
    const cc_status status = use_image(file, alpha, CC_ALPHA, picture, &coded, message);
    if (status == CC_OK && (alpha->width != picture->width || alpha->height != picture->height)) {
        return cc_fail(message, CC_UNSUPPORTED, "its transparency and its colours differ in size");
    }
    return status;
}

// Colours and metadata

static void use_color(cc_cursor content, cc_heif_picture *picture) {
    const uint64_t type = cc_cursor_number(&content, 4);
    if (type == CC_FOURCC('p', 'r', 'o', 'f') || type == CC_FOURCC('r', 'I', 'C', 'C')) {
        if (picture->profile.next == NULL) { picture->profile = content; }
    } else if (type == CC_FOURCC('n', 'c', 'l', 'x') && !picture->has_code_points) {
        picture->code_points.primaries = (unsigned)cc_cursor_number(&content, 2);
        picture->code_points.transfer = (unsigned)cc_cursor_number(&content, 2);
        picture->code_points.matrix = (unsigned)cc_cursor_number(&content, 2);
        picture->code_points.has_full_range = cc_cursor_number(&content, 1) >> 7;
        picture->has_code_points = !content.is_short;
    }
}

static void find_colors(const cc_heif_file *file, const cc_item *item, cc_heif_picture *picture) {
    cc_cursor links = item->links;
    const cc_box *property;
    while ((property = cc_heif_next_property(file, item, &links)) != NULL) {
        if (property->type == CC_FOURCC('c', 'o', 'l', 'r')) { use_color(property->content, picture); }
    }
}

/// The EXIF block begins with the offset of its TIFF header. Damaged metadata are never an error.
static void find_exif(const cc_heif_file *file, const cc_item *primary, cc_heif_picture *picture) {
    const uint32_t cdsc = CC_FOURCC('c', 'd', 's', 'c');
    const cc_item *item = referring(file, cdsc, primary, is_exif);
    if (item == NULL) { item = referring(file, cdsc, picture->base, is_exif); }
    if (item == NULL || item->problem != NULL) { return; }
    picture->exif = item->data;
    cc_cursor_part(&picture->exif, cc_cursor_number(&picture->exif, 4));
}

// Other images

static bool is_image(const cc_item *item) {
    static const char types[] = "hvc1av01gridideniovlhev1avc1jpegj2k1vvc1unci";
    for (size_t i = 0; i + 4 < sizeof types; i += 4) {
        if (CC_FOURCC(types[i], types[i + 1], types[i + 2], types[i + 3]) == item->type) { return true; }
    }
    return false;
}

/// Counts the images that are not thumbnails, masks or parts of another image, and looks for a gain map.
static cc_status count_images(
    const cc_heif_file *file, const cc_item *primary, cc_heif_picture *picture, cc_message *message) {
    bool *is_part = calloc(file->item_count, sizeof *is_part);
    if (is_part == NULL) { return cc_fail_memory(message); }
    for (size_t i = 0; i < file->reference_count; i++) {
        const cc_reference *reference = &file->references[i];
        const bool is_beside = reference->type == CC_FOURCC('t', 'h', 'm', 'b') || reference->type == CC_AUXL;
        const cc_item *from = cc_heif_item(file, reference->from), *to = cc_heif_item(file, reference->to);
        const cc_item *part = is_beside ? from : reference->type == CC_DIMG ? to : NULL;
        if (part != NULL && part != primary) { is_part[part - file->items] = true; }
        picture->header.has_gain_map |= reference->type == CC_DIMG && to == primary && from != NULL
            && from->type == CC_FOURCC('t', 'm', 'a', 'p');
    }
    for (size_t i = 0; i < file->item_count; i++) {
        const cc_item *item = &file->items[i];
        picture->header.images += is_image(item) && !item->is_hidden && !is_part[i];
    }
    picture->header.has_gain_map |= referring(file, CC_AUXL, primary, is_gain_map) != NULL;
    free(is_part);
    return CC_OK;
}

// The picture

/// Follows items that are derived from another item, and applies their cropping and turns.
static cc_status follow(
    const cc_heif_file *file, cc_item *item, unsigned depth, cc_heif_picture *picture, cc_message *message) {
    cc_status status;
    if (item->type == IDEN) {
        cc_item *base = referred(file, CC_DIMG, item);
        if (base == NULL || depth == DEEPEST) {
            return cc_fail(message, CC_DAMAGED, "the reference to its image leads nowhere");
        }
        status = follow(file, base, depth + 1, picture, message);
    } else {
        picture->base = item;
        status = use_image(file, item, CC_COLOR, picture, &picture->coded, message);
        picture->width = item->width, picture->height = item->height;
        picture->turn = (cc_heif_turn){.a = 1, .e = 1, .width = item->width, .height = item->height};
    }
    return status == CC_OK ? cc_heif_apply_turns(file, item, &picture->turn, message) : status;
}

cc_status cc_heif_compose(
    cc_heif_file *file, cc_item *primary, cc_heif_picture *picture, cc_message *message) {
    cc_status status = follow(file, primary, 0, picture, message);
    if (status != CC_OK) { return status; }
    uint32_t fields[4] = {1, 1};
    const bool is_grid = picture->base->type == CC_GRID;
    if (is_grid) { status = read_grid(picture->base, fields, message); }
    picture->header.columns = fields[0], picture->header.rows = fields[1];
    picture->first = is_grid ? referred(file, CC_DIMG, picture->base) : picture->base;
    if (status == CC_OK) { status = use_alpha(file, primary, picture, message); }
    if (status != CC_OK) { return status; }
    if (picture->data_size > LARGEST_DATA) {
        return cc_fail(
            message, CC_UNSUPPORTED, "its images have more than %d MB of data", LARGEST_DATA >> 20);
    }
    find_colors(file, primary, picture);
    find_colors(file, picture->base, picture);
    find_colors(file, picture->first, picture);
    find_exif(file, primary, picture);
    return count_images(file, primary, picture, message);
}
