#include "png_file.h"

#include <png.h>
#include <string.h>

/// A file that is being written.
typedef struct file_writer {
    uint8_t *bytes;
    size_t size;
    cc_status status;
    cc_message *message;
} file_writer;

/// What is written is sound: libpng can only lack memory.
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
        const cc_color color = form->palette[i];
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
