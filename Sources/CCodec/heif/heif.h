// What the files of the HEIF reader share, from the file's boxes to the picture's pixels.

#ifndef TILEWRIGHT_HEIF_H
#define TILEWRIGHT_HEIF_H

#include "../shared.h"

// The boxes of a file that describe its images (ISO/IEC 14496-12 and 23008-12). The file is in memory.

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

// Cropping, turning and mirroring: the properties clap, irot and imir of ISO/IEC 23008-12.

/// Maps a pixel of the picture to a pixel of the coded image: `column = a x + b y + c`, `row = d x + e y +
/// f`. Two of a, b, d and e are 0, the other two 1 or -1.
typedef struct cc_heif_turn {
    int64_t a, b, c, d, e, f;
    /// The size of the picture.
    uint32_t width, height;
} cc_heif_turn;

/// Applies the properties of an item in their order.
cc_status cc_heif_apply_turns(
    const cc_heif_file *file, const cc_item *item, cc_heif_turn *turn, cc_message *message);

// The headers of HEVC and AV1 data: the size of coded images, and the meaning of their samples.

/// Code points of ITU-T H.273.
typedef struct cc_heif_code_points {
    unsigned primaries, transfer, matrix;
    bool has_full_range;
} cc_heif_code_points;

/// The content of a coded image's sequence headers.
typedef struct cc_heif_coded {
    /// The largest size in any header, which a decoder allocates.
    uint64_t width, height;
    /// The smallest size in any header after cropping.
    uint64_t least_width, least_height;
    /// Values of the last header. `is_certain` if frames surely have its size: in AV1, they may be smaller.
    bool is_certain;
    unsigned bits;
    cc_heif_chroma chroma;
    cc_heif_code_points points;
} cc_heif_coded;

/// Reads the headers in a coded image's configuration, the content of `hvcC` or `av1C`, and in its data.
cc_status cc_heif_inspect(
    bool is_av1, cc_cursor configuration, cc_cursor data, cc_heif_coded *coded, cc_message *message);

// The parts of a HEIF file's primary image: coded images, transparency, cropping and turns, colours.

typedef struct cc_heif_picture {
    /// The coded image, or the grid of coded images; and the first coded image.
    cc_item *base, *first;
    /// The transparency of `base`, or NULL. In a grid, each tile may have its own transparency instead.
    cc_item *alpha;
    bool is_premultiplied;
    /// The size before turns.
    uint32_t width, height;
    cc_heif_turn turn;
    /// The form of the first coded image.
    cc_heif_coded coded;
    /// Pixels that the decoder of the largest coded image allocates.
    uint64_t largest;
    /// Bytes of all used image data.
    uint64_t data_size;
    /// The ICC profile, or nothing.
    cc_cursor profile;
    /// Whether the file has code points; otherwise, those of `coded` are used.
    bool has_code_points;
    cc_heif_code_points code_points;
    /// The content of the EXIF item, or nothing.
    cc_cursor exif;
    /// What users are told: the grid of tiles, transparency, and other images are found with the parts.
    cc_heif_header header;
} cc_heif_picture;

/// Finds the parts of the primary image, and marks the items that are used. Also checks the coded
/// sizes, so that `width`, `height` and `largest` suffice to bound the memory for decoding.
cc_status cc_heif_compose(
    cc_heif_file *file, cc_item *primary, cc_heif_picture *picture, cc_message *message);

/// The configuration of a coded image, `hvcC` or `av1C`, or NULL.
const cc_box *cc_heif_configuration(const cc_heif_file *file, const cc_item *item);

// The copy of a file that libheif reads.

/// The matrix of BT.601.
enum { CC_HEIF_BT601 = 6 };

/// Writes a file with the images that a picture uses, without its turns and colours. libheif decodes the copy
/// like the original, but never sees a damaged description.
///
/// `matrix` is the H.273 matrix that the copy declares for its samples, in full range. The caller must free
/// `*bytes`, which is NULL if there is not enough memory.
void cc_heif_copy(
    const cc_heif_file *file, const cc_heif_picture *picture, unsigned matrix, uint8_t **bytes, size_t *size);

// Converts planes of luma and chroma to pixels.

/// The matrix from samples to red, green and blue, in fixed point, so that every machine gives the same
/// bytes.
typedef struct cc_heif_matrix {
    int64_t luma[3], cb[3], cr[3], bias[3];
    /// The largest value of a result: 255 or 65535.
    int32_t largest;
} cc_heif_matrix;

/// Makes the matrix of the code points for samples of `bits` bits; false if the matrix is unsupported.
bool cc_heif_make_matrix(
    const cc_heif_code_points *points, unsigned bits, bool is_gray, int32_t largest, cc_heif_matrix *matrix);

enum {
    /// Columns of a picture turned by a quarter that are transposed at once: one or two cache lines a row.
    CC_HEIF_BAND = 64,
};

/// Samples of one channel; `bytes` is NULL if the image does not have the channel.
typedef struct cc_heif_plane {
    const uint8_t *bytes;
    size_t stride;
    /// Whether a sample has two bytes, in the machine's order.
    bool is_wide;
    /// 1 if a sample belongs to two columns (`across`) or two rows (`down`); else 0.
    unsigned across, down;
    /// For a picture turned by a quarter: the turned rows, from `first` on.
    uint16_t *band;
    int64_t first;
} cc_heif_plane;

typedef struct cc_heif_pixels {
    /// Luma, Cb and Cr.
    cc_heif_plane planes[3], alpha;
    /// The size of the planes.
    uint32_t width, height;
    cc_heif_turn turn;
    /// Whether chroma is interpolated because each sample belongs to two columns, or rows.
    bool is_smooth_across, is_smooth_down;
    bool is_premultiplied;
    unsigned alpha_bits;
    cc_heif_matrix matrix;
    /// A pixel has 1, 3 or 4 samples of 1 or 2 bytes.
    uint32_t samples, sample_bytes;
    /// Memory for six lines.
    int32_t *lines;
} cc_heif_pixels;

/// Allocates lines and bands; false if there is not enough memory. They must be freed even on failure.
bool cc_heif_make_room(cc_heif_pixels *pixels);

void cc_heif_free_room(cc_heif_pixels *pixels);

/// Computes a row of the picture.
void cc_heif_mix(cc_heif_pixels *pixels, uint32_t y, uint8_t *row);

// libheif is written in C++, and some of its functions throw if they get no memory. Exceptions are caught
// here.

typedef enum cc_heif_outcome {
    CC_HEIF_RETURNED,
    CC_HEIF_OUT_OF_MEMORY,
    CC_HEIF_THREW,
} cc_heif_outcome;

/// Calls a step. If an exception is thrown, memory that the step holds is leaked.
cc_heif_outcome cc_heif_guard(void (*step)(void *), void *argument);

#endif
