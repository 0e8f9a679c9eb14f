// Wraps libpng, libjpeg, libtiff, libwebp, libheif, libdeflate and lcms2. These functions hide setjmp, error
// handlers and the libraries' structs.
//
// Threading: there are no globals. A handle is used by one thread at a time; different handles are
// independent of each other.
// Errors: a function that can fail returns a status. Unless the status is CC_OK, the message is one English
// clause, in lower case, without the file's name and without a full stop. A reader that has failed may only
// be closed. A writer that has failed can encode the next image.
// Sizes: widths, heights and counts are in pixels or rows; strides and buffers are in bytes.

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
    /// The file seems sound, but its kind is not supported.
    CC_UNSUPPORTED,
    /// The system refused memory, or another system limit is reached.
    CC_OUT_OF_MEMORY,
} cc_status;

/// The reason why a call failed: NUL-terminated, truncated if it is too long.
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

/// The colours of a file: a profile, or else a few numbers. All are zero for sRGB, or if the file does not
/// describe its colours.
typedef struct cc_color_tags {
    /// An ICC profile, or NULL; it lives as long as the handle of the file.
    const uint8_t *profile;
    size_t profile_size;
    cc_transfer transfer;
    /// A sample is light to the power of `gamma`: 0.45455 for what is usually called gamma 2.2.
    double gamma;
    /// Whether primaries or white differ from sRGB's.
    bool has_chromaticities;
    /// CIE 1931 x and y of white, red, green and blue.
    double chromaticities[8];
    /// One clause that says which part cannot be used, or empty.
    cc_message problem;
} cc_color_tags;

/// The description of an image, from its header.
typedef struct cc_image {
    uint32_t width;
    uint32_t height;
    /// In a delivered row: 1 gray; 3 red, green, blue; 4 with straight alpha. 8 bits each.
    uint32_t bytes_per_pixel;
    /// Memory that the decoder will allocate when the first row is read.
    uint64_t decoder_bytes;
    /// The EXIF block, starting at its TIFF header, or NULL; it lives as long as the handle.
    const uint8_t *exif;
    size_t exif_size;
    /// Pixels per inch of paper, across and down; 0 if unknown.
    double pixels_per_inch[2];
    cc_color_tags color;
} cc_image;

/// A file to be read.
typedef struct cc_source {
    /// Where it is; NULL for a file in memory.
    const char *path;
    /// The bytes of a file in memory, at least one. They must stay there until the reader is closed.
    const uint8_t *bytes;
    size_t size;
} cc_source;

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

/// Opens a PNG file and reads it up to its first pixel. libpng's limits on width and height are raised to the
/// format's limits; this call allocates no memory in proportion to width or height. On success, the caller
/// must close *reader.
cc_status cc_png_open(cc_source source, cc_png_reader **reader, cc_png_header *header, cc_message *message);

/// Sets the range for a file of 16 bits, before the first row is read: samples from `low` to `high` become
/// 0...255, linearly, instead of samples from 0 to 65535. Samples outside the range become 0 or 255. Alpha
/// keeps its range.
void cc_png_set_range(cc_png_reader *reader, double low, double high);

/// Decodes the next `count` rows to `rows`; `count` is at most the number of rows that are left. For an
/// interlaced image, the first call decodes all rows. Gray of less than 8 bits is scaled to 0...255. 16 bits
/// are compared with tRNS, then scaled to 8 with rounding. A wrong CRC is an error in any chunk. It is not an
/// error if the file ends after the IDAT chunk of the last pixel, without IEND. Colours are not converted.
cc_status cc_png_read_rows(
    cc_png_reader *reader, uint8_t *rows, size_t stride, size_t count, cc_message *message);

/// Whether the file ended without IEND, once the last row has been read.
bool cc_png_lacks_end(const cc_png_reader *reader);

/// Delivers rows of an image of 16 bits per sample with 16 bits, in the machine's byte order. Must be called
/// before the first row is read. Updates header->image.decoder_bytes.
void cc_png_keep_depth(cc_png_reader *reader, cc_png_header *header);

/// Delivers rows of palette images, and of gray images of less than 8 bits, as RGBA, even if all pixels are
/// opaque. Call it before the first row is read. It updates header->image.bytes_per_pixel.
void cc_png_prefer_rgba(cc_png_reader *reader, cc_png_header *header);

void cc_png_close(cc_png_reader *reader);

/// Rearranges the samples of pixels: sample c of the result is sample `channels[c]` of the pixel. All samples
/// except the fourth, if there is one, are mapped through `table`, which has 256 entries. A pixel has `size`
/// samples of 8 bits, a pixel of the result `result_size`; the buffers do not overlap.
void cc_rearrange(
    const uint8_t *pixels, size_t size, size_t count, const uint8_t channels[4], const uint8_t *table,
    uint8_t *result, size_t result_size);

/// Expands opaque pixels of 1 (gray) or 3 samples (red, green, blue) to RGBA. The samples may be at the
/// end of the result's buffer: each pixel is read before it is overwritten, from the first one on.
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

/// Opens a JPEG file and reads it up to its first scan. On success, the caller must close *reader.
///
/// With a `reduction` of 2, 4 or 8, each square of 2 x 2, 4 x 4 or 8 x 8 pixels is read as one pixel, from
/// the low frequencies of each block. The header has the width and height of the reduced image; its last
/// column and row may cover fewer pixels. With 1, all pixels are read.
cc_status cc_jpeg_open(
    cc_source source, unsigned reduction, cc_jpeg_reader **reader, cc_jpeg_header *header,
    cc_message *message);

/// Decodes the next `count` rows to `rows`; `count` is at most the number of rows that are left. For an image
/// of several scans, the first call reads all scans. Inks are multiplied: R = (1 - C) * (1 - K); a file with
/// an Adobe marker stores 1 - C and 1 - K. Missing or contradictory scan data, which libjpeg would replace by
/// gray, are an error.
cc_status cc_jpeg_read_rows(
    cc_jpeg_reader *reader, uint8_t *rows, size_t stride, size_t count, cc_message *message);

/// Skips the next `count` rows; `row` has room for one row. The rows are decoded only as far as is necessary
/// to find damage: for most of them, no pixels are computed.
cc_status cc_jpeg_skip_rows(cc_jpeg_reader *reader, uint8_t *row, size_t count, cc_message *message);

/// Reads up to the end marker of the image. Call it after the last row has been read.
cc_status cc_jpeg_read_end(cc_jpeg_reader *reader, cc_message *message);

/// Delivers rows of a CMYK image as inks: 4 bytes per pixel, 255 for full ink. Must be called before the
/// first row is read.
void cc_jpeg_keep_inks(cc_jpeg_reader *reader);

void cc_jpeg_close(cc_jpeg_reader *reader);

// TIFF in

/// An image file directory (IFD) of a TIFF file, which describes one image.
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
    /// Whether it is a child of a directory before it, and not in the file's chain.
    bool is_child;
} cc_tiff_directory;

/// A log of the parts of a file that were read. Handles on several threads may share a log.
typedef struct cc_read_log cc_read_log;

/// Makes some bytes of a file available, before they are read; false if it fails. Called on any thread.
typedef bool (*cc_fetch)(void *context, uint64_t offset, uint64_t count);

/// The size of a part in bytes.
#define CC_READ_PART ((uint64_t)1 << 19)

/// Creates a log for a file of `size` bytes; NULL if there is not enough memory. `fetch` is NULL for a file
/// that is all there; a failure of it is a failure to read.
cc_read_log *cc_read_log_create(uint64_t size, cc_fetch fetch, void *context);

/// Whether any byte of a part was read. Parts are counted from 0.
bool cc_read_log_has(const cc_read_log *log, size_t part);

void cc_read_log_destroy(cc_read_log *log);

/// Lists the directories of a file in order, each followed by its children, up to `capacity` of them. A chain
/// with a loop, or with an offset beyond the file's end, is an error. `log` may be NULL.
cc_status cc_tiff_list(
    const char *path, cc_read_log *log, cc_tiff_directory *directories, size_t capacity, size_t *count,
    cc_message *message);

/// One open directory; its file stays open with it.
typedef struct cc_tiff_reader cc_tiff_reader;

typedef enum cc_tiff_kind {
    CC_TIFF_UNSIGNED,
    CC_TIFF_SIGNED,
    CC_TIFF_FLOAT,
} cc_tiff_kind;

/// The storage of a directory's image. Values are as in the tags unless a comment says otherwise.
typedef struct cc_tiff_header {
    uint32_t width;
    uint32_t height;
    /// The size of a tile or a strip. A strip is not higher than the image.
    uint32_t block_width;
    uint32_t block_height;
    bool is_tiled;
    /// Whether each sample has separate blocks.
    bool is_planar;
    bool is_big;
    /// Whether libtiff converts all colours to RGB of 8 bits.
    bool is_converted;
    /// Whether blocks are too large to be decoded whole; then rows are read from the top.
    bool is_sequential;
    uint16_t samples;
    uint16_t bits;
    cc_tiff_kind kind;
    uint16_t photometric;
    uint16_t compression;
    uint16_t orientation;
    uint16_t ink_set;
    /// Pixels per inch of paper, across and down; 0 if unknown.
    double pixels_per_inch[2];
    /// Tag 296: 2 is an inch, 3 a centimetre.
    uint16_t resolution_unit;
    /// Tag 338, one number for each sample beyond the colours: 1 premultiplied alpha, 2 straight
    /// alpha, 0 anything else.
    uint16_t extra_samples[16];
    uint16_t extra_count;
    /// Memory for a decoded block of all samples.
    uint64_t block_bytes;
    /// Memory for the bytes of the first block, as they are in the file (of one sample if is_planar).
    uint64_t stored_bytes;
    /// Tag 42113 as a number, which may be NaN.
    bool has_nodata;
    double nodata;
    /// The ICC profile, or NULL; it lives as long as the handle.
    const uint8_t *profile;
    size_t profile_size;
} cc_tiff_header;

/// Opens the directory at an offset from cc_tiff_list. On success, the caller must close *reader. The parts
/// that are read are noted in `log`, which may be NULL and must live longer than the reader.
cc_status cc_tiff_open(
    const char *path, uint64_t offset, cc_read_log *log, cc_tiff_reader **reader, cc_tiff_header *header,
    cc_message *message);

/// Opens the reader's directory again, for another thread, with the same form, mask and log.
cc_status cc_tiff_duplicate(const cc_tiff_reader *reader, cc_tiff_reader **duplicate, cc_message *message);

/// Reads the numbers of a tag of any numeric type. Writes at most `capacity` numbers, and returns the count
/// of all, 0 if the tag is missing or not numeric.
size_t cc_tiff_numbers(const cc_tiff_reader *reader, uint32_t tag, double *numbers, size_t capacity);

/// The text of a tag; NULL if the tag is missing or not text. The text lives as long as the handle, and may
/// lack a NUL at its end.
const char *cc_tiff_text(const cc_tiff_reader *reader, uint32_t tag, size_t *size);

typedef enum cc_tiff_color {
    /// One sample.
    CC_TIFF_GRAY,
    /// Three samples.
    CC_TIFF_RGB,
    /// One sample, an index into tag 320.
    CC_TIFF_PALETTE,
    /// Four inks, converted to light by multiplication: R = (1 - C) * (1 - K).
    CC_TIFF_CMYK,
    /// Four inks that stay inks: 255 is full ink.
    CC_TIFF_INKS,
    /// Three unsigned samples of 8 or 16 bits, converted to sRGB: L*, a* and b*, encoded as the photometric
    /// interpretation (8, 9 or 10) defines. `low` and `high` do not apply.
    CC_TIFF_LAB,
} cc_tiff_color;

/// The conversion of samples to pixels.
typedef struct cc_tiff_form {
    cc_tiff_color color;
    /// The samples of the colour, counted from 0; for a palette, its columns: 0 red, 1 green, 2 blue.
    uint16_t bands[4];
    /// The sample of alpha, or -1. Its range is from 0 to the largest value of the type for integers, from 0
    /// to 1 for floats.
    int alpha;
    /// Whether samples of the colour were multiplied by alpha.
    bool is_premultiplied;
    /// The sample values that become 0 and 255, linearly. Values outside this range become 0 or 255. `low`
    /// may be larger than `high`. For a palette, they are values of its columns, scaled to 8 bits.
    double low;
    double high;
    /// If `has_nodata`, a pixel is transparent if each sample of its colour is `nodata` or NaN.
    bool has_nodata;
    double nodata;
    /// 1 gray; 3 red, green, blue; 4 with straight alpha. CC_TIFF_INKS has 4, or 5 with straight alpha.
    uint32_t bytes_per_pixel;
} cc_tiff_form;

/// Sets the form of the pixels that are read. The file must have the samples that the form names. An alpha, a
/// mask or a nodata value needs pixels with alpha. The bytes of a pixel are 1 or 4 for gray, 4 or 5 for
/// CC_TIFF_INKS, and 3 or 4 for all other colours.
cc_status cc_tiff_set_form(cc_tiff_reader *reader, const cc_tiff_form *form, cc_message *message);

/// Uses another directory as a mask. It must have the same width and height, and one sample. Where the mask
/// is 0, the pixel is transparent; where it is `opaque` or more, the pixel stays as it is.
///
/// `path` is NULL for a directory of the same file; else `log` is that of the mask's file, or NULL. An
/// `opaque` of 0 means the largest value of the sample's type.
cc_status cc_tiff_set_mask(
    cc_tiff_reader *reader, const char *path, cc_read_log *log, uint64_t offset, uint32_t opaque,
    cc_message *message);

/// Statistics of sample values, all of which are finite.
typedef struct cc_tiff_survey {
    /// The smallest and the largest value. If there are no samples, `low` is larger than `high`.
    double low;
    double high;
    /// A histogram of 65536 counts; NULL for no histogram. Integers of up to 16 bits are counted by value,
    /// starting with the smallest of their type. All other samples are converted to floats of 32 bits, whose
    /// bits are ordered like the numbers. Either their upper 16 bits are counted, or the lower 16 bits of the
    /// samples whose upper 16 bits are `upper`.
    uint64_t *counts;
    /// -1 to count the upper 16 bits.
    int32_t upper;
} cc_tiff_survey;

/// A part of the image, which must be inside the image, and the use of its pixels.
typedef struct cc_tiff_task {
    uint32_t column;
    uint32_t row;
    uint32_t width;
    uint32_t height;
    /// Where the pixels go, and the distance of their rows.
    uint8_t *pixels;
    size_t stride;
    /// If it is not NULL, no pixels are made: the samples of the colour are added to the survey, except those
    /// of transparent pixels.
    cc_tiff_survey *survey;
} cc_tiff_task;

/// The most bytes of a block, as it is in the file, that are read: 4 GiB. A literal, since Swift takes
/// `1 << 32` for a number of 32 bits.
#define CC_LARGEST_BLOCK 0x100000000

/// Some bytes of a file.
typedef struct cc_byte_range {
    uint64_t offset;
    uint64_t count;
} cc_byte_range;

/// The bytes in the file of the blocks that a part of the image touches, row by row of blocks; those of its
/// mask if `of_mask`, none if it has no mask. Blocks that the file leaves out are left out. Writes at most
/// `capacity` ranges, and returns the count of all.
size_t cc_tiff_stored(
    cc_tiff_reader *reader, const cc_tiff_task *task, bool of_mask, cc_byte_range *ranges, size_t capacity);

/// Decodes a part of the image. A sequential reader delivers whole rows, from the top. Missing blocks are
/// filled with the nodata value, or with zeros if there is none.
cc_status cc_tiff_read(cc_tiff_reader *reader, const cc_tiff_task *task, cc_message *message);

/// The number with these upper and lower 16 bits.
double cc_tiff_counted_number(uint32_t upper, uint32_t lower);

/// NULL is allowed.
void cc_tiff_close(cc_tiff_reader *reader);

// HEIC and AVIF in

typedef struct cc_heif_reader cc_heif_reader;

/// The resolution of chroma compared with luma.
typedef enum cc_heif_chroma {
    CC_HEIF_GRAY,
    /// Half, across and down.
    CC_HEIF_420,
    /// Half, across.
    CC_HEIF_422,
    /// The same.
    CC_HEIF_444,
} cc_heif_chroma;

/// Reasons why a file that may be sound cannot be read. The user can work around each of them.
typedef enum cc_heif_obstacle {
    CC_HEIF_NO_OBSTACLE,
    CC_HEIF_NO_LIBRARY,
    CC_HEIF_NO_HEVC_DECODER,
    CC_HEIF_NO_AV1_DECODER,
    CC_HEIF_SEQUENCE,
} cc_heif_obstacle;

/// The header of a HEIC or AVIF file. It describes the primary image, cropped and turned by the file's
/// properties; the EXIF orientation is ignored.
typedef struct cc_heif_header {
    cc_image image;
    /// Whether the codec is AV1, else HEVC.
    bool is_av1;
    cc_heif_chroma chroma;
    /// Bits of a sample: 8 to 15.
    unsigned bits;
    bool has_alpha;
    /// The grid of tiles in which the image is coded.
    uint32_t columns;
    uint32_t rows;
    /// The number of images to choose from, including the primary one.
    unsigned images;
    /// Whether the file has a gain map, which makes parts of the image brighter than white.
    bool has_gain_map;
    /// Whether the file also contains a sequence of images.
    bool has_movie;
    /// Set if opening failed for one of the reasons above.
    cc_heif_obstacle obstacle;
} cc_heif_header;

/// Reads a HEIC or AVIF file into memory, parses its description, and loads libheif. On success, the caller
/// must close *reader. The header's obstacle is set even on failure.
cc_status cc_heif_open(
    cc_source source, cc_heif_reader **reader, cc_heif_header *header, cc_message *message);

/// Delivers rows of an image of more than 8 bits with 16 bits per sample, from 0 to 65535, in the machine's
/// byte order. Must be called before the first row is read.
void cc_heif_keep_depth(cc_heif_reader *reader);

/// Delivers the next `count` rows; `count` is at most the number of rows that are left. The first call
/// decodes the whole image. Alpha is straight, even if the file has premultiplied colours.
cc_status cc_heif_read_rows(
    cc_heif_reader *reader, void *rows, size_t stride, size_t count, cc_message *message);

void cc_heif_close(cc_heif_reader *reader);

// WebP in

typedef struct cc_webp_reader cc_webp_reader;

typedef struct cc_webp_header {
    cc_image image;
    bool is_lossless;
    /// Set if opening failed because the file is an animation.
    bool is_animated;
} cc_webp_header;

/// Reads a WebP file of a still image into memory. On success, the caller must close *reader. The header's
/// is_animated is set even on failure.
cc_status cc_webp_open(
    cc_source source, cc_webp_reader **reader, cc_webp_header *header, cc_message *message);

/// Delivers rows of an opaque image as RGBA, too. Call it before the first row is read. It updates
/// header->image.bytes_per_pixel.
void cc_webp_prefer_rgba(cc_webp_reader *reader, cc_webp_header *header);

/// Delivers the next `count` rows; `count` is at most the number of rows that are left. The first call
/// decodes the whole image, since libwebp cannot decode less. The format has no checksums: damaged data are
/// decoded, unless they end early or contain invalid codes.
cc_status cc_webp_read_rows(
    cc_webp_reader *reader, uint8_t *rows, size_t stride, size_t count, cc_message *message);

void cc_webp_close(cc_webp_reader *reader);

// Colour

/// The size limit for profiles, in bytes. Profiles of printing presses have at most 3 MB.
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
    /// Samples in a pixel: 1 for gray; 3 for RGB, 4 with alpha; 4 for inks, 5 with alpha. Gray may also have
    /// 4, as RGBA whose first three samples are equal.
    uint32_t samples;
    /// Bits in a sample: 8, or 16 in the machine's byte order. For inks, the largest value is full ink.
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

/// The name of a library and its version, separated by a space. For libjpeg and libdeflate, which do not
/// report their version, it is the version of their headers. libheif is loaded late: if it is not installed,
/// it has no version.
void cc_library_version(cc_library library, cc_message *name);

/// The description of a conversion.
typedef struct cc_color_summary {
    /// The name of the colours, in printable ASCII.
    char description[128];
    /// Bits in a sample to be converted: as in the form, or 8 if more bits make no visible difference.
    uint32_t bits;
    /// Bytes in a converted pixel, 8 bits per sample: 1 gray, 3 RGB, 4 RGBA.
    uint32_t bytes_per_pixel;
} cc_color_summary;

/// The conversion of pixels to sRGB.
typedef struct cc_color cc_color;

/// Creates the conversion of pixels with these tags: relative colorimetric, with black point compensation.
/// *color is NULL if values of 8 bits would change by at most 1 of 255; otherwise the caller must destroy it.
/// The tags are not needed afterwards.
///
/// If they are NULL, the pixels are CIELAB under D50, with three samples of 16 bits. An L* of 100 is 65535.
/// An a* or b* of 0 is 257 * 128, and one unit of a* or b* is 257. Then *color is NULL only if memory is
/// lacking.
///
/// CC_DAMAGED and CC_UNSUPPORTED mean that the tags cannot be used; the image can be used without them.
cc_status cc_color_create(
    const cc_color_tags *tags, cc_pixel_form form, cc_color **color, cc_color_summary *summary,
    cc_message *message);

/// Converts fewer than 2^32 pixels. The result must not overlap the pixels. Alpha stays as it is. Unlike a
/// reader, a conversion may be used by several threads at a time.
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

/// Bytes of memory that a writer touches, for images that do not shrink to less than half. Images that shrink
/// more leave part of the allocation untouched, which takes no memory.
size_t cc_png_writer_bytes(cc_png_effort effort, uint32_t width, uint32_t height);

/// Creates a writer for images of up to width * height pixels, and allocates all memory for encoding.
cc_status cc_png_writer_create(
    cc_png_effort effort, uint32_t width, uint32_t height, cc_png_writer **writer, cc_message *message);

/// Encodes an image of the size given to cc_png_writer_create: RGBA with straight alpha, rows without gaps.
/// The smallest form that holds its pixels exactly is used: gray, palette, gray + alpha, RGB or RGBA.
/// `is_opaque` says that all alphas are known to be 255; otherwise they are examined. *bytes points into the
/// writer, and is valid until the writer's next call.
cc_status cc_png_write(
    cc_png_writer *writer, const uint8_t *rgba, bool is_opaque, const uint8_t **bytes, size_t *size,
    cc_message *message);

void cc_png_writer_destroy(cc_png_writer *writer);

/// Encodes the picture of a view in the same forms. It takes half the time of a standard writer; the file is
/// 1 to 10 % larger. The pixels are RGBA with straight alpha, rows without gaps. Their buffer must have room
/// for `height` bytes more: it is used for compressing, so the pixels are lost. The caller must free *bytes.
cc_status cc_png_write_view(
    uint8_t *rgba, uint32_t width, uint32_t height, uint8_t **bytes, size_t *size, cc_message *message);

// JPEG out

typedef struct cc_jpeg_writer cc_jpeg_writer;

/// Creates a writer with libjpeg's `quality`, 1...100. Below 90, chroma is halved both ways; from 90 on, it
/// keeps its resolution. With `is_small`, a file has optimised code words, and is progressive if that makes
/// it smaller; it decodes to the same pixels.
cc_status cc_jpeg_writer_create(int quality, bool is_small, cc_jpeg_writer **writer, cc_message *message);

/// Encodes RGBA pixels, rows without gaps, as gray if all of them are gray; alpha is ignored. *bytes points
/// into the writer, and is valid until the writer's next call. Width and height are 1...65500.
cc_status cc_jpeg_write(
    cc_jpeg_writer *writer, const uint8_t *rgba, uint32_t width, uint32_t height, const uint8_t **bytes,
    size_t *size, cc_message *message);

void cc_jpeg_writer_destroy(cc_jpeg_writer *writer);

// WebP out

typedef struct cc_webp_writer cc_webp_writer;

/// Creates a writer of lossless files, or of lossy files with libwebp's `quality`, 1...100.
cc_status cc_webp_writer_create(bool is_lossless, int quality, cc_webp_writer **writer, cc_message *message);

/// Encodes RGBA pixels with straight alpha, rows without gaps. With `is_opaque`, alpha is ignored; otherwise
/// it is encoded exactly. Lossy files do not keep the colour of pixels whose alpha is 0. *bytes points into
/// the writer, and is valid until the writer's next call. Width and height are 1...16383.
cc_status cc_webp_write(
    cc_webp_writer *writer, const uint8_t *rgba, uint32_t width, uint32_t height, bool is_opaque,
    const uint8_t **bytes, size_t *size, cc_message *message);

void cc_webp_writer_destroy(cc_webp_writer *writer);

#endif
