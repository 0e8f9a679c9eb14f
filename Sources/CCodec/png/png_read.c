#include <math.h>
#include <png.h>
#include <stdlib.h>
#include <string.h>

#include "png_reader.h"

// libpng reads image data in pieces of 8192 bytes, and drops an incomplete piece with all rows in it. So near
// the end of the file, it gets single bytes: then all rows before the end are decoded.
enum { TAIL = 2 * 8192 };

struct cc_png_reader {
    FILE *file;
    uint64_t bytes_left;  // of the file, by its size when it was opened
    png_structp png;
    png_infop info;
    cc_png_header header;

    // Decodes most images, from the first row on; NULL if libpng decodes.
    cc_direct_form form;
    bool is_direct;
    cc_direct *direct;
    uint8_t chunk_header[CC_CHUNK_HEADER];  // the last that libpng has read

    // The state of decoding.
    bool keeps_depth;
    bool has_begun;
    bool has_failed;
    bool lacks_end;
    uint32_t next_row;
    int pass;        // 1...7 while an interlaced image is decoded, else 0
    uint8_t *whole;  // an interlaced image, decoded

    // If a range of 16 bits is stretched to 8: the range, and a row of 16 bits.
    bool has_range;
    double low;
    double high;
    uint8_t *deep_row;

    // The call in progress: its rows, and the message of an error handler.
    uint8_t *rows;
    size_t stride;
    size_t count;
    bool file_has_ended;
    cc_status status;
    cc_message *message;
};

/// The size of a decoded row. If its samples still have 16 bits, the delivered row is half as long.
static size_t row_bytes(const cc_png_reader *reader) {
    const size_t row = (size_t)reader->header.image.width * reader->header.image.bytes_per_pixel;
    return reader->has_range || reader->keeps_depth ? 2 * row : row;
}

// libpng's callbacks

static void on_error(png_structp png, png_const_charp text) {
    cc_png_reader *reader = png_get_error_ptr(png);
    if (reader->status == CC_OK) { reader->status = cc_fail(reader->message, CC_DAMAGED, "%s", text); }
    png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp text) {
    (void)png;
    (void)text;
}

static png_voidp allocate(png_structp png, png_alloc_size_t size) {
    cc_png_reader *reader = png_get_mem_ptr(png);
    void *memory = malloc(size);
    if (memory == NULL && reader->status == CC_OK) { reader->status = cc_fail_memory(reader->message); }
    return memory;
}

static void release(png_structp png, png_voidp memory) {
    (void)png;
    free(memory);
}

static void on_read(png_structp png, png_bytep bytes, size_t size) {
    cc_png_reader *reader = png_get_io_ptr(png);
    if (fread(bytes, 1, size, reader->file) == size) {
        // libpng says that this "must be performed in a single I/O call".
        const bool is_header = (png_get_io_state(png) & PNG_IO_MASK_LOC) == PNG_IO_CHUNK_HDR;
        if (is_header && size == CC_CHUNK_HEADER) { memcpy(reader->chunk_header, bytes, size); }
        reader->bytes_left -= size < reader->bytes_left ? size : reader->bytes_left;
        if (reader->bytes_left < TAIL) { png_set_compression_buffer_size(png, 1); }
        return;
    }
    reader->file_has_ended = !ferror(reader->file);
    reader->status = cc_fail_read(reader->message, reader->file);
    png_error(png, "");
}

/// Calls a step that may leave through libpng's longjmp. This is the only setjmp. The step is a separate
/// function, so that no local variable has to survive the longjmp.
static cc_status guard(cc_png_reader *reader, void (*step)(cc_png_reader *), cc_message *message) {
    reader->status = CC_OK;
    reader->message = message;
    if (setjmp(png_jmpbuf(reader->png)) == 0) { step(reader); }
    reader->has_failed = reader->status != CC_OK;
    return reader->status;
}

// The header

/// Makes libpng skip unused chunks of any size; their CRC is still checked.
static void ignore_unused_chunks(png_structp png) {
    static const png_byte names[] =
        "bKGD\0cHRM\0gAMA\0hIST\0iCCP\0iTXt\0oFFs\0pCAL\0sBIT\0sCAL\0sPLT\0sRGB\0sTER\0"
        "tEXt\0tIME\0zTXt";
    png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, NULL, 0);
    png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, names, (int)(sizeof names / 5));
}

static uint64_t decoder_bytes(const cc_png_reader *reader) {
    if (reader->is_direct) { return cc_direct_bytes(&reader->form); }
    // libpng keeps at least the current row and the row above in their stored form.
    const uint64_t rows = 2 * (uint64_t)png_get_rowbytes(reader->png, reader->info);
    return rows
        + (reader->header.is_interlaced ? (uint64_t)row_bytes(reader) * reader->header.image.height : 0);
}

/// A resolution in pixels per inch, or 0. The file has whole pixels per metre: 300 per inch are stored as
/// 11811, which is 299.9994. The stored value of a whole number per inch is converted back to that number.
static double per_inch(png_uint_32 per_metre) {
    const double metres_per_inch = 0.0254;
    const double exact = per_metre * metres_per_inch, whole = floor(exact + 0.5);
    return floor(whole / metres_per_inch + 0.5) == per_metre ? whole : exact;
}

static void read_header(cc_png_reader *reader) {
    png_structp png = reader->png;
    png_infop info = reader->info;
    png_set_read_fn(png, reader, on_read);
    png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    png_set_chunk_malloc_max(png, 0);  // it would refuse large chunks that are only skipped
    png_set_crc_action(png, PNG_CRC_ERROR_QUIT, PNG_CRC_ERROR_QUIT);
    // CRCs check every compressed byte, and the Adler-32 of the pixels would take 7 % of decoding.
    png_set_option(png, PNG_IGNORE_ADLER32, PNG_OPTION_ON);
    ignore_unused_chunks(png);
    png_read_info(png, info);

    cc_png_header *header = &reader->header;
    header->bit_depth = png_get_bit_depth(png, info);
    header->color_type = png_get_color_type(png, info);
    header->has_transparency = png_get_valid(png, info, PNG_INFO_tRNS) != 0;
    header->is_interlaced = png_get_interlace_type(png, info) != PNG_INTERLACE_NONE;

    cc_image *image = &header->image;
    image->width = png_get_image_width(png, info);
    image->height = png_get_image_height(png, info);
    const bool has_alpha = (header->color_type & PNG_COLOR_MASK_ALPHA) || header->has_transparency;
    const bool has_color = header->color_type & PNG_COLOR_MASK_COLOR;
    image->bytes_per_pixel = has_alpha ? 4 : has_color ? 3 : 1;
    reader->is_direct = cc_direct_form_of(png, info, &reader->form);
    image->decoder_bytes = decoder_bytes(reader);

    image->pixels_per_inch[0] = per_inch(png_get_x_pixels_per_meter(png, info));
    image->pixels_per_inch[1] = per_inch(png_get_y_pixels_per_meter(png, info));

    png_uint_32 exif_size = 0;
    png_bytep exif = NULL;
    if (png_get_eXIf_1(png, info, &exif_size, &exif) != 0) {
        image->exif = exif;
        image->exif_size = exif_size;
    }
}

static cc_status start(cc_png_reader *reader, cc_message *message) {
    const cc_status found = cc_png_find_color(reader->file, &reader->header.image.color, message);
    if (found != CC_OK) { return found; }
    reader->message = message;
    reader->png = png_create_read_struct_2(
        PNG_LIBPNG_VER_STRING, reader, on_error, on_warning, reader, allocate, release);
    if (reader->png != NULL) { reader->info = png_create_info_struct(reader->png); }
    if (reader->info == NULL) { return cc_fail_memory(message); }
    const cc_status status = guard(reader, read_header, message);
    if (reader->file_has_ended) { cc_fail(message, status, "the file ends before its first row"); }
    return status;
}

cc_status cc_png_open(cc_source source, cc_png_reader **result, cc_png_header *header, cc_message *message) {
    cc_png_reader *reader = calloc(1, sizeof *reader);
    if (reader == NULL) { return cc_fail_memory(message); }
    cc_status status = cc_open(source, &reader->file, &reader->bytes_left, message);
    if (status == CC_OK) { status = start(reader, message); }
    if (status != CC_OK) {
        cc_png_close(reader);
        return status;
    }
    *result = reader;
    *header = reader->header;
    return CC_OK;
}

void cc_png_set_range(cc_png_reader *reader, double low, double high) {
    reader->has_range = reader->header.bit_depth == 16;
    reader->low = low;
    reader->high = high;
}

void cc_png_prefer_rgba(cc_png_reader *reader, cc_png_header *header) {
    if (!reader->is_direct || !reader->form.is_expanded) { return; }
    reader->form.expansion.bytes_per_pixel = 4;
    reader->header.image.bytes_per_pixel = 4;
    header->image.bytes_per_pixel = 4;
}

// Rows

static void run_out_of_memory(cc_png_reader *reader) {
    reader->status = cc_fail_memory(reader->message);
    png_error(reader->png, "");
}

static void begin(cc_png_reader *reader) {
    png_structp png = reader->png;
    png_set_expand(png);  // palette, 1, 2 and 4 bits, and tRNS; libpng scales afterwards
    if (!reader->has_range && !reader->keeps_depth) {
        png_set_scale_16(png);
    } else if (reader->keeps_depth && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__) {
        png_set_swap(png);
    }
    if (reader->header.image.bytes_per_pixel != 1) { png_set_gray_to_rgb(png); }
    if (reader->header.is_interlaced) { png_set_interlace_handling(png); }
    png_read_update_info(png, reader->info);
    if (png_get_rowbytes(png, reader->info) != row_bytes(reader)) {
        png_error(png, "its pixels are of an unknown form");
    }
    if (reader->has_range) {
        reader->deep_row = malloc(row_bytes(reader));
        if (reader->deep_row == NULL) { run_out_of_memory(reader); }
    }
    reader->has_begun = true;
}

/// Not inlined, so that compilers cannot contract the product and the rounding sum.
__attribute__((noinline)) static double level_of(double sample, double low, double factor) {
    return (sample - low) * factor;
}

/// Converts 16 bits, high byte first, to 8.
static void stretch(const cc_png_reader *reader, const uint8_t *deep, uint8_t *row) {
    const size_t size = reader->header.image.bytes_per_pixel;
    const double factor = 255 / (reader->high - reader->low);
    for (size_t i = 0; i < reader->header.image.width * size; i++) {
        const unsigned sample = (unsigned)deep[2 * i] << 8 | deep[2 * i + 1];
        const double level = level_of(sample, reader->low, factor);
        row[i] = size == 4 && i % 4 == 3 ? (uint8_t)((sample + 128) / 257)
            : level >= 255               ? 255
            : level > 0                  ? (uint8_t)(level + 0.5)
                                         : 0;
    }
}

static void decode_interlaced(cc_png_reader *reader) {
    const size_t size = row_bytes(reader);
    const uint32_t height = reader->header.image.height;
    // 4 * (2^31 - 1)^2, the largest product, fits. Not png_calloc: that touches every page at once.
    reader->whole = calloc(height, size);
    if (reader->whole == NULL) { run_out_of_memory(reader); }
    for (reader->pass = 1; reader->pass <= PNG_INTERLACE_ADAM7_PASSES; reader->pass++) {
        for (uint32_t row = 0; row < height; row++) {
            png_read_row(reader->png, reader->whole + row * size, NULL);
        }
    }
    reader->pass = 0;
}

static void read_rows(cc_png_reader *reader) {
    if (!reader->has_begun) {
        begin(reader);
        if (reader->header.is_interlaced) { decode_interlaced(reader); }
    }
    const size_t size = row_bytes(reader);
    for (size_t i = 0; i < reader->count; i++) {
        uint8_t *row = reader->rows + i * reader->stride;
        uint8_t *deep = reader->whole == NULL ? reader->deep_row : reader->whole + reader->next_row * size;
        if (reader->whole == NULL) {
            png_read_row(reader->png, deep != NULL ? deep : row, NULL);
        } else if (!reader->has_range) {
            memcpy(row, deep, size);
        }
        if (reader->has_range) { stretch(reader, deep, row); }
        reader->next_row++;
    }
}

static void read_end(cc_png_reader *reader) { png_read_end(reader->png, NULL); }

/// Whether the file ended only after the last IDAT chunk and its CRC, so that all pixels are sound.
static bool lacks_only_its_end(const cc_png_reader *reader) {
    const bool is_between_chunks = (png_get_io_state(reader->png) & PNG_IO_MASK_LOC) == PNG_IO_CHUNK_HDR;
    const bool is_in_image_data = png_get_io_chunk_type(reader->png) == CC_IDAT;
    return reader->file_has_ended && (is_between_chunks || !is_in_image_data);
}

/// Prefixes the reason with the position in the image.
static void locate(const cc_png_reader *reader, cc_message *message) {
    const cc_message reason = *message;
    if (reader->pass != 0 && reader->file_has_ended) {
        cc_fail(message, CC_DAMAGED, "the file ends in pass %d of 7 of its interlaced rows", reader->pass);
    } else if (reader->pass != 0) {
        cc_fail(
            message, CC_DAMAGED, "pass %d of 7 of its interlaced rows is damaged: %.150s", reader->pass,
            reason.text);
    } else {
        cc_fail_at_row(message, reader->file_has_ended, reader->next_row, reader->header.image.height);
    }
}

static cc_status read_with_libpng(cc_png_reader *reader, cc_message *message) {
    cc_status status = guard(reader, read_rows, message);
    if (status == CC_OK && reader->count > 0 && reader->next_row == reader->header.image.height) {
        status = guard(reader, read_end, message);
        if (status == CC_DAMAGED && lacks_only_its_end(reader)) {
            reader->lacks_end = true;
            status = CC_OK;
        }
    }
    return status;
}

static cc_status read_directly(cc_png_reader *reader, cc_message *message) {
    if (reader->direct == NULL) {
        reader->direct = cc_direct_create(&reader->form, reader->file, reader->chunk_header);
        if (reader->direct == NULL) { return cc_fail_memory(message); }
    }
    size_t decoded;
    const bool is_sound =
        cc_direct_read(reader->direct, reader->rows, reader->stride, reader->count, &decoded);
    reader->next_row += (uint32_t)decoded;
    const cc_failure *failure = cc_direct_failure(reader->direct);
    if (is_sound) {
        reader->lacks_end = failure->file_has_ended;
        return CC_OK;
    }
    reader->has_failed = true;
    reader->file_has_ended = failure->file_has_ended;
    *message = failure->reason;
    return failure->status;
}

cc_status cc_png_read_rows(
    cc_png_reader *reader, uint8_t *rows, size_t stride, size_t count, cc_message *message) {
    if (reader->has_failed || count > reader->header.image.height - reader->next_row) {
        return cc_fail(message, CC_DAMAGED, "there are no more rows");
    }
    reader->rows = rows;
    reader->stride = stride;
    reader->count = count;
    const cc_status status =
        reader->is_direct ? read_directly(reader, message) : read_with_libpng(reader, message);
    if (status == CC_DAMAGED) { locate(reader, message); }
    return status;
}

bool cc_png_lacks_end(const cc_png_reader *reader) { return reader->lacks_end; }

void cc_png_keep_depth(cc_png_reader *reader, cc_png_header *header) {
    reader->keeps_depth = true;
    header->image.decoder_bytes = decoder_bytes(reader);
}

void cc_png_close(cc_png_reader *reader) {
    cc_direct_destroy(reader->direct);
    if (reader->png != NULL) { png_destroy_read_struct(&reader->png, &reader->info, NULL); }
    if (reader->file != NULL) { fclose(reader->file); }
    free((void *)reader->header.image.color.profile);
    free(reader->whole);
    free(reader->deep_row);
    free(reader);
}
