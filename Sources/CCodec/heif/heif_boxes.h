// The boxes of a HEIF file that describe its images (ISO/IEC 14496-12 and 23008-12), read by ourselves: what
// libheif is given afterwards is a file of one image, written by us (heif_tile.h).

#ifndef TILEWRIGHT_HEIF_BOXES_H
#define TILEWRIGHT_HEIF_BOXES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "CCodec.h"

/// The number that four letters stand for.
#define CC_FOURCC(a, b, c, d) ((uint32_t)(a) << 24 | (uint32_t)(b) << 16 | (uint32_t)(c) << 8 | (uint32_t)(d))

/// Bytes that are read from the first to the last. Beyond the end there are zeros, and `is_short` is set.
typedef struct cc_cursor {
    const uint8_t *next;
    const uint8_t *end;
    bool is_short;
} cc_cursor;

/// A number of 0 to 8 bytes, the highest first.
uint64_t cc_cursor_number(cc_cursor *cursor, unsigned bytes);

/// The next bytes as a cursor of their own.
cc_cursor cc_cursor_part(cc_cursor *cursor, uint64_t size);

static inline size_t cc_cursor_left(const cc_cursor *cursor) { return (size_t)(cursor->end - cursor->next); }

/// A box inside another one.
typedef struct cc_box {
    uint32_t type;
    cc_cursor content;
} cc_box;

/// Takes the next box; false at the end, and if the box is longer than what is left (`is_short`).
bool cc_cursor_box(cc_cursor *cursor, cc_box *box);

/// Version and flags, which full boxes begin with.
typedef struct cc_full_box {
    unsigned version;
    uint32_t flags;
} cc_full_box;

cc_full_box cc_cursor_full_box(cc_cursor *cursor);

/// A part of an item's bytes.
typedef struct cc_extent {
    uint64_t offset;
    /// 0 stands for all up to the end.
    uint64_t length;
} cc_extent;

/// An item: a coded image, a derived one, or metadata.
typedef struct cc_item {
    uint32_t id;
    uint32_t type;
    bool is_hidden;
    /// Whether its bytes lie in the box `idat`; else they lie in the file.
    bool is_inside;
    /// Whether its bytes lie elsewhere.
    bool is_elsewhere;
    size_t first_extent, extents;
    /// The places of its properties in `properties` of the list.
    size_t first_link, links;
} cc_item;

/// A reference from an item to another.
typedef struct cc_reference {
    uint32_t type;
    uint32_t from;
    uint32_t to;
} cc_reference;

/// What the box `meta` holds. It points into `bytes`.
typedef struct cc_meta {
    uint8_t *bytes;
    size_t size;
    uint32_t primary;
    /// Ascending by ID.
    cc_item *items;
    size_t item_count;
    cc_extent *extents;
    size_t extent_count;
    cc_box *properties;
    size_t property_count;
    uint32_t *links;
    size_t link_count;
    cc_reference *references;
    size_t reference_count;
    cc_cursor idat;
} cc_meta;

/// The file, and what stands beside `meta` in it.
typedef struct cc_heif_file {
    FILE *file;
    uint64_t size;
    /// Whether there is a sequence of images.
    bool has_movie;
    /// Whether its description has the short form of ISO/IEC 23008-12, the box `mini`.
    bool is_short;
    bool has_meta;
    cc_meta meta;
} cc_heif_file;

/// Reads the description of a file, which the caller opened and closes.
cc_status cc_heif_describe(cc_heif_file *file, cc_message *message);

/// Frees what the description takes.
void cc_heif_forget(cc_heif_file *file);

/// The item of an ID, or NULL.
const cc_item *cc_meta_item(const cc_meta *meta, uint32_t id);

/// The content of an item's first property of a type; false if it has none.
bool cc_meta_property(const cc_meta *meta, const cc_item *item, uint32_t type, cc_cursor *content);

/// How many bytes an item has, or an error if they are not there.
cc_status cc_heif_item_size(
    const cc_heif_file *file, const cc_item *item, uint64_t *size, cc_message *message);

/// Reads the bytes of an item, as many as cc_heif_item_size says.
cc_status cc_heif_read_item(
    const cc_heif_file *file, const cc_item *item, uint8_t *bytes, cc_message *message);

#endif
