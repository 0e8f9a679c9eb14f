#include "png_direct_form.h"

#include <string.h>

static void set_pixel(cc_expansion *expansion, int value, png_color color, uint8_t alpha) {
    const uint8_t pixel[4] = {color.red, color.green, color.blue, alpha};
    memcpy(expansion->pixels[value], pixel, sizeof pixel);
}

/// A value beyond the palette is black, as libpng has it.
static void expand_palette(png_structp png, png_infop info, cc_expansion *expansion) {
    png_colorp colors = NULL;
    png_bytep alphas = NULL;
    int color_count = 0, alpha_count = 0;
    png_get_PLTE(png, info, &colors, &color_count);
    png_get_tRNS(png, info, &alphas, &alpha_count, NULL);
    for (int value = 0; value < 256; value++) {
        const png_color color = value < color_count ? colors[value] : (png_color){0};
        set_pixel(expansion, value, color, value < alpha_count ? alphas[value] : 255);
    }
    expansion->bytes_per_pixel = alpha_count > 0 ? 4 : 3;
}

/// Spreads gray over 0...255; one value may be transparent.
static void expand_gray(png_structp png, png_infop info, cc_expansion *expansion) {
    const int largest = (1 << expansion->stored_bits) - 1;
    png_color_16p transparent = NULL;
    png_get_tRNS(png, info, NULL, NULL, &transparent);
    for (int value = 0; value <= largest; value++) {
        const uint8_t gray = (uint8_t)(value * (255 / largest));
        const bool is_seen = transparent == NULL || value != (transparent->gray & largest);
        set_pixel(expansion, value, (png_color){gray, gray, gray}, is_seen ? 255 : 0);
    }
    expansion->bytes_per_pixel = transparent != NULL ? 4 : 1;
}

bool cc_direct_form_of(png_structp png, png_infop info, cc_direct_form *form) {
    const int depth = png_get_bit_depth(png, info);
    const int type = png_get_color_type(png, info);
    const bool has_transparency = png_get_valid(png, info, PNG_INFO_tRNS) != 0;
    if (png_get_interlace_type(png, info) != PNG_INTERLACE_NONE || depth > 8
        || (type == PNG_COLOR_TYPE_RGB && has_transparency)) {
        return false;
    }
    *form = (cc_direct_form){
        .width = png_get_image_width(png, info),
        .height = png_get_image_height(png, info),
        .bits_per_pixel = (uint32_t)depth * png_get_channels(png, info),
    };
    cc_expansion *expansion = &form->expansion;
    expansion->stored_bits = form->bits_per_pixel;
    if (type == PNG_COLOR_TYPE_PALETTE) {
        expand_palette(png, info, expansion);
    } else if (type == PNG_COLOR_TYPE_GRAY && (depth < 8 || has_transparency)) {
        expand_gray(png, info, expansion);
    } else if (type == PNG_COLOR_TYPE_GRAY_ALPHA) {
        expansion->bytes_per_pixel = 4;
    }
    form->is_expanded = expansion->bytes_per_pixel != 0;
    return true;
}
