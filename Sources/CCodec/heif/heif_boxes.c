#include "heif_boxes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../message.h"

enum {
    // Of the whole file: images have four or five.
    MOST_BOXES = 4096,
    // Of `meta`: 65536 tiles have 4 MB, and profiles add to it.
    LARGEST_META = 64 << 20,
    // Of all items. The specification has 65536 tiles in a grid.
    MOST_ITEMS = 1 << 18,
    MOST_EXTENTS = 1 << 20,
    MOST_PROPERTIES = 1 << 16,
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

bool cc_cursor_box(cc_cursor *cursor, cc_box *box) {
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

cc_full_box cc_cursor_full_box(cc_cursor *cursor) {
    const uint32_t word = (uint32_t)cc_cursor_number(cursor, 4);
    return (cc_full_box){word >> 24, word & 0xFFFFFF};
}

// Lists

/// A list with room for one more element; NULL if there is no memory, or if there are too many.
static void *grown(void *list, size_t count, size_t size, size_t most) {
    enum { FEWEST = 16 };
    if (count >= most) { return NULL; }
    // The room is doubled whenever it is full, which is at powers of two.
    const bool has_room = count != 0 && (count < FEWEST || (count & (count - 1)) != 0);
    return has_room ? list : realloc(list, (count < FEWEST ? FEWEST : 2 * count) * size);
}

/// Appends a value to a list; false if that cannot be.
#define APPEND(list, count, most, value)                                      \
    ({                                                                        \
        void *longer = grown((list), (count), sizeof *(list), (most));        \
        if (longer != NULL) { (list) = longer, (list)[(count)++] = (value); } \
        longer != NULL;                                                       \
    })

static cc_item *item_of(const cc_meta *meta, uint32_t id) {
    size_t low = 0, high = meta->item_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (meta->items[middle].id == id) { return &meta->items[middle]; }
        if (meta->items[middle].id < id) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return NULL;
}

static int by_id(const void *a, const void *b) {
    const uint32_t first = ((const cc_item *)a)->id, second = ((const cc_item *)b)->id;
    return first < second ? -1 : first > second;
}

const cc_item *cc_meta_item(const cc_meta *meta, uint32_t id) { return item_of(meta, id); }

bool cc_meta_property(const cc_meta *meta, const cc_item *item, uint32_t type, cc_cursor *content) {
    for (size_t i = 0; i < item->links; i++) {
        const cc_box *property = &meta->properties[meta->links[item->first_link + i]];
        if (property->type == type) {
            *content = property->content;
            return true;
        }
    }
    return false;
}

// The boxes of `meta`; each returns false if it makes no sense.

static bool read_pitm(cc_meta *meta, cc_cursor box) {
    const unsigned version = cc_cursor_full_box(&box).version;
    meta->primary = (uint32_t)cc_cursor_number(&box, version == 0 ? 2 : 4);
    return !box.is_short;
}

static bool read_infe(cc_meta *meta, cc_cursor box) {
    const cc_full_box head = cc_cursor_full_box(&box);
    // Earlier versions have no types, and describe no images.
    if (head.version < 2) { return true; }
    const uint32_t id = (uint32_t)cc_cursor_number(&box, head.version == 2 ? 2 : 4);
    cc_cursor_number(&box, 2);  // protection
    const uint32_t type = (uint32_t)cc_cursor_number(&box, 4);
    const cc_item item = {.id = id, .type = type, .is_hidden = head.flags & 1};
    return !box.is_short && APPEND(meta->items, meta->item_count, MOST_ITEMS, item);
}

/// Sorts the items; false if two of them have the same ID.
static bool sort_items(cc_meta *meta) {
    if (meta->item_count == 0) { return true; }
    qsort(meta->items, meta->item_count, sizeof *meta->items, by_id);
    for (size_t i = 1; i < meta->item_count; i++) {
        if (meta->items[i - 1].id == meta->items[i].id) { return false; }
    }
    return true;
}

static bool read_iinf(cc_meta *meta, cc_cursor box) {
    const unsigned version = cc_cursor_full_box(&box).version;
    cc_cursor_number(&box, version == 0 ? 2 : 4);  // how many follow
    cc_box entry;
    while (cc_cursor_box(&box, &entry)) {
        if (entry.type == CC_FOURCC('i', 'n', 'f', 'e') && !read_infe(meta, entry.content)) { return false; }
    }
    return !box.is_short && sort_items(meta);
}

/// How many bytes the fields of `iloc` have.
typedef struct iloc_form {
    unsigned version, offset, length, base, index;
} iloc_form;

static bool read_extents(cc_meta *meta, cc_cursor *box, const iloc_form *form, cc_item *item) {
    const uint64_t base = cc_cursor_number(box, form->base);
    const uint64_t count = cc_cursor_number(box, 2);
    item->first_extent = meta->extent_count;
    item->extents = (size_t)count;
    for (uint64_t i = 0; i < count; i++) {
        cc_cursor_number(box, form->index);
        cc_extent extent;
        extent.offset = base + cc_cursor_number(box, form->offset);
        extent.length = cc_cursor_number(box, form->length);
        if (box->is_short || extent.offset < base) { return false; }
        if (!APPEND(meta->extents, meta->extent_count, MOST_EXTENTS, extent)) { return false; }
    }
    return !box->is_short;
}

static bool read_location(cc_meta *meta, cc_cursor *box, const iloc_form *form) {
    const uint32_t id = (uint32_t)cc_cursor_number(box, form->version < 2 ? 2 : 4);
    const unsigned method = form->version == 0 ? 0 : cc_cursor_number(box, 2) & 15;
    const bool is_in_other_file = cc_cursor_number(box, 2) != 0;
    if (box->is_short) { return false; }
    // What is located and not described does not matter.
    cc_item other, *known = item_of(meta, id), *item = known != NULL ? known : &other;
    item->is_inside = method == 1;
    item->is_elsewhere = is_in_other_file || method > 1;
    return read_extents(meta, box, form, item);
}

static bool is_size_of_field(unsigned size) { return size == 0 || size == 4 || size == 8; }

static bool read_iloc(cc_meta *meta, cc_cursor box) {
    iloc_form form = {.version = cc_cursor_full_box(&box).version};
    const unsigned sizes = (unsigned)cc_cursor_number(&box, 2);
    form.offset = sizes >> 12;
    form.length = sizes >> 8 & 15;
    form.base = sizes >> 4 & 15;
    form.index = form.version == 0 ? 0 : sizes & 15;
    const uint64_t count = cc_cursor_number(&box, form.version < 2 ? 2 : 4);
    if (!is_size_of_field(form.offset) || !is_size_of_field(form.length) || !is_size_of_field(form.base)
        || !is_size_of_field(form.index)) {
        return false;
    }
    for (uint64_t i = 0; i < count; i++) {
        if (!read_location(meta, &box, &form)) { return false; }
    }
    return true;
}

static bool read_references(cc_meta *meta, cc_box box, unsigned id_bytes) {
    cc_reference reference = {.type = box.type};
    reference.from = (uint32_t)cc_cursor_number(&box.content, id_bytes);
    const uint64_t count = cc_cursor_number(&box.content, 2);
    for (uint64_t i = 0; i < count; i++) {
        reference.to = (uint32_t)cc_cursor_number(&box.content, id_bytes);
        if (box.content.is_short) { return false; }
        if (!APPEND(meta->references, meta->reference_count, MOST_EXTENTS, reference)) { return false; }
    }
    return !box.content.is_short;
}

static bool read_iref(cc_meta *meta, cc_cursor box) {
    const unsigned version = cc_cursor_full_box(&box).version;
    cc_box reference;
    while (cc_cursor_box(&box, &reference)) {
        if (!read_references(meta, reference, version == 0 ? 2 : 4)) { return false; }
    }
    return !box.is_short;
}

static bool read_ipco(cc_meta *meta, cc_cursor box) {
    cc_box property;
    while (cc_cursor_box(&box, &property)) {
        if (!APPEND(meta->properties, meta->property_count, MOST_PROPERTIES, property)) { return false; }
    }
    return !box.is_short;
}

/// Which properties an item has. Numbers count from 1; 0 is none.
static bool read_links(cc_meta *meta, cc_cursor *box, cc_item *item, bool is_wide) {
    const uint64_t count = cc_cursor_number(box, 1);
    item->first_link = meta->link_count;
    item->links = 0;
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t link = cc_cursor_number(box, is_wide ? 2 : 1) & (is_wide ? 0x7FFF : 0x7F);
        if (box->is_short || link > meta->property_count) { return false; }
        if (link == 0) { continue; }
        const uint32_t place = (uint32_t)link - 1;
        if (!APPEND(meta->links, meta->link_count, MOST_EXTENTS, place)) { return false; }
        item->links++;
    }
    return true;
}

static bool read_ipma(cc_meta *meta, cc_cursor box) {
    const cc_full_box head = cc_cursor_full_box(&box);
    const uint64_t count = cc_cursor_number(&box, 4);
    for (uint64_t i = 0; i < count; i++) {
        const uint32_t id = (uint32_t)cc_cursor_number(&box, head.version == 0 ? 2 : 4);
        cc_item other, *known = item_of(meta, id), *item = known != NULL ? known : &other;
        if (box.is_short || !read_links(meta, &box, item, head.flags & 1)) { return false; }
    }
    return !box.is_short;
}

/// The properties come first, whatever the order of their boxes.
static bool read_iprp(cc_meta *meta, cc_cursor box) {
    cc_cursor again = box;
    cc_box part;
    while (cc_cursor_box(&box, &part)) {
        if (part.type == CC_FOURCC('i', 'p', 'c', 'o') && !read_ipco(meta, part.content)) { return false; }
    }
    while (cc_cursor_box(&again, &part)) {
        if (part.type == CC_FOURCC('i', 'p', 'm', 'a') && !read_ipma(meta, part.content)) { return false; }
    }
    return !box.is_short;
}

/// The boxes that say which items there are.
static bool read_list(cc_meta *meta, const cc_box *box) {
    switch (box->type) {
    case CC_FOURCC('p', 'i', 't', 'm'): return read_pitm(meta, box->content);
    case CC_FOURCC('i', 'i', 'n', 'f'): return meta->item_count == 0 && read_iinf(meta, box->content);
    case CC_FOURCC('i', 'd', 'a', 't'): meta->idat = box->content; return true;
    default: return true;
    }
}

/// The boxes that say more of them.
static bool read_details(cc_meta *meta, const cc_box *box) {
    switch (box->type) {
    case CC_FOURCC('i', 'l', 'o', 'c'): return read_iloc(meta, box->content);
    case CC_FOURCC('i', 'r', 'e', 'f'): return read_iref(meta, box->content);
    case CC_FOURCC('i', 'p', 'r', 'p'): return read_iprp(meta, box->content);
    default: return true;
    }
}

/// Calls `read` for each box of `meta`.
static cc_status read_each(cc_meta *meta, bool (*read)(cc_meta *, const cc_box *), cc_message *message) {
    cc_cursor content = {meta->bytes, meta->bytes + meta->size, false};
    cc_cursor_full_box(&content);
    cc_box box;
    while (cc_cursor_box(&content, &box)) {
        if (!read(meta, &box)) {
            return cc_fail(
                message, CC_DAMAGED, "its box '%c%c%c%c' is damaged", (int)(box.type >> 24 & 127),
                (int)(box.type >> 16 & 127), (int)(box.type >> 8 & 127), (int)(box.type & 127));
        }
    }
    return content.is_short ? cc_fail(message, CC_DAMAGED, "its description of images is damaged") : CC_OK;
}

static cc_status read_meta(cc_meta *meta, cc_message *message) {
    const cc_status status = read_each(meta, read_list, message);
    return status == CC_OK ? read_each(meta, read_details, message) : status;
}

// The file

static cc_status read_bytes(
    const cc_heif_file *file, uint64_t offset, uint8_t *bytes, size_t size, cc_message *message) {
    if (fseeko(file->file, (off_t)offset, SEEK_SET) == 0 && fread(bytes, 1, size, file->file) == size) {
        return CC_OK;
    }
    return ferror(file->file) ? cc_fail_errno(message, CC_READ_FAILED, errno)
                              : cc_fail(message, CC_DAMAGED, "the file ends within its image data");
}

static cc_status load_meta(cc_heif_file *file, uint64_t offset, uint64_t size, cc_message *message) {
    if (size > LARGEST_META) {
        return cc_fail(
            message, CC_UNSUPPORTED, "its description of images has more than %d MB", LARGEST_META >> 20);
    }
    cc_meta *meta = &file->meta;
    meta->bytes = malloc((size_t)size + 1);
    if (meta->bytes == NULL) { return cc_fail_memory(message); }
    meta->size = (size_t)size;
    const cc_status status = read_bytes(file, offset, meta->bytes, meta->size, message);
    file->has_meta = true;
    return status == CC_OK ? read_meta(meta, message) : status;
}

/// Reads the head of the box at an offset: its type, where its content begins, and where it ends.
static cc_status read_head(
    const cc_heif_file *file, uint64_t offset, uint32_t *type, uint64_t *start, uint64_t *end,
    cc_message *message) {
    uint8_t bytes[16];
    const size_t most = file->size - offset < sizeof bytes ? (size_t)(file->size - offset) : sizeof bytes;
    const cc_status status = read_bytes(file, offset, bytes, most, message);
    if (status != CC_OK) { return status; }
    cc_cursor cursor = {bytes, bytes + most, false};
    uint64_t size = cc_cursor_number(&cursor, 4);
    *type = (uint32_t)cc_cursor_number(&cursor, 4);
    const uint64_t head = size == 1 ? 16 : 8;
    if (size == 1) { size = cc_cursor_number(&cursor, 8); }
    if (size == 0) { size = file->size - offset; }
    if (cursor.is_short || size < head || offset + size < offset) {
        return cc_fail(message, CC_DAMAGED, "the box at byte %llu is damaged", (unsigned long long)offset);
    }
    *start = offset + head;
    // A file that was cut off within its image data may still have its description.
    *end = size < file->size - offset ? offset + size : file->size;
    if (offset + size > file->size && *type == CC_FOURCC('m', 'e', 't', 'a')) {
        return cc_fail(message, CC_DAMAGED, "the file ends within its description of images");
    }
    return CC_OK;
}

cc_status cc_heif_describe(cc_heif_file *file, cc_message *message) {
    uint64_t offset = 0;
    for (unsigned count = 0; offset < file->size && count < MOST_BOXES; count++) {
        uint32_t type;
        uint64_t start, end;
        cc_status status = read_head(file, offset, &type, &start, &end, message);
        // Bytes behind the last box do not matter.
        if (status == CC_DAMAGED && file->has_meta) { break; }
        if (status == CC_OK && type == CC_FOURCC('m', 'e', 't', 'a') && !file->has_meta) {
            status = load_meta(file, start, end - start, message);
        }
        if (status != CC_OK) { return status; }
        file->has_movie |= type == CC_FOURCC('m', 'o', 'o', 'v');
        file->is_short |= type == CC_FOURCC('m', 'i', 'n', 'i');
        offset = end;
    }
    return CC_OK;
}

void cc_heif_forget(cc_heif_file *file) {
    cc_meta *meta = &file->meta;
    free(meta->bytes);
    free(meta->items);
    free(meta->extents);
    free(meta->properties);
    free(meta->links);
    free(meta->references);
    *meta = (cc_meta){0};
}

// The bytes of an item

/// Where the bytes of an item can lie: in `idat` or in the file.
static uint64_t room_of(const cc_heif_file *file, const cc_item *item) {
    return item->is_inside ? cc_cursor_left(&file->meta.idat) : file->size;
}

/// The bytes of an extent, up to the end if it does not say how many; false if they are not there.
static bool extent_size(const cc_extent *extent, uint64_t room, uint64_t *size) {
    if (extent->offset > room || extent->length > room - extent->offset) { return false; }
    *size = extent->length == 0 ? room - extent->offset : extent->length;
    return true;
}

cc_status cc_heif_item_size(
    const cc_heif_file *file, const cc_item *item, uint64_t *size, cc_message *message) {
    *size = 0;
    if (item->is_elsewhere) {
        return cc_fail(message, CC_UNSUPPORTED, "its image data lie in another file or item");
    }
    const uint64_t room = room_of(file, item);
    for (size_t i = 0; i < item->extents; i++) {
        uint64_t part;
        // Parts that overlap could be made to ask for any amount of memory.
        if (!extent_size(&file->meta.extents[item->first_extent + i], room, &part) || part > room - *size) {
            return cc_fail(message, CC_DAMAGED, "the file ends within its image data");
        }
        *size += part;
    }
    return *size > 0 ? CC_OK : cc_fail(message, CC_DAMAGED, "an image has no data");
}

cc_status cc_heif_read_item(
    const cc_heif_file *file, const cc_item *item, uint8_t *bytes, cc_message *message) {
    const uint64_t room = room_of(file, item);
    cc_status status = CC_OK;
    for (size_t i = 0; i < item->extents && status == CC_OK; i++) {
        const cc_extent *extent = &file->meta.extents[item->first_extent + i];
        uint64_t part = 0;
        extent_size(extent, room, &part);
        if (item->is_inside) {
            memcpy(bytes, file->meta.idat.next + extent->offset, (size_t)part);
        } else {
            status = read_bytes(file, extent->offset, bytes, (size_t)part, message);
        }
        bytes += part;
    }
    return status;
}
