#include <png.h>
#include <string.h>

#include "png_writer.h"

enum { GRAY = 0, RGB = 2, PALETTE = 3, GRAY_ALPHA = 4, RGBA = 6, TOO_DEEP = 16 };

static void set(cc_form *form, int color_type, int bit_depth, int samples) {
    form->color_type = color_type;
    form->bit_depth = bit_depth;
    form->pixel_bits = bit_depth * samples;
}

/// The fewest bits in which `count` values can be told apart.
static int index_depth(int count) { return count <= 2 ? 1 : count <= 4 ? 2 : count <= 16 ? 4 : 8; }

/// The fewest bits that hold all colours as shades of gray: d bits hold the multiples of
/// 255 / (2^d - 1). TOO_DEEP if a colour is not gray or not opaque.
static int gray_depth(const cc_colors *colors) {
    int depth = 1;
    for (int i = 0; i < colors->count; i++) {
        const cc_rgba color = colors->colors[i];
        if (color.a != 255 || color.r != color.g || color.r != color.b) { return TOO_DEEP; }
        while (color.r % (255 / ((1 << depth) - 1)) != 0) { depth *= 2; }
    }
    return depth;
}

static void use_gray(const cc_colors *colors, int depth, cc_form *form) {
    set(form, GRAY, depth, 1);
    for (int i = 0; i < colors->count; i++) {
        form->values[i] = (uint8_t)(colors->colors[i].r / (255 / ((1 << depth) - 1)));
    }
}

/// The colour that most rows begin with, by its index in the list of colours.
static int first_color(const uint8_t *indices, size_t width, size_t height) {
    size_t rows[CC_MOST_COLORS] = {0};
    for (size_t y = 0; y < height; y++) { rows[indices[y * width]]++; }
    int first = 0;
    for (int i = 1; i < CC_MOST_COLORS; i++) {
        if (rows[i] > rows[first]) { first = i; }
    }
    return first;
}

static void append(const cc_colors *colors, int place, cc_form *form) {
    form->values[place] = (uint8_t)form->palette_size;
    form->palette[form->palette_size++] = colors->colors[place];
}

/// Entry 0 is `first`, the colour that most rows begin with: it repeats their filter byte, 0, so a match is a
/// pixel longer. The others keep their order, but those that are not opaque come first: tRNS ends with the
/// last of these.
static void use_palette(const cc_colors *colors, int first, int depth, cc_form *form) {
    set(form, PALETTE, depth, 1);
    form->palette_size = 0;
    append(colors, first, form);
    if (colors->colors[first].a != 255) { form->transparent_entries = form->palette_size; }
    for (int is_opaque = 0; is_opaque <= 1; is_opaque++) {
        for (int i = 0; i < colors->count; i++) {
            if (i == first || (colors->colors[i].a == 255) != is_opaque) { continue; }
            append(colors, i, form);
            if (!is_opaque) { form->transparent_entries = form->palette_size; }
        }
    }
}

void cc_choose_form(
    const uint8_t *rgba, size_t width, size_t height, bool is_opaque, uint8_t *indices, cc_form *form) {
    cc_colors colors;
    form->is_indexed = cc_count_colors(rgba, width, height, &colors, indices);
    form->palette_size = 0;
    form->transparent_entries = 0;
    if (form->is_indexed) {
        const int as_gray = gray_depth(&colors);
        const int as_index = index_depth(colors.count);
        if (as_gray <= as_index) {
            use_gray(&colors, as_gray, form);
        } else {
            use_palette(&colors, first_color(indices, width, height), as_index, form);
        }
        return;
    }
    const size_t pixels = width * height;
    // More than 256 colours cannot all be gray and opaque.
    if (is_opaque || cc_is_opaque(rgba, pixels)) {
        set(form, RGB, 8, 3);
    } else if (cc_is_gray(rgba, pixels)) {
        set(form, GRAY_ALPHA, 8, 2);
    } else {
        set(form, RGBA, 8, 4);
    }
}

static void pack_values(const cc_form *form, const uint8_t *indices, size_t width, uint8_t *packed) {
    const int depth = form->bit_depth;
    const size_t per_byte = (size_t)(8 / depth);
    for (size_t x = 0; x < width; x += per_byte) {
        const size_t count = width - x < per_byte ? width - x : per_byte;
        unsigned byte = 0;
        for (size_t i = 0; i < count; i++) { byte = byte << depth | form->values[indices[x + i]]; }
        *packed++ = (uint8_t)(byte << (per_byte - count) * (size_t)depth);
    }
}

/// Copies four bytes at a time, one instruction each; the next pixel overwrites the alpha.
static void pack_rgb(const uint8_t *rgba, size_t width, uint8_t *packed) {
    for (size_t x = 0; x + 1 < width; x++) { memcpy(packed + x * 3, rgba + x * 4, 4); }
    memcpy(packed + (width - 1) * 3, rgba + (width - 1) * 4, 3);
}

void cc_pack_row(
    const cc_form *form, const uint8_t *rgba, const uint8_t *indices, size_t width, uint8_t *packed) {
    if (form->is_indexed) {
        pack_values(form, indices, width, packed);
        return;
    }
    switch (form->color_type) {
    case RGB: pack_rgb(rgba, width, packed); return;
    case GRAY_ALPHA:
        for (size_t x = 0; x < width; x++) { memcpy(packed + x * 2, rgba + x * 4 + 2, 2); }
        return;
    default: memcpy(packed, rgba, width * 4); return;
    }
}

// Files

/// A file that is being written.
typedef struct file_writer {
    uint8_t *bytes;
    size_t size;
    cc_status status;
    cc_message *message;
} file_writer;

/// The content is valid, so libpng can fail only for lack of memory.
static void on_error(png_structp png, png_const_charp text) {
    (void)text;
    file_writer *file = png_get_error_ptr(png);
    file->status = cc_fail_memory(file->message);
    png_longjmp(png, 1);
}

static void on_write(png_structp png, png_bytep bytes, size_t size) {
    file_writer *file = png_get_io_ptr(png);
    memcpy(file->bytes + file->size, bytes, size);
    file->size += size;
}

static void set_palette(png_structp png, png_infop info, const cc_form *form) {
    png_color colors[CC_MOST_COLORS];
    png_byte alphas[CC_MOST_COLORS];
    for (int i = 0; i < form->palette_size; i++) {
        const cc_rgba color = form->palette[i];
        colors[i] = (png_color){color.r, color.g, color.b};
        alphas[i] = color.a;
    }
    png_set_PLTE(png, info, colors, form->palette_size);
    if (form->transparent_entries > 0) { png_set_tRNS(png, info, alphas, form->transparent_entries, NULL); }
}

static void write_chunks(file_writer *file, const cc_png_content *content, png_structp png, png_infop info) {
    if (setjmp(png_jmpbuf(png)) != 0) { return; }
    const cc_form *form = content->form;
    png_set_write_fn(png, file, on_write, NULL);
    png_set_IHDR(
        png, info, content->width, content->height, form->bit_depth, form->color_type, PNG_INTERLACE_NONE,
        PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    if (form->palette_size > 0) { set_palette(png, info, form); }
    png_write_info(png, info);
    png_write_chunk(png, (png_const_bytep) "IDAT", content->stream, content->stream_size);
    png_write_chunk(png, (png_const_bytep) "IEND", NULL, 0);
}

cc_status cc_png_write_file(
    const cc_png_content *content, uint8_t *bytes, size_t *size, cc_message *message) {
    file_writer file = {.bytes = bytes, .size = 0, .status = CC_OK, .message = message};
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &file, on_error, NULL);
    png_infop info = png != NULL ? png_create_info_struct(png) : NULL;
    if (info == NULL) {
        file.status = cc_fail_memory(message);
    } else {
        write_chunks(&file, content, png, info);
    }
    png_destroy_write_struct(&png, &info);
    *size = file.size;
    return file.status;
}
