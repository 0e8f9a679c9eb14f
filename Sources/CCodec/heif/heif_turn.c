#include "heif.h"

#include <math.h>

// Each floating-point operation is rounded separately on every CPU; see CKernels/kernels.h.
#pragma STDC FP_CONTRACT OFF

// Each of these functions maps a pixel of the new picture (x', y') to one of the old picture (x, y). In the
// formulas of `cc_heif_turn`, it replaces x and y by these terms in x' and y'.

/// Turns by 90 degrees anticlockwise: x = width - 1 - y', y = x'.
static void turn_left(cc_heif_turn *turn) {
    const cc_heif_turn old = *turn;
    turn->a = old.b;
    turn->b = -old.a;
    turn->c = old.c + old.a * (old.width - 1);
    turn->d = old.e;
    turn->e = -old.d;
    turn->f = old.f + old.d * (old.width - 1);
    turn->width = old.height;
    turn->height = old.width;
}

/// Mirrors left and right: x = width - 1 - x'.
static void mirror_columns(cc_heif_turn *turn) {
    turn->c += turn->a * (turn->width - 1);
    turn->f += turn->d * (turn->width - 1);
    turn->a = -turn->a;
    turn->d = -turn->d;
}

static void cut(cc_heif_turn *turn, uint32_t column, uint32_t row, uint32_t width, uint32_t height) {
    turn->c += turn->a * column + turn->b * row;
    turn->f += turn->d * column + turn->e * row;
    turn->width = width;
    turn->height = height;
}

/// Reads a fraction, which may be invalid (NaN).
static double fraction(cc_cursor *cursor, bool is_signed) {
    const uint32_t numerator = (uint32_t)cc_cursor_number(cursor, 4);
    const uint32_t divisor = (uint32_t)cc_cursor_number(cursor, 4);
    return (is_signed ? (double)(int32_t)numerator : (double)numerator) / divisor;
}

/// Reads width, height, and the shift of the centre to the right and down. Partial pixels are cut off.
static cc_status apply_aperture(cc_cursor content, cc_heif_turn *turn, cc_message *message) {
    const double width = floor(fraction(&content, false)), height = floor(fraction(&content, false));
    const double right = fraction(&content, true), down = fraction(&content, true);
    const double column = floor(right + (turn->width - width) / 2);
    const double row = floor(down + (turn->height - height) / 2);
    const bool is_inside = width >= 1 && height >= 1 && column >= 0 && row >= 0
        && column + width <= turn->width && row + height <= turn->height;
    if (content.is_short || !is_inside) {
        return cc_fail(message, CC_DAMAGED, "its clean aperture is outside the image");
    }
    cut(turn, (uint32_t)column, (uint32_t)row, (uint32_t)width, (uint32_t)height);
    return CC_OK;
}

cc_status cc_heif_apply_turns(
    const cc_heif_file *file, const cc_item *item, cc_heif_turn *turn, cc_message *message) {
    cc_status status = CC_OK;
    cc_cursor links = item->links;
    const cc_box *property;
    while (status == CC_OK && (property = cc_heif_next_property(file, item, &links)) != NULL) {
        cc_cursor content = property->content;
        switch (property->type) {
        case CC_FOURCC('c', 'l', 'a', 'p'): status = apply_aperture(content, turn, message); break;
        case CC_FOURCC('i', 'r', 'o', 't'):
            for (uint64_t quarters = cc_cursor_number(&content, 1) & 3; quarters > 0; quarters--) {
                turn_left(turn);
            }
            break;
        case CC_FOURCC('i', 'm', 'i', 'r'):
            mirror_columns(turn);
            // To mirror top and bottom is the same, turned by 180 degrees.
            for (uint64_t left = cc_cursor_number(&content, 1) & 1 ? 0 : 2; left > 0; left--) {
                turn_left(turn);
            }
            break;
        default: break;
        }
    }
    return status;
}
