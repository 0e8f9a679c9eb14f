#include "document.h"

#include <fontconfig/fontconfig.h>
#include <librsvg/rsvg.h>
#include <math.h>
#include <string.h>

// Fonts

/// Limits for the length of a list of families, and for the number of fonts that a document names.
enum { longest_list = 512, most_names = 64 };

static const char blanks[] = " \t\r\n";

static bool has(const char *bytes, size_t size, const char *text) {
    return memmem(bytes, size, text, strlen(text));
}

/* Whether a name is generic: every machine has a font for it. */
static bool is_generic(const char *name) {
    static const char *const generic[] = {
        "serif", "sans-serif", "monospace", "cursive", "fantasy", "system-ui", "sans",
        "mono",  "inherit",    "initial",   "unset",   "revert",  "none",
    };
    for (size_t index = 0; index < sizeof generic / sizeof *generic; index++)
        if (!g_ascii_strcasecmp(name, generic[index])) return true;
    return false;
}

static bool is_installed(const char *name) {
    FcPattern *pattern = FcPatternBuild(0, FC_FAMILY, FcTypeString, name, (char *)0);
    FcObjectSet *objects = FcObjectSetBuild(FC_FAMILY, (char *)0);
    FcFontSet *fonts = FcFontList(0, pattern, objects);
    bool is_there = fonts && fonts->nfont > 0;
    if (fonts) FcFontSetDestroy(fonts);
    FcObjectSetDestroy(objects);
    FcPatternDestroy(pattern);
    return is_there;
}

/* Takes the next family from the front of a list in CSS syntax: a name or a quoted string, then a comma if
 * another family follows. NULL at the end of the list. */
static char *take_family(const char **list) {
    const char *start = *list + strspn(*list, blanks);
    const char quote[] = {*start, 0};
    bool is_quoted = *start == '"' || *start == '\'';
    start += is_quoted;
    size_t length = strcspn(start, is_quoted ? quote : ",;{}<>=\"'");
    const char *rest = start + length + (is_quoted && start[length]);
    rest += strspn(rest, blanks);
    *list = *rest == ',' ? rest + 1 : "";
    // A quote that ends an attribute does not begin a family.
    bool is_family = length && !memchr(start, '=', length) && !memchr(start, '<', length);
    return is_family ? g_strstrip(g_strndup(start, length)) : 0;
}

/* Adds the first family of a list to `names` if no family of the list is installed. Lists with the same first
 * family count once. */
static void note_list(const char *list, GHashTable *seen, GPtrArray *names) {
    GPtrArray *families = g_ptr_array_new_with_free_func(g_free);
    for (char *family; (family = take_family(&list));) {
        if (is_generic(family))
            g_free(family);
        else
            g_ptr_array_add(families, family);
    }
    if (families->len && g_hash_table_add(seen, g_strdup(families->pdata[0]))) {
        guint index = 0;
        while (index < families->len && !is_installed(families->pdata[index])) index++;
        if (index == families->len) g_ptr_array_add(names, g_strdup(families->pdata[0]));
    }
    g_ptr_array_unref(families);
}

/* The list after the name of the attribute or property; may be empty. */
static const char *list_after(const char *text) {
    text += strspn(text, blanks);
    bool is_attribute = *text == '=';
    if (!is_attribute && *text != ':') return "";
    text++;
    if (!is_attribute) return text;
    text += strspn(text, blanks);
    // After the attribute's opening quote, unless the attribute is empty.
    return (*text == '"' || *text == '\'') && text[1] != *text ? text + 1 : "";
}

/* A part of the document as text, with XML entities for quotes replaced. */
static char *text_of(const char *bytes, size_t size) {
    GString *text = g_string_new_len(bytes, size < longest_list ? (gssize)size : longest_list);
    g_string_replace(text, "&quot;", "'", 0);
    g_string_replace(text, "&apos;", "'", 0);
    return g_string_free(text, FALSE);
}

/// Finds the fonts that an SVG with text uses and this machine lacks: if no family of a list is installed,
/// the first one of the list. Does not search compressed documents.  Returns their names without duplicates.
/// The array frees them.
static GPtrArray *missing_fonts(const char *bytes, size_t size) {
    static const char property[] = "font-family";
    static const size_t length = sizeof property - 1;
    GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
    // Some programs name fonts even for shapes.
    if (!has(bytes, size, "<text") && !has(bytes, size, ":text")) return names;
    const char *place = bytes, *end = bytes + size;
    GHashTable *seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, 0);
    while (names->len < most_names && (place = memmem(place, (size_t)(end - place), property, length))) {
        place += length;
        char *text = text_of(place, (size_t)(end - place));
        note_list(list_after(text), seen, names);
        g_free(text);
    }
    g_hash_table_unref(seen);
    return names;
}

// Pages

// A pixel of CSS, and of an SVG without units, is the 96th part of an inch.
static const double pixels_per_inch = 96, points_per_pixel = 72.0 / 96;

typedef struct svg_page {
    RsvgHandle *handle;
    /// The visible area, in pixels of the document. Its position is 0 unless the document has no size.
    RsvgRectangle box;
    GPtrArray *missing_fonts;
} svg_page;

/* The library reports a lack of memory only in its message's text. */
static cd_status fail(cd_message *message, const char *attempt, GError *error) {
    bool lacks_memory = strstr(error->message, "NoMemory") || strstr(error->message, "out of memory");
    cd_status status = lacks_memory ? CD_OUT_OF_MEMORY : CD_DAMAGED;
    cd_fail(message, status, "%s: %s", attempt, error->message);
    g_error_free(error);
    return status;
}

static cd_status draw(void *data, cairo_t *context, cd_message *message) {
    svg_page *svg = data;
    cairo_scale(context, points_per_pixel, points_per_pixel);
    cairo_translate(context, -svg->box.x, -svg->box.y);
    RsvgRectangle viewport = {0, 0, svg->box.width, svg->box.height};
    GError *error = 0;
    if (rsvg_handle_render_document(svg->handle, context, &viewport, &error)) return CD_OK;
    return fail(message, "it cannot be drawn", error);
}

static void close_page(void *data) {
    svg_page *svg = data;
    if (svg->handle) g_object_unref(svg->handle);
    if (svg->missing_fonts) g_ptr_array_unref(svg->missing_fonts);
    g_free(svg);
}

static const cd_library librsvg = {false, draw, close_page};

/* Reads the document. Files to which it refers are not read, since the document has no path itself. */
static cd_status read_document(svg_page *svg, const cd_opening *opening, cd_message *message) {
    GInputStream *stream = g_memory_input_stream_new_from_data(opening->bytes, (gssize)opening->size, 0);
    GError *error = 0;
    // Images in an SVG are long texts, which libxml2 would otherwise refuse. Memory is limited for the whole
    // process.
    svg->handle = rsvg_handle_new_from_stream_sync(stream, 0, RSVG_HANDLE_FLAG_UNLIMITED, 0, &error);
    g_object_unref(stream);
    if (svg->handle) {
        rsvg_handle_set_dpi(svg->handle, pixels_per_inch);
        return CD_OK;
    }
    return fail(message, "it is damaged, or not an SVG", error);
}

/// The size in the document.
typedef struct size {
    gboolean has_width, has_height, has_box;
    RsvgLength width, height;
    RsvgRectangle box;
} size;

static size size_of(RsvgHandle *handle) {
    size size = {0};
    rsvg_handle_get_intrinsic_dimensions(
        handle, &size.has_width, &size.width, &size.has_height, &size.height, &size.has_box, &size.box);
    return size;
}

static double pixels(gboolean has_length, RsvgLength length) {
    static const double per_unit[] = {
        [RSVG_UNIT_PX] = 1,         [RSVG_UNIT_IN] = 96,        [RSVG_UNIT_CM] = 96 / 2.54,
        [RSVG_UNIT_MM] = 96 / 25.4, [RSVG_UNIT_PT] = 96.0 / 72, [RSVG_UNIT_PC] = 16,
    };
    bool is_known = has_length && length.unit < sizeof per_unit / sizeof *per_unit;
    // An unknown size, such as a share of a window, is 0.
    return is_known && isfinite(length.length) ? length.length * per_unit[length.unit] : 0;
}

static bool is_some(double width, double height) {
    return isfinite(width) && isfinite(height) && width > 0 && height > 0;
}

/* Computes the size in pixels from width, height and viewBox. A missing width or height follows from the
 * box's aspect ratio. */
static bool measure(RsvgHandle *handle, double *width, double *height) {
    // This also resolves units of the font size.
    if (rsvg_handle_get_intrinsic_size_in_pixels(handle, width, height)) return is_some(*width, *height);
    size size = size_of(handle);
    *width = pixels(size.has_width, size.width);
    *height = pixels(size.has_height, size.height);
    if (!size.has_box || !is_some(size.box.width, size.box.height)) return is_some(*width, *height);
    if (!(*width > 0) && !(*height > 0)) *width = size.box.width;
    if (!(*width > 0)) *width = *height * size.box.width / size.box.height;
    if (!(*height > 0)) *height = *width * size.box.height / size.box.width;
    return is_some(*width, *height);
}

/* Finds the visible area: the whole page, or the drawn area if the page's size is unknown. */
static cd_status find_box(svg_page *svg, cd_message *message) {
    if (measure(svg->handle, &svg->box.width, &svg->box.height)) return CD_OK;
    // Percentages refer to the default window of CSS.
    RsvgRectangle window = {0, 0, 300, 150}, ink;
    if (rsvg_handle_get_geometry_for_layer(svg->handle, 0, &window, &ink, 0, 0)
        && is_some(ink.width, ink.height)) {
        svg->box = ink;
        return CD_OK;
    }
    return cd_fail(
        message, CD_DAMAGED, "it has neither width and height, nor a viewBox, nor anything to draw");
}

static bool has_units(RsvgHandle *handle) {
    size size = size_of(handle);
    return size.has_width && size.width.unit >= RSVG_UNIT_IN && size.width.unit <= RSVG_UNIT_PC;
}

/* Computes the matrix from units of the document to points, for a centred box, which is the default. */
static void map_units(const svg_page *svg, double matrix[6]) {
    size size = size_of(svg->handle);
    bool has_box = size.has_box && is_some(size.box.width, size.box.height);
    double scale = 1, x = -svg->box.x, y = -svg->box.y;
    if (has_box) {
        scale = fmin(svg->box.width / size.box.width, svg->box.height / size.box.height);
        x = (svg->box.width - size.box.width * scale) / 2 - size.box.x * scale;
        y = (svg->box.height - size.box.height * scale) / 2 - size.box.y * scale;
    }
    const double values[6] = {scale, 0, x, 0, scale, y};
    for (int index = 0; index < 6; index++) matrix[index] = values[index] * points_per_pixel;
}

static cd_status read_page(svg_page *svg, const cd_opening *opening, cd_message *message) {
    if (opening->page != 1)
        return cd_fail(message, CD_NO_PAGE, "there is no page %d: an SVG has 1 page", opening->page);
    if (opening->layer_count)
        return cd_fail(
            message, CD_NO_LAYER, "there is no layer '%s': an SVG has no layers", opening->layers[0]);
    cd_status status = read_document(svg, opening, message);
    return status ? status : find_box(svg, message);
}

cd_status cd_open_svg(const cd_opening *opening, cd_document **result, cd_message *message) {
    svg_page *svg = g_new0(svg_page, 1);
    cd_status status = read_page(svg, opening, message);
    if (status) {
        close_page(svg);
        return status;
    }
    svg->missing_fonts = missing_fonts(opening->bytes, opening->size);
    cd_page page = {
        .page_count = 1,
        .width = svg->box.width * points_per_pixel,
        .height = svg->box.height * points_per_pixel,
        .resolution = has_units(svg->handle) ? 0 : pixels_per_inch,
        .missing_fonts = (const char *const *)svg->missing_fonts->pdata,
        .missing_font_count = svg->missing_fonts->len,
    };
    map_units(svg, page.points_from_units);
    return cd_document_make(&librsvg, svg, &page, result, message);
}
