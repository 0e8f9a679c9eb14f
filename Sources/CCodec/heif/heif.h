// What the files of the HEIF reader share, from a picture's description to its pixels.

#ifndef TILEWRIGHT_HEIF_H
#define TILEWRIGHT_HEIF_H

#include "heif_boxes.h"

// Cropping, turning and mirroring: the properties clap, irot and imir of ISO/IEC 23008-12.

/// Maps a pixel of the picture to a pixel of the coded image: `column = a x + b y + c`, `row = d x + e y +
/// f`. Two of a, b, d and e are 0, the other two 1 or -1.
typedef struct cc_heif_turn {
    int64_t a, b, c, d, e, f;
    /// The size of the picture.
    uint32_t width, height;
} cc_heif_turn;

/// The mapping of a picture that is displayed as it is coded.
cc_heif_turn cc_heif_no_turn(uint32_t width, uint32_t height);

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
    uint32_t columns, rows;
    /// The size before turns.
    uint32_t width, height;
    cc_heif_turn turn;
    /// The form of the first coded image.
    cc_heif_coded coded;
    /// Pixels that the decoder of the largest coded image allocates.
    uint64_t largest;
    /// Bytes of all used image data.
    uint64_t data_size;
    bool has_alpha;
    /// The ICC profile, or nothing.
    cc_cursor profile;
    /// Whether the file has code points; otherwise, those of `coded` are used.
    bool has_code_points;
    cc_heif_code_points code_points;
    /// The content of the EXIF item, or nothing.
    cc_cursor exif;
    /// The number of images in the file, without thumbnails, masks and parts of other images.
    unsigned images;
    bool has_gain_map;
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

#endif
