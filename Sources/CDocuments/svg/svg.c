#include "../document.h"
#include "../message.h"

#include <librsvg/rsvg.h>

static cd_status draw(void *page, cairo_t *context, cd_message *message) {
    RsvgHandle *handle = page;
    double width, height;
    rsvg_handle_get_intrinsic_size_in_pixels(handle, &width, &height);
    RsvgRectangle viewport = {0, 0, width * 0.75, height * 0.75};
    GError *error = 0;
    if (rsvg_handle_render_document(handle, context, &viewport, &error)) return CD_OK;
    cd_fail(message, CD_DAMAGED, "it cannot be drawn: %s", error->message);
    g_clear_error(&error);
    return CD_DAMAGED;
}

static void close_page(void *page) { g_object_unref(page); }

static const cd_library librsvg = {false, draw, close_page};

cd_status cd_open_svg(const cd_opening *opening, cd_document **result, cd_message *message) {
    GError *error = 0;
    RsvgHandle *handle = rsvg_handle_new_from_data(opening->bytes, opening->size, &error);
    if (!handle) {
        cd_fail(message, CD_DAMAGED, "it is no SVG that librsvg reads: %s", error->message);
        g_clear_error(&error);
        return CD_DAMAGED;
    }
    rsvg_handle_set_dpi(handle, 96);
    cd_page description = {.page_count = 1, .points_from_units = {0.75, 0, 0, 0, 0.75, 0}};
    double width = 0, height = 0;
    if (!rsvg_handle_get_intrinsic_size_in_pixels(handle, &width, &height)) {
        g_object_unref(handle);
        return cd_fail(message, CD_DAMAGED, "it has no size");
    }
    description.width = width * 0.75;
    description.height = height * 0.75;
    description.resolution = 96;
    return cd_document_make(&librsvg, handle, &description, result, message);
}
