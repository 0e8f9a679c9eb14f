// The fence around libpng, libjpeg, libtiff, libwebp, libheif, libdeflate and lcms2: setjmp, error
// handlers and the libraries' structs stay behind these functions.
//
// Threading: there are no globals. A handle is used by one thread at a time; different handles are
// independent of each other.
// Errors: a function that can fail returns a status; unless that is CC_OK, the message holds one clause of
// English, in lower case, without the file's name and without a full stop. A reader that has failed
// may only be closed; a writer goes on with the next image.
// Sizes: rows and pixels are counted in pixels, strides and buffers in bytes.

#ifndef TILEWRIGHT_CCODEC_H
#define TILEWRIGHT_CCODEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum cc_status {
    CC_OK = 0,
    /// The file cannot be opened; the message is the system's.
    CC_CANNOT_OPEN,
    /// The system failed to read from a file that is open; the message is the system's.
    CC_READ_FAILED,
    /// The file ends too early, or its contents contradict the format.
    CC_DAMAGED,
    /// The file seems sound, but is of a kind that is not read.
    CC_UNSUPPORTED,
    /// The system refused memory, or another of its limits is reached.
    CC_OUT_OF_MEMORY,
} cc_status;

/// Why a call failed: NUL-terminated, cut if it is too long.
typedef struct cc_message {
    char text[256];
} cc_message;

/// The function from light to samples.
typedef enum cc_transfer {
    CC_TRANSFER_SRGB,
    /// A power; `gamma` has the exponent.
    CC_TRANSFER_GAMMA,
    CC_TRANSFER_BT709,
} cc_transfer;

/// The colours of a file: a profile, or else a few numbers. All zero is sRGB, or a file that says nothing.
typedef struct cc_color_tags {
    /// An ICC profile, or NULL; it lives as long as the handle of the file.
    const uint8_t *profile;
    size_t profile_size;
    cc_transfer transfer;
    /// Samples are light to the power of this, 0.45455 for what people call gamma 2.2.
    double gamma;
    /// Whether primaries and white differ from sRGB's.
    bool has_chromaticities;
    /// CIE 1931 x and y of white, red, green and blue.
    double chromaticities[8];
    /// One clause on what cannot be used, or empty.
    cc_message problem;
} cc_color_tags;

/// The description of an image by its header.
typedef struct cc_image {
    uint32_t width;
    uint32_t height;
    /// In a row as it is delivered: 1 gray; 3 red, green, blue; 4 with straight alpha. 8 bits each.
    uint32_t bytes_per_pixel;
    /// Memory that the decoder will allocate when the first row is asked for.
    uint64_t decoder_bytes;
    /// The metadata's EXIF block from its TIFF header on, or NULL; it lives as long as the handle.
    const uint8_t *exif;
    size_t exif_size;
    /// Pixels per inch of paper, across and down; 0 if the file does not say it.
    double pixels_per_inch[2];
    cc_color_tags color;
} cc_image;

// PNG in

typedef struct cc_png_reader cc_png_reader;

typedef struct cc_png_header {
    cc_image image;
    /// As in IHDR: 1, 2, 4, 8 or 16 bits per sample; 0 gray, 2 RGB, 3 palette, 4 gray + alpha, 6
    /// RGBA.
    int bit_depth;
    int color_type;
    /// Whether a tRNS chunk makes a colour or palette entries transparent.
    bool has_transparency;
    bool is_interlaced;
} cc_png_header;

/// Opens a PNG file and reads it up to its first pixel. The limits of libpng on width and height
/// are lifted to those of the format; nothing proportional to them is allocated here. On success
/// *reader is to be closed by the caller.
cc_status cc_png_open(const char *path, cc_png_reader **reader, cc_png_header *header, cc_message *message);

/// As cc_png_open, of a file in memory. Its bytes must stay there until the reader is closed.
cc_status cc_png_open_bytes(
    const uint8_t *bytes, size_t size, cc_png_reader **reader, cc_png_header *header, cc_message *message);

/// Sets the sample values of a file of 16 bits that become 0 and 255, linearly, in place of 0 and
/// 65535; values beyond them become the nearer. Alpha keeps its range. Before the first row.
void cc_png_set_range(cc_png_reader *reader, double low, double high);

/// Decodes the next `count` rows to `rows`; no more than are left. An interlaced image is decoded
/// whole by the first call. Gray of less than 8 bits is spread over 0...255, 16 bits are scaled to
/// 8 with rounding after tRNS has been compared at full depth. A chunk with a wrong CRC is an
/// error anywhere in the file. A file that ends after the IDAT chunk of the last pixel, without IEND,
/// is not an error. Colours are not converted.
cc_status cc_png_read_rows(
    cc_png_reader *reader, uint8_t *rows, size_t stride, size_t count, cc_message *message);

/// Whether the file ended without IEND, once the last row has been read.
bool cc_png_lacks_end(const cc_png_reader *reader);

/// For an image of 16 bits per sample, called before the first row: its rows will be delivered with
/// 16 bits, in the machine's byte order. header->image.decoder_bytes becomes the memory for that.
void cc_png_keep_depth(cc_png_reader *reader, cc_png_header *header);

/// Called before the first row: palettes and gray of few bits are delivered as RGBA, whether anything
/// is transparent or not. Other forms stay; header->image.bytes_per_pixel says which it is.
void cc_png_prefer_rgba(cc_png_reader *reader, cc_png_header *header);

void cc_png_close(cc_png_reader *reader);

/// Rearranges the samples of pixels: sample c of the result is sample `channels[c]` of the pixel. All
/// but a fourth sample are looked up in `table`, which has 256 entries.
/// A pixel has `size` samples of 8 bits, one of the result `result_size`; the two do not overlap.
void cc_rearrange(
    const uint8_t *pixels, size_t size, size_t count, const uint8_t channels[4], const uint8_t *table,
    uint8_t *result, size_t result_size);

/// Expands opaque pixels of 1 (gray) or 3 samples (red, green, blue) to RGBA. The samples may be at the
/// end of the buffer for the result: pixels are read before they are written over, from the first on.
void cc_expand_to_rgba(const uint8_t *samples, size_t size, uint8_t *result, size_t count);

// JPEG in

typedef struct cc_jpeg_reader cc_jpeg_reader;

typedef enum cc_jpeg_color {
    CC_JPEG_GRAY,
    CC_JPEG_RGB,
    CC_JPEG_YCBCR,
    CC_JPEG_CMYK,
    CC_JPEG_YCCK,
} cc_jpeg_color;

typedef struct cc_jpeg_header {
    cc_image image;
    cc_jpeg_color color;
    bool is_progressive;
} cc_jpeg_header;

/// Opens a JPEG file and reads it up to its first scan. On success *reader is to be closed by the
/// caller.
///
/// A `reduction` of 2, 4 or 8 reads squares of so many pixels as one, out of the low frequencies of
/// each block. The header has the width and height of the reduced image; its last column and row may
/// stand for fewer pixels. 1 reads all pixels.
cc_status cc_jpeg_open(
    const char *path, unsigned reduction, cc_jpeg_reader **reader, cc_jpeg_header *header,
    cc_message *message);

/// As cc_jpeg_open without reduction, of a file in memory. Its bytes must stay there until the reader
/// is closed.
cc_status cc_jpeg_open_bytes(
    const uint8_t *bytes, size_t size, cc_jpeg_reader **reader, cc_jpeg_header *header, cc_message *message);

/// Decodes the next `count` rows to `rows`; no more than are left. An image of several scans is
/// absorbed whole by the first call. Inks become light by multiplication: R = (1 - C) * (1 - K),
/// where a file with an Adobe marker stores 1 - C and 1 - K. What libjpeg would patch with gray,
/// missing or contradictory scan data, is an error here.
cc_status cc_jpeg_read_rows(
    cc_jpeg_reader *reader, uint8_t *rows, size_t stride, size_t count, cc_message *message);

/// Skips the next `count` rows; `row` has room for one. They are decoded only so far that damage is found:
/// for most of them no pixels are made.
cc_status cc_jpeg_skip_rows(cc_jpeg_reader *reader, uint8_t *row, size_t count, cc_message *message);

/// Reads on to the marker that ends the image, once the last row has been read.
cc_status cc_jpeg_read_end(cc_jpeg_reader *reader, cc_message *message);

/// For an image whose colours are inks, called before the first row: rows will be the inks, 4
/// bytes per pixel, 255 for full ink.
void cc_jpeg_keep_inks(cc_jpeg_reader *reader);

void cc_jpeg_close(cc_jpeg_reader *reader);

// TIFF in

/// An image file directory (IFD) of a TIFF file: one image of perhaps several.
typedef struct cc_tiff_directory {
    /// Its offset in the file; never 0.
    uint64_t offset;
    uint32_t width;
    uint32_t height;
    /// Tag 254: bit 0 is set for a reduced image, bit 1 for a page, bit 2 for a mask.
    uint32_t subfile_type;
    uint16_t samples;
    uint16_t bits;
    uint16_t photometric;
    /// Whether it is not in the file's chain, but one that the directory before it refers to.
    bool is_child;
} cc_tiff_directory;

/// Lists the directories of a file in their order, each followed by its children; no more than
/// `capacity`. A chain that leads back into itself, or out of the file, is an error.
cc_status cc_tiff_list(
    const char *path, cc_tiff_directory *directories, size_t capacity, size_t *count, cc_message *message);

/// One open directory; its file stays open with it.
typedef struct cc_tiff_reader cc_tiff_reader;

typedef enum cc_tiff_kind {
    CC_TIFF_UNSIGNED,
    CC_TIFF_SIGNED,
    CC_TIFF_FLOAT,
} cc_tiff_kind;

/// How a directory's image is stored. Values are as in the tags unless said otherwise.
typedef struct cc_tiff_header {
    uint32_t width;
    uint32_t height;
    /// The size of a tile, or of a strip, cut at the edge of the image.
    uint32_t block_width;
    uint32_t block_height;
    bool is_tiled;
    /// Whether each sample has separate blocks.
    bool is_planar;
    bool is_big;
    /// Whether colours come out as RGB of 8 bits, converted by libtiff, whatever the file holds.
    bool is_converted;
    /// Whether blocks are too large to be decoded whole: rows are read from the top.
    bool is_sequential;
    uint16_t samples;
    uint16_t bits;
    cc_tiff_kind kind;
    uint16_t photometric;
    uint16_t compression;
    uint16_t orientation;
    uint16_t ink_set;
    /// Pixels per inch of paper, across and down; 0 if the file does not say it.
    double pixels_per_inch[2];
    /// Tag 296: 2 is an inch, 3 a centimetre.
    uint16_t resolution_unit;
    /// Tag 338, one number for each sample beyond the colours: 1 premultiplied alpha, 2 straight
    /// alpha, 0 anything else.
    uint16_t extra_samples[16];
    uint16_t extra_count;
    /// Memory for a decoded block of all samples.
    uint64_t block_bytes;
    /// Memory for the bytes of the first block of a sample, as the file holds them.
    uint64_t stored_bytes;
    /// Tag 42113 as a number, which may be NaN.
    bool has_nodata;
    double nodata;
    /// The ICC profile, or NULL; it lives as long as the handle.
    const uint8_t *profile;
    size_t profile_size;
} cc_tiff_header;

/// Which parts of a file were read. Handles on several threads may share it.
typedef struct cc_read_log cc_read_log;

/// The bytes of a part.
#define CC_READ_PART ((uint64_t)1 << 19)

/// A log of a file of so many bytes; NULL if there is no memory for it.
cc_read_log *cc_read_log_create(uint64_t size);

/// Whether anything of a part was read, counted from 0.
bool cc_read_log_has(const cc_read_log *log, size_t part);

void cc_read_log_destroy(cc_read_log *log);

/// Opens the directory at an offset that cc_tiff_list gave. On success *reader is to be closed by
/// the caller. The log, which may be NULL, is told what is read, and has to live longer than the reader.
cc_status cc_tiff_open(
    const char *path, uint64_t offset, cc_read_log *log, cc_tiff_reader **reader, cc_tiff_header *header,
    cc_message *message);

/// Opens the same directory of the same file once more, for another thread, with the form, the mask and the
/// log that the reader has.
cc_status cc_tiff_duplicate(const cc_tiff_reader *reader, cc_tiff_reader **duplicate, cc_message *message);

/// The numbers of a tag, of whatever numeric type; writes at most `capacity` and returns how many
/// there are, 0 if the tag is missing or not a number.
size_t cc_tiff_numbers(const cc_tiff_reader *reader, uint32_t tag, double *numbers, size_t capacity);

/// The text of a tag, which lives as long as the handle and need not end with a NUL; NULL if the tag
/// is missing or not text.
const char *cc_tiff_text(const cc_tiff_reader *reader, uint32_t tag, size_t *size);

typedef enum cc_tiff_color {
    /// One sample.
    CC_TIFF_GRAY,
    /// Three samples.
    CC_TIFF_RGB,
    /// One sample, an index into tag 320.
    CC_TIFF_PALETTE,
    /// Four inks, which become light by multiplication: R = (1 - C) * (1 - K).
    CC_TIFF_CMYK,
    /// Four inks that stay inks: 255 is full ink.
    CC_TIFF_INKS,
    /// Three unsigned samples of 8 or 16 bits, L*, a* and b* as the photometric interpretation (8, 9 or 10)
    /// has them, which become sRGB. They have no range.
    CC_TIFF_LAB,
} cc_tiff_color;

/// How samples become pixels.
typedef struct cc_tiff_form {
    cc_tiff_color color;
    /// The samples of the colour, counted from 0; for a palette, its columns.
    uint16_t bands[4];
    /// The sample of alpha, or -1. Its type tells its range: integers up to the largest, floats
    /// from 0 to 1.
    int alpha;
    /// Whether samples of the colour were multiplied by alpha.
    bool is_premultiplied;
    /// The sample values that become 0 and 255, linearly; values beyond them become the nearer.
    /// `low` may be the larger. For a palette: the values of its columns, in 8 bits.
    double low;
    double high;
    /// A pixel is transparent if all samples of its colour are this value, or not a number.
    bool has_nodata;
    double nodata;
    /// 1 gray; 3 red, green, blue; 4 with straight alpha. Inks that stay inks have 4, or 5 with
    /// straight alpha.
    uint32_t bytes_per_pixel;
} cc_tiff_form;

/// Sets the form of the pixels that are read. The samples that it names must be there. An alpha, a mask or a
/// nodata value needs pixels with alpha. Gray needs 1 or 4 bytes, inks that stay inks 4 or 5, all others 3
/// or 4.
cc_status cc_tiff_set_form(cc_tiff_reader *reader, const cc_tiff_form *form, cc_message *message);

/// Lets another directory, of the same width and height and with one sample, say which pixels are
/// transparent: a 0 there makes a pixel transparent, and `opaque` or more leaves it as it is.
///
/// `path` is NULL for a directory of the same file. `opaque` is 0 for the largest value of the samples' type.
cc_status cc_tiff_set_mask(
    cc_tiff_reader *reader, const char *path, uint64_t offset, uint32_t opaque, cc_message *message);

/// Decodes a part of the image that lies within it. A sequential reader delivers whole rows,
/// from the top. Blocks that the file leaves out are nodata, or zeros if there is no nodata value.
cc_status cc_tiff_read(
    cc_tiff_reader *reader, uint32_t column, uint32_t row, uint32_t width, uint32_t height, uint8_t *pixels,
    size_t stride, cc_message *message);

/// Statistics of sample values, all of which are finite.
typedef struct cc_tiff_survey {
    /// The smallest and the largest. If there are no samples, `low` is larger than `high`.
    double low;
    double high;
    /// How often samples occur, in their order; NULL not to count them. There are 65536 counts. Integers of
    /// up to 16 bits are counted by value, from the smallest of their type. Of all others, as floats of 32
    /// bits, the upper 16 of their bits in the order of numbers are counted, or the lower 16 of those samples
    /// whose upper ones are `upper`.
    uint64_t *counts;
    /// -1 to count upper bits.
    int32_t upper;
} cc_tiff_survey;

/// Adds the samples of the colour in a part of the image, except those of transparent pixels. The part is as
/// for cc_tiff_read.
cc_status cc_tiff_look(
    cc_tiff_reader *reader, uint32_t column, uint32_t row, uint32_t width, uint32_t height,
    cc_tiff_survey *survey, cc_message *message);

/// The number with such upper and lower bits.
double cc_tiff_counted_number(uint32_t upper, uint32_t lower);

/// NULL is allowed.
void cc_tiff_close(cc_tiff_reader *reader);

// HEIC and AVIF in

typedef struct cc_heif_reader cc_heif_reader;

/// How many samples of chroma there are to those of luma.
typedef enum cc_heif_chroma {
    CC_HEIF_GRAY,
    /// Half as many across and down.
    CC_HEIF_420,
    /// Half as many across.
    CC_HEIF_422,
    /// As many.
    CC_HEIF_444,
} cc_heif_chroma;

/// Why a file cannot be read that may well be sound: there is a way out for each.
typedef enum cc_heif_obstacle {
    CC_HEIF_NO_OBSTACLE,
    CC_HEIF_NO_LIBRARY,
    CC_HEIF_NO_HEVC_DECODER,
    CC_HEIF_NO_AV1_DECODER,
    CC_HEIF_SEQUENCE,
} cc_heif_obstacle;

/// Its image is the primary one, cut and turned as the file says; an orientation in EXIF does not count.
typedef struct cc_heif_header {
    cc_image image;
    /// AV1, else HEVC.
    bool is_av1;
    cc_heif_chroma chroma;
    /// Of a sample: 8 to 15.
    unsigned bits;
    bool has_alpha;
    /// Tiles that the image is coded as.
    uint32_t columns;
    uint32_t rows;
    /// Images that one could choose from, the primary one among them.
    unsigned images;
    /// Whether something says how to make the image brighter than white.
    bool has_gain_map;
    /// Whether the file holds a sequence of images, too.
    bool has_movie;
    /// Set if opening failed for one of these reasons.
    cc_heif_obstacle obstacle;
} cc_heif_header;

/// Reads a HEIC or AVIF file into memory, and its description; libheif is loaded. On success *reader is to be
/// closed by the caller. The header's obstacle is set on failure, too.
cc_status cc_heif_open(
    const char *path, cc_heif_reader **reader, cc_heif_header *header, cc_message *message);

/// As cc_heif_open, of a file in memory, which is copied.
cc_status cc_heif_open_bytes(
    const uint8_t *bytes, size_t size, cc_heif_reader **reader, cc_heif_header *header, cc_message *message);

/// Called before the first row: rows of an image of more than 8 bits will have 16 bits per sample, from 0 to
/// 65535, in the machine's byte order.
void cc_heif_keep_depth(cc_heif_reader *reader);

/// Delivers the next `count` rows; no more than are left. The first call decodes the whole image. Alpha is
/// straight, even if the file has it multiplied into the colours.
cc_status cc_heif_read_rows(
    cc_heif_reader *reader, void *rows, size_t stride, size_t count, cc_message *message);

void cc_heif_close(cc_heif_reader *reader);

// WebP in

typedef struct cc_webp_reader cc_webp_reader;

typedef struct cc_webp_header {
    cc_image image;
    bool is_lossless;
    bool has_alpha;
    /// Set if opening failed for that reason.
    bool is_animated;
} cc_webp_header;

/// Reads a WebP file of a still image into memory. On success *reader is to be closed by the caller. The
/// header says on failure, too, whether the file is an animation.
cc_status cc_webp_open(
    const char *path, cc_webp_reader **reader, cc_webp_header *header, cc_message *message);

/// Delivers the next `count` rows; no more than are left. The first call decodes the whole image, since
/// libwebp cannot do less. Damage is treated as by cc_webp_decode.
cc_status cc_webp_read_rows(
    cc_webp_reader *reader, uint8_t *rows, size_t stride, size_t count, cc_message *message);

void cc_webp_close(cc_webp_reader *reader);

/// Reads the size of a still WebP image, lossy or lossless. An animation is unsupported.
cc_status cc_webp_read_size(
    const uint8_t *bytes, size_t size, uint32_t *width, uint32_t *height, cc_message *message);

/// Decodes an image of the size that cc_webp_read_size gave: RGBA with straight alpha, in rows without
/// gaps. The format has no checksums: what is damaged decodes, unless it ends early or its codes
/// make no sense.
cc_status cc_webp_decode(
    const uint8_t *bytes, size_t size, uint32_t width, uint32_t height, uint8_t *rgba, cc_message *message);

// Colour

/// The largest profile that is read, in bytes. Profiles of printing presses have 3 MB at most.
enum { CC_LARGEST_PROFILE = 8 << 20 };

/// The components of colours.
typedef enum cc_color_space {
    CC_SPACE_GRAY,
    CC_SPACE_RGB,
    CC_SPACE_CMYK,
} cc_color_space;

/// The layout of pixels in memory, samples interleaved.
typedef struct cc_pixel_form {
    cc_color_space space;
    /// In a pixel: 1 of gray; 3 of RGB, or 4 with alpha; 4 inks, or 5 with alpha. Gray is also 4,
    /// as RGBA whose first three are equal.
    uint32_t samples;
    /// In a sample: 8, or 16 in the machine's byte order. For inks, the largest value is full ink.
    uint32_t bits;
} cc_pixel_form;

/// The libraries of the codecs.
typedef enum cc_library {
    CC_LIBPNG,
    CC_LIBJPEG,
    CC_LIBTIFF,
    CC_LIBWEBP,
    CC_LIBHEIF,
    CC_LCMS,
    CC_LIBDEFLATE,
} cc_library;

/// The name of a library and its version, a space between them. libjpeg and libdeflate do not say
/// theirs: it is the version of their headers. libheif, which is loaded late, has none if it is not
/// installed.
void cc_library_version(cc_library library, cc_message *name);

/// The description of a conversion.
typedef struct cc_color_summary {
    /// The name of the colours, in printable ASCII.
    char description[128];
    /// In a sample that is to be converted: as in the form, or 8 if more makes no visible difference.
    uint32_t bits;
    /// In a pixel that was converted, 8 bits per sample: 1 gray, 3 RGB, 4 RGBA.
    uint32_t bytes_per_pixel;
} cc_color_summary;

/// The conversion of pixels to sRGB.
typedef struct cc_color cc_color;

/// Makes the conversion of pixels with these tags: relative colorimetric, with black point
/// compensation. *color is NULL if values of 8 bits would change by one in 255 at most; otherwise the
/// caller is to destroy it. The tags are not needed afterwards.
///
/// CC_DAMAGED and CC_UNSUPPORTED say that the tags cannot be used; the image can be used without them.
cc_status cc_color_create(
    const cc_color_tags *tags, cc_pixel_form form, cc_color **color, cc_color_summary *summary,
    cc_message *message);

/// Makes the conversion of CIELAB under D50 to sRGB. Its pixels have three samples of 16 bits: 65535 is an L*
/// of 100, and 257 times 128 a colour without a* or b*, of which 257 are one unit.
cc_status cc_color_create_lab(cc_color **color, cc_message *message);

/// Converts pixels, fewer than 2^32. The result does not overlap them. Alpha stays as it is. Unlike
/// a reader, a conversion may be used by several threads at a time.
void cc_color_convert(const cc_color *color, const void *pixels, size_t count, uint8_t *result);

/// NULL is allowed.
void cc_color_destroy(cc_color *color);

// PNG out

typedef struct cc_png_writer cc_png_writer;

typedef enum cc_png_effort {
    CC_PNG_FAST,
    CC_PNG_STANDARD,
    CC_PNG_SMALL,
} cc_png_effort;

/// Bytes of memory that a writer touches, for images that do not shrink to less than half: what is allocated
/// for images that shrink more stays untouched, and takes no memory.
size_t cc_png_writer_bytes(cc_png_effort effort, uint32_t width, uint32_t height);

/// A writer for images of up to width * height pixels; allocates all that encoding them needs.
cc_status cc_png_writer_create(
    cc_png_effort effort, uint32_t width, uint32_t height, cc_png_writer **writer, cc_message *message);

/// Encodes an image of the size given to cc_png_writer_create, RGBA with straight alpha, rows
/// without gaps, as the smallest of gray, palette, gray + alpha, RGB and RGBA that holds its pixels
/// exactly. `is_opaque` says that all alphas are known to be 255; if not, they are looked at. *bytes points
/// into the writer and holds until its next call.
cc_status cc_png_write(
    cc_png_writer *writer, const uint8_t *rgba, bool is_opaque, const uint8_t **bytes, size_t *size,
    cc_message *message);

void cc_png_writer_destroy(cc_png_writer *writer);

/// Encodes the picture of a view in the same forms, in half the time of a standard writer; it is 1 to 10 %
/// larger. Its pixels, RGBA with straight alpha and rows without gaps, are lost: their buffer, which has room
/// for `height` bytes more, is used for compressing. *bytes is to be freed by the caller.
cc_status cc_png_write_view(
    uint8_t *rgba, uint32_t width, uint32_t height, uint8_t **bytes, size_t *size, cc_message *message);

/// Whether RGBA pixels, at least one, are all the same; known at the first that differs.
bool cc_is_uniform(const uint8_t *rgba, size_t pixels);

// JPEG out

typedef struct cc_jpeg_writer cc_jpeg_writer;

/// A writer at libjpeg's `quality`, 1...100: chroma is halved both ways below 90, whole from 90 on. A small
/// file has optimised code words, and is progressive if that is smaller; it decodes to the same pixels.
cc_status cc_jpeg_writer_create(int quality, bool is_small, cc_jpeg_writer **writer, cc_message *message);

/// Encodes RGBA pixels, rows without gaps, as gray if all of them are; alpha is ignored. *bytes
/// points into the writer and holds until its next call. Width and height are 1...65500.
cc_status cc_jpeg_write(
    cc_jpeg_writer *writer, const uint8_t *rgba, uint32_t width, uint32_t height, const uint8_t **bytes,
    size_t *size, cc_message *message);

void cc_jpeg_writer_destroy(cc_jpeg_writer *writer);

// WebP out

typedef struct cc_webp_writer cc_webp_writer;

/// A writer of lossless files, or of lossy ones at libwebp's `quality`, 1...100.
cc_status cc_webp_writer_create(bool is_lossless, int quality, cc_webp_writer **writer, cc_message *message);

/// Encodes RGBA pixels with straight alpha, rows without gaps. Alpha is not looked at if `is_opaque`
/// is set, and is exact otherwise. Lossy files do not keep the colour of alpha 0.
/// *bytes points into the writer and holds until its next call. Width and height are 1...16383.
cc_status cc_webp_write(
    cc_webp_writer *writer, const uint8_t *rgba, uint32_t width, uint32_t height, bool is_opaque,
    const uint8_t **bytes, size_t *size, cc_message *message);

void cc_webp_writer_destroy(cc_webp_writer *writer);

#endif
