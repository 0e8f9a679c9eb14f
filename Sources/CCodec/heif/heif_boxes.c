#include "heif.h"

#include <stdlib.h>

enum {
    // Limits for `meta`, for a box in it, and for the whole file. libheif's time grows with the square of the
    // number of items.
    MOST_ITEMS = 1 << 13,
    MOST_PROPERTIES = 1 << 14,
    MOST_REFERENCES = 1 << 17,
};

// Bytes

uint64_t cc_cursor_number(cc_cursor *cursor, unsigned bytes) {
    if (cc_cursor_left(cursor) < bytes) {
        cursor->is_short = true;
        cursor->next = cursor->end;
        return 0;
    }
    uint64_t number = 0;
    for (unsigned i = 0; i < bytes; i++) { number = number << 8 | cursor->next[i]; }
    cursor->next += bytes;
    return number;
}

cc_cursor cc_cursor_part(cc_cursor *cursor, uint64_t size) {
    const size_t left = cc_cursor_left(cursor);
    if (size > left) { cursor->is_short = true; }
    const cc_cursor part = {cursor->next, cursor->next + (size < left ? size : left), size > left};
    cursor->next = part.end;
    return part;
}

/// Takes the next box; false at the end, or if the box is longer than the remaining bytes (`is_short`).
static bool take_box(cc_cursor *cursor, cc_box *box) {
    const size_t left = cc_cursor_left(cursor);
    if (left == 0) { return false; }
    uint64_t size = cc_cursor_number(cursor, 4);
    box->type = (uint32_t)cc_cursor_number(cursor, 4);
    // 1: the size follows; 0: up to the end.
    const uint64_t head = size == 1 ? 16 : 8;
    if (size == 1) { size = cc_cursor_number(cursor, 8); }
    if (size == 0) { size = left; }
    if (cursor->is_short || size < head || size > left) {
        cursor->is_short = true;
        return false;
    }
    box->content = cc_cursor_part(cursor, size - head);
    return true;
}

/// Takes version and flags from the beginning of a full box, and returns the version.
static unsigned take_version(cc_cursor *cursor) { return (unsigned)(cc_cursor_number(cursor, 4) >> 24); }

// Lists

static int by_id(const void *a, const void *b) {
    const uint32_t first = ((const cc_item *)a)->id, second = ((const cc_item *)b)->id;
    return first < second ? -1 : first > second;
}

cc_item *cc_heif_item(const cc_heif_file *file, uint32_t id) {
    const cc_item key = {.id = id};
    return file->item_count == 0 ? NULL : bsearch(&key, file->items, file->item_count, sizeof key, by_id);
}

const cc_box *cc_heif_next_property(const cc_heif_file *file, const cc_item *item, cc_cursor *links) {
    while (cc_cursor_left(links) > 0) {
        const uint64_t link = cc_cursor_number(links, item->link_bytes);
        // Properties are numbered from 1; 0 means no property.
        const uint64_t number = link & (item->link_bytes == 1 ? 0x7F : 0x7FFF);
        if (number > 0 && number <= file->property_count) { return &file->properties[number - 1]; }
    }
    return NULL;
}

const cc_box *cc_heif_property(const cc_heif_file *file, const cc_item *item, uint32_t type) {
    cc_cursor links = item->links;
    const cc_box *property;
    do { property = cc_heif_next_property(file, item, &links); } while (property && property->type != type);
    return property;
}

// The boxes of `meta`; each returns false if it makes no sense.

static bool read_infe(cc_heif_file *file, cc_cursor box) {
    const uint64_t head = cc_cursor_number(&box, 4);
    // Earlier versions have no types, and describe no images.
    if (head >> 24 < 2) { return true; }
    cc_item item = {.is_hidden = head & 1, .problem = "an image has no data", .link_bytes = 1};
    item.id = (uint32_t)cc_cursor_number(&box, head >> 24 == 2 ? 2 : 4);
    cc_cursor_number(&box, 2);  // protection
    item.type = (uint32_t)cc_cursor_number(&box, 4);
    if (box.is_short || file->item_count == MOST_ITEMS) { return false; }
    file->items[file->item_count++] = item;
    return true;
}

static bool read_iinf(cc_heif_file *file, cc_cursor box) {
    cc_cursor_number(&box, take_version(&box) == 0 ? 2 : 4);  // count
    cc_box entry;
    while (take_box(&box, &entry)) {
        if (entry.type == CC_FOURCC('i', 'n', 'f', 'e') && !read_infe(file, entry.content)) { return false; }
    }
    qsort(file->items, file->item_count, sizeof *file->items, by_id);
    for (size_t i = 1; i < file->item_count; i++) {
        if (file->items[i - 1].id == file->items[i].id) { return false; }
    }
    return !box.is_short;
}

/// Adds a part to an item's bytes. A length of 0 means all bytes up to the end.
static void add_extent(cc_cursor room, uint64_t offset, uint64_t length, cc_item *item) {
    cc_cursor_part(&room, offset);
    const cc_cursor part = cc_cursor_part(&room, length == 0 ? cc_cursor_left(&room) : length);
    if (item->data.next != NULL && part.next != item->data.end) {
        item->problem = "its image data are in several parts";
    } else if (room.is_short) {
        item->problem = "the file ends within its image data";
    }
    if (item->data.next == NULL) { item->data = part; }
    item->data.end = part.end;
}

static bool read_location(cc_heif_file *file, cc_cursor *box, unsigned version, unsigned sizes) {
    const unsigned offset = sizes >> 12, length = sizes >> 8 & 15, base_bytes = sizes >> 4 & 15;
    cc_item other, *known = cc_heif_item(file, (uint32_t)cc_cursor_number(box, version < 2 ? 2 : 4));
    cc_item *item = known != NULL ? known : &other;
    const unsigned method = version == 0 ? 0 : cc_cursor_number(box, 2) & 15;
    const bool is_elsewhere = cc_cursor_number(box, 2) != 0 || method > 1;
    const uint64_t base = cc_cursor_number(box, base_bytes), count = cc_cursor_number(box, 2);
    item->data = (cc_cursor){0};
    item->problem = is_elsewhere ? "its image data are in another file or item" : NULL;
    const cc_cursor room =
        method == 1 ? file->idat : (cc_cursor){file->bytes, file->bytes + file->size, false};
    for (uint64_t i = 0; i < count && !box->is_short; i++) {
        cc_cursor_number(box, version == 0 ? 0 : sizes & 15);
        const uint64_t place = base + cc_cursor_number(box, offset);
        const uint64_t size = cc_cursor_number(box, length);
        if (place < base) { return false; }
        if (!is_elsewhere) { add_extent(room, place, size, item); }
    }
    if (cc_cursor_left(&item->data) == 0 && item->problem == NULL) { item->problem = "an image has no data"; }
    return !box->is_short;
}

static bool read_iloc(cc_heif_file *file, cc_cursor box) {
    const unsigned version = take_version(&box), sizes = (unsigned)cc_cursor_number(&box, 2);
    const uint64_t count = cc_cursor_number(&box, version < 2 ? 2 : 4);
    for (unsigned i = 0; i < 16; i += 4) {
        if ((sizes >> i & 15) > 8) { return false; }
    }
    for (uint64_t i = 0; i < count; i++) {
        if (!read_location(file, &box, version, sizes)) { return false; }
    }
    return true;
}

static bool read_iref(cc_heif_file *file, cc_cursor box) {
    const unsigned id_bytes = take_version(&box) == 0 ? 2 : 4;
    cc_box list;
    while (take_box(&box, &list)) {
        cc_reference reference = {.type = list.type};
        reference.from = (uint32_t)cc_cursor_number(&list.content, id_bytes);
        for (uint64_t i = cc_cursor_number(&list.content, 2); i > 0; i--) {
            reference.to = (uint32_t)cc_cursor_number(&list.content, id_bytes);
            if (list.content.is_short || file->reference_count == MOST_REFERENCES) { return false; }
            file->references[file->reference_count++] = reference;
        }
    }
    return !box.is_short;
}

static bool read_ipma(cc_heif_file *file, cc_cursor box) {
    const uint64_t head = cc_cursor_number(&box, 4);
    for (uint64_t i = cc_cursor_number(&box, 4); i > 0; i--) {
        cc_item *item = cc_heif_item(file, (uint32_t)cc_cursor_number(&box, head >> 24 == 0 ? 2 : 4));
        const unsigned bytes = head & 1 ? 2 : 1;
        const cc_cursor links = cc_cursor_part(&box, cc_cursor_number(&box, 1) * bytes);
        if (box.is_short) { return false; }
        if (item != NULL) { item->links = links, item->link_bytes = bytes; }
    }
    return true;
}

static bool read_iprp(cc_heif_file *file, cc_cursor box) {
    cc_box part, property;
    while (take_box(&box, &part)) {
        if (part.type == CC_FOURCC('i', 'p', 'm', 'a') && !read_ipma(file, part.content)) { return false; }
        if (part.type != CC_FOURCC('i', 'p', 'c', 'o')) { continue; }
        while (take_box(&part.content, &property)) {
            if (file->property_count == MOST_PROPERTIES) { return false; }
            file->properties[file->property_count++] = property;
        }
        if (part.content.is_short) { return false; }
    }
    return !box.is_short;
}

/// Reads the boxes that list the items.
static bool read_list(cc_heif_file *file, cc_box box) {
    switch (box.type) {
    case CC_FOURCC('p', 'i', 't', 'm'):
        file->primary = (uint32_t)cc_cursor_number(&box.content, take_version(&box.content) == 0 ? 2 : 4);
        return !box.content.is_short;
    case CC_FOURCC('i', 'i', 'n', 'f'): return file->item_count == 0 && read_iinf(file, box.content);
    case CC_FOURCC('i', 'd', 'a', 't'): file->idat = box.content; return true;
    default: return true;
    }
}

/// Reads the boxes that describe the items.
static bool read_details(cc_heif_file *file, cc_box box) {
    switch (box.type) {
    case CC_FOURCC('i', 'l', 'o', 'c'): return read_iloc(file, box.content);
    case CC_FOURCC('i', 'r', 'e', 'f'): return read_iref(file, box.content);
    case CC_FOURCC('i', 'p', 'r', 'p'): return read_iprp(file, box.content);
    default: return true;
    }
}

/// Calls `read` for each box of `meta`.
static cc_status read_each(
    cc_heif_file *file, cc_cursor meta, bool (*read)(cc_heif_file *, cc_box), cc_message *message) {
    take_version(&meta);
    cc_box box;
    while (take_box(&meta, &box)) {
        if (!read(file, box)) {
            return cc_fail(
                message, CC_DAMAGED, "its box '%c%c%c%c' is damaged", (int)(box.type >> 24 & 127),
                (int)(box.type >> 16 & 127), (int)(box.type >> 8 & 127), (int)(box.type & 127));
        }
    }
    return meta.is_short ? cc_fail(message, CC_DAMAGED, "its description of images is damaged") : CC_OK;
}

static cc_status read_meta(cc_heif_file *file, cc_cursor meta, cc_message *message) {
    file->has_meta = true;
    file->items = calloc(MOST_ITEMS, sizeof *file->items);
    file->properties = calloc(MOST_PROPERTIES, sizeof *file->properties);
    file->references = calloc(MOST_REFERENCES, sizeof *file->references);
    if (!file->items || !file->properties || !file->references) { return cc_fail_memory(message); }
    const cc_status status = read_each(file, meta, read_list, message);
    return status == CC_OK ? read_each(file, meta, read_details, message) : status;
}

cc_status cc_heif_describe(cc_heif_file *file, cc_message *message) {
    cc_cursor content = {file->bytes, file->bytes + file->size, false};
    cc_box box = {0};
    // A file that is truncated within its image data may still have its description.
    while (take_box(&content, &box)) {
        file->has_movie |= box.type == CC_FOURCC('m', 'o', 'o', 'v');
        file->is_short |= box.type == CC_FOURCC('m', 'i', 'n', 'i');
        if (box.type == CC_FOURCC('m', 'e', 't', 'a') && !file->has_meta) {
            const cc_status status = read_meta(file, box.content, message);
            if (status != CC_OK) { return status; }
        }
    }
    if (content.is_short && box.type == CC_FOURCC('m', 'e', 't', 'a') && !file->has_meta) {
        return cc_fail(message, CC_DAMAGED, "the file ends within its description of images");
    }
    return CC_OK;
}

void cc_heif_forget(cc_heif_file *file) {
    free(file->bytes);
    free(file->items);
    free(file->properties);
    free(file->references);
    *file = (cc_heif_file){0};
}
