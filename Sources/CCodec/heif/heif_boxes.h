// The boxes of a HEIF file that describe its images (ISO/IEC 14496-12 and 23008-12). The file is in memory.

#ifndef TILEWRIGHT_HEIF_BOXES_H
#define TILEWRIGHT_HEIF_BOXES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "CCodec.h"

/// The box type of four letters as a number.
#define CC_FOURCC(a, b, c, d) ((uint32_t)(a) << 24 | (uint32_t)(b) << 16 | (uint32_t)(c) << 8 | (uint32_t)(d))

enum {
    CC_HVC1 = CC_FOURCC('h', 'v', 'c', '1'),
    CC_AV01 = CC_FOURCC('a', 'v', '0', '1'),
    CC_GRID = CC_FOURCC('g', 'r', 'i', 'd'),
    CC_DIMG = CC_FOURCC('d', 'i', 'm', 'g'),
    CC_AUXL = CC_FOURCC('a', 'u', 'x', 'l'),
    CC_PREM = CC_FOURCC('p', 'r', 'e', 'm'),
};

/// Reads bytes in order. Reading beyond the end gives zeros, and sets `is_short`.
typedef struct cc_cursor {
    const uint8_t *next;
    const uint8_t *end;
    bool is_short;
} cc_cursor;

/// Reads a number of 0 to 8 bytes, most significant byte first.
uint64_t cc_cursor_number(cc_cursor *cursor, unsigned bytes);

/// Takes the next bytes as a separate cursor.
cc_cursor cc_cursor_part(cc_cursor *cursor, uint64_t size);

static inline size_t cc_cursor_left(const cc_cursor *cursor) { return (size_t)(cursor->end - cursor->next); }

/// A box inside another one.
typedef struct cc_box {
    uint32_t type;
    cc_cursor content;
} cc_box;

/// How an item is used in the picture.
typedef enum cc_item_use { CC_UNUSED, CC_COLOR, CC_ALPHA } cc_item_use;

/// An item: a coded image, a derived one, or metadata.
typedef struct cc_item {
    uint32_t id;
    uint32_t type;
    bool is_hidden;
    cc_item_use use;
    /// The size of an image that is used.
    uint32_t width, height;
    /// The reason why its bytes cannot be read, or NULL.
    const char *problem;
    /// Its bytes. Adjacent parts are joined; an item with separate parts has a problem.
    cc_cursor data;
    /// The numbers of its properties, one or two bytes each, with a flag in the highest bit.
    cc_cursor links;
    unsigned link_bytes;
} cc_item;

/// A reference from one item to another. References of the same box are adjacent.
typedef struct cc_reference {
    uint32_t type, from, to;
} cc_reference;

typedef struct cc_heif_file {
    uint8_t *bytes;
    size_t size;
    /// Whether there is a sequence of images.
    bool has_movie;
    /// Whether the file's description has the short form of ISO/IEC 23008-12, the box `mini`.
    bool is_short;
    bool has_meta;
    uint32_t primary;
    /// Sorted by ID.
    cc_item *items;
    size_t item_count;
    cc_box *properties;
    size_t property_count;
    cc_reference *references;
    size_t reference_count;
    cc_cursor idat;
} cc_heif_file;

/// Reads the description in a file's bytes. The caller must call cc_heif_forget, even on failure.
cc_status cc_heif_describe(cc_heif_file *file, cc_message *message);

/// Frees the description and the bytes.
void cc_heif_forget(cc_heif_file *file);

/// The item with an ID, or NULL.
cc_item *cc_heif_item(const cc_heif_file *file, uint32_t id);

/// The next property of an item; NULL after the last. Initialize the cursor with the item's `links`.
const cc_box *cc_heif_next_property(const cc_heif_file *file, const cc_item *item, cc_cursor *links);

/// An item's first property of a type; NULL if it has none.
const cc_box *cc_heif_property(const cc_heif_file *file, const cc_item *item, uint32_t type);

#endif
