#include "document.h"
#include "pages.h"

#include <poppler.h>
#include <stdlib.h>
#include <string.h>

// Layers

// No document nests layers deeper, and the limit ends loops.
enum { MOST_DEPTH = 64 };

/* Calls a function for each layer of a tree. */
static void each_layer(
    PopplerLayersIter *place, int depth, void (*visit)(PopplerLayer *layer, void *data), void *data) {
    if (!place || depth > MOST_DEPTH) return;
    do {
        PopplerLayer *layer = poppler_layers_iter_get_layer(place);
        if (layer) {
            visit(layer, data);
            g_object_unref(layer);
        }
        PopplerLayersIter *child = poppler_layers_iter_get_child(place);
        each_layer(child, depth + 1, visit, data);
        poppler_layers_iter_free(child);
    } while (poppler_layers_iter_next(place));
}

static void each_layer_of(
    PopplerDocument *document, void (*visit)(PopplerLayer *layer, void *data), void *data) {
    PopplerLayersIter *place = poppler_layers_iter_new(document);
    each_layer(place, 0, visit, data);
    poppler_layers_iter_free(place);
}

static cd_layer *find(GArray *layers, const char *name) {
    for (guint index = 0; index < layers->len; index++) {
        cd_layer *layer = &g_array_index(layers, cd_layer, index);
        if (!strcmp(layer->name, name)) return layer;
    }
    return 0;
}

static void add(PopplerLayer *layer, void *data) {
    const char *name = poppler_layer_get_title(layer);
    if (!name) return;
    cd_layer *known = find(data, name);
    bool is_shown = poppler_layer_is_visible(layer);
    if (known) {
        known->is_shown |= is_shown;
        return;
    }
    cd_layer new_layer = {g_strdup(name), is_shown};
    g_array_append_val((GArray *)data, new_layer);
}

/* The layers that the user may show and hide, each name once: an array of cd_layer. */
static GArray *read_layers(PopplerDocument *document) {
    GArray *layers = g_array_new(FALSE, FALSE, sizeof(cd_layer));
    each_layer_of(document, add, layers);
    return layers;
}

static void free_layers(GArray *layers) {
    for (guint index = 0; index < layers->len; index++)
        g_free((char *)g_array_index(layers, cd_layer, index).name);
    g_array_free(layers, TRUE);
}

static const cd_layer *usage_of(const cd_objects *objects, const char *name) {
    for (size_t index = 0; name && index < objects->usage_count; index++)
        if (!strcmp(objects->usages[index].name, name)) return &objects->usages[index];
    return 0;
}

static void use(PopplerLayer *layer, void *data) {
    const cd_layer *usage = usage_of(data, poppler_layer_get_title(layer));
    if (!usage) return;
    if (usage->is_shown)
        poppler_layer_show(layer);
    else
        poppler_layer_hide(layer);
}

/* Shows and hides layers according to their usages. */
static void use_layers(PopplerDocument *document, GArray *layers, cd_objects *objects) {
    each_layer_of(document, use, objects);
    for (guint index = 0; index < layers->len; index++) {
        cd_layer *layer = &g_array_index(layers, cd_layer, index);
        const cd_layer *usage = usage_of(objects, layer->name);
        if (usage) layer->is_shown = usage->is_shown;
    }
}

static cd_status fail(GArray *layers, const char *name, cd_message *message) {
    if (!layers->len) return cd_fail(message, CD_NO_LAYER, "there is no layer '%s': it has no layers", name);
    GString *names = g_string_new(0);
    for (guint index = 0; index < layers->len; index++)
        g_string_append_printf(
            names, "%s'%s'", index ? ", " : "", g_array_index(layers, cd_layer, index).name);
    cd_status status = cd_fail(message, CD_NO_LAYER, "there is no layer '%s': it has %s", name, names->str);
    g_string_free(names, TRUE);
    return status;
}

static bool is_chosen(const cd_opening *opening, const char *name) {
    for (size_t index = 0; index < opening->layer_count; index++)
        if (!strcmp(opening->layers[index], name)) return true;
    return false;
}

static void hide(PopplerLayer *layer, void *data) {
    (void)data;
    poppler_layer_hide(layer);
}

static void show_chosen(PopplerLayer *layer, void *data) {
    const char *name = poppler_layer_get_title(layer);
    if (name && is_chosen(data, name)) poppler_layer_show(layer);
}

/* Shows the layers with some names, and hides all others. If a name is unknown, the message lists the
 * layers. */
static cd_status choose_layers(
    PopplerDocument *document, GArray *layers, const cd_opening *opening, cd_message *message) {
    for (size_t index = 0; index < opening->layer_count; index++)
        if (!find(layers, opening->layers[index])) return fail(layers, opening->layers[index], message);
    each_layer_of(document, hide, 0);
    each_layer_of(document, show_chosen, (void *)opening);
    return CD_OK;
}

// Pages

// For printing, poppler reduces images to this number of rows and columns. Otherwise, cairo's limit applies.
enum { LARGEST_PRINTED_IMAGE = 8192, LARGEST_IMAGE = 32767 };

typedef struct pdf_page {
    /// The document's bytes; and the bytes of a decrypted copy, or NULL.
    const void *bytes;
    void *unlocked;
    size_t size;
    PopplerDocument *document;
    PopplerPage *page;
    /// NULL if qpdf cannot read the document.
    cd_objects *objects;
    GArray *layers;
    const char *warnings[2];
    size_t warning_count;
    /// Points per unit of the document.
    double user_unit;
    bool is_printed;
    /// The first pages of the document, or NULL if they are not listed.
    cd_page_entry *list;
    size_t list_count;
} pdf_page;

static cd_status draw(void *data, cairo_t *context, cd_message *message) {
    (void)message;
    pdf_page *pdf = data;
    cairo_scale(context, pdf->user_unit, pdf->user_unit);
    if (pdf->is_printed)
        poppler_page_render_for_printing(pdf->page, context);
    else
        poppler_page_render(pdf->page, context);
    return CD_OK;
}

static void close_page(void *data) {
    pdf_page *pdf = data;
    cd_objects_free(pdf->objects);
    if (pdf->layers) free_layers(pdf->layers);
    cd_pages_free(pdf->list, pdf->list_count);
    if (pdf->page) g_object_unref(pdf->page);
    if (pdf->document) g_object_unref(pdf->document);
    free(pdf->unlocked);
    g_free(pdf);
}

static const cd_library poppler = {true, draw, close_page};

static cd_status read_failure(const GError *error, cd_message *message) {
    if (g_error_matches(error, POPPLER_ERROR, POPPLER_ERROR_ENCRYPTED))
        return cd_fail(message, CD_ENCRYPTED, "it is encrypted");
    return cd_fail(message, CD_DAMAGED, "it is damaged, or not a PDF");
}

static cd_status read_document(pdf_page *pdf, cd_message *message) {
    GBytes *bytes = g_bytes_new_static(pdf->bytes, pdf->size);
    GError *error = 0;
    pdf->document = poppler_document_new_from_bytes(bytes, 0, &error);
    g_bytes_unref(bytes);
    if (pdf->document) return CD_OK;
    cd_status status = read_failure(error, message);
    g_clear_error(&error);
    return status;
}

/* Reads the document. If there is a password, reads a decrypted copy: with a document in memory, poppler
 * 22.12 crashes if the password is wrong, or has non-Latin letters. */
static cd_status unlock_document(pdf_page *pdf, const cd_opening *opening, cd_message *message) {
    pdf->bytes = opening->bytes;
    pdf->size = opening->size;
    cd_status status = read_document(pdf, message);
    if (status != CD_ENCRYPTED || !opening->password) return status;
    status = cd_unlock(opening, &pdf->unlocked, &pdf->size, message);
    pdf->bytes = pdf->unlocked;
    return status ? status : read_document(pdf, message);
}

static cd_status read_page(pdf_page *pdf, const cd_opening *opening, cd_message *message) {
    int count = poppler_document_get_n_pages(pdf->document);
    if (count < 1) return cd_fail(message, CD_DAMAGED, "it is damaged: it has no pages");
    if (opening->page < 1 || opening->page > count)
        return cd_fail(
            message, CD_NO_PAGE, "there is no page %d: it has %d page%s", opening->page, count,
            count == 1 ? "" : "s");
    pdf->page = poppler_document_get_page(pdf->document, opening->page - 1);
    if (pdf->page) return CD_OK;
    return cd_fail(message, CD_DAMAGED, "page %d is damaged", opening->page);
}

static cd_status find_layers(pdf_page *pdf, const cd_opening *opening, cd_message *message) {
    pdf->layers = read_layers(pdf->document);
    if (!opening->has_layers) return CD_OK;
    return choose_layers(pdf->document, pdf->layers, opening, message);
}

/* Whether poppler prints an annotation: form fields, and annotations with the print flag. */
static bool is_printed(PopplerAnnot *annotation) {
    PopplerAnnotFlag flags = poppler_annot_get_flags(annotation);
    if (flags & POPPLER_ANNOT_FLAG_HIDDEN) return false;
    PopplerAnnotType type = poppler_annot_get_annot_type(annotation);
    if (type == POPPLER_ANNOT_WIDGET) return true;
    return POPPLER_IS_ANNOT_MARKUP(annotation) && flags & POPPLER_ANNOT_FLAG_PRINT;
}

/* Changes the annotations of a page so that it looks the same on a screen as in print. */
static void show_as_printed(PopplerPage *page) {
    GList *mappings = poppler_page_get_annot_mapping(page);
    for (GList *item = mappings; item; item = item->next) {
        PopplerAnnot *annotation = ((PopplerAnnotMapping *)item->data)->annot;
        PopplerAnnotFlag flags = poppler_annot_get_flags(annotation);
        if (is_printed(annotation))
            flags &= ~POPPLER_ANNOT_FLAG_NO_VIEW;
        else
            flags |= POPPLER_ANNOT_FLAG_HIDDEN;
        poppler_annot_set_flags(annotation, flags);
    }
    poppler_page_free_annot_mapping(mappings);
}

/* Reads properties that poppler does not provide, and chooses how to draw. */
static void read_objects(pdf_page *pdf, const cd_opening *opening, const PopplerRectangle *box) {
    cd_objects_place place = {
        opening->page, {box->x1, box->y1, box->x2, box->y2}, opening->lists_pages ? CD_MOST_LISTED : 0};
    pdf->objects = cd_objects_read(pdf->bytes, pdf->size, &place);
    pdf->is_printed = true;
    pdf->user_unit = 1;
    if (!pdf->objects) {
        pdf->warnings[pdf->warning_count++] = "its objects are damaged, so a position in it is not read";
        return;
    }
    pdf->user_unit = pdf->objects->user_unit;
    int64_t largest = pdf->objects->largest_image;
    if (largest > LARGEST_IMAGE)
        pdf->warnings[pdf->warning_count++] = "images of more than 32767 pixels are drawn from 8192";
    pdf->is_printed = largest <= LARGEST_PRINTED_IMAGE || largest > LARGEST_IMAGE;
    if (!pdf->is_printed) show_as_printed(pdf->page);
}

/* Computes the matrix from units of the document to points of the displayed page. */
static void measure(const pdf_page *pdf, const PopplerRectangle *box, double matrix[6]) {
    double unit = pdf->user_unit;
    const double turned[4][6] = {
        {1, 0, -box->x1, 0, -1, box->y2},
        {0, 1, -box->y1, 1, 0, -box->x1},
        {-1, 0, box->x2, 0, 1, -box->y1},
        {0, -1, box->y2, -1, 0, box->x2},
    };
    int turns = pdf->objects ? pdf->objects->turns : 0;
    for (int index = 0; index < 6; index++) matrix[index] = turned[turns][index] * unit;
}

static cd_page describe(const pdf_page *pdf, const PopplerRectangle *box) {
    cd_page page = {
        .page_count = poppler_document_get_n_pages(pdf->document),
        .layers = (const cd_layer *)(const void *)pdf->layers->data,
        .layer_count = pdf->layers->len,
        .warnings = pdf->warnings,
        .warning_count = pdf->warning_count,
        .pages = pdf->list,
        .listed_page_count = pdf->list_count,
    };
    poppler_page_get_size(pdf->page, &page.width, &page.height);
    page.width *= pdf->user_unit;
    page.height *= pdf->user_unit;
    measure(pdf, box, page.points_from_units);
    if (pdf->objects) cd_objects_describe(pdf->objects, &page);
    return page;
}

static cd_status read_all(pdf_page *pdf, const cd_opening *opening, cd_message *message) {
    cd_status status = unlock_document(pdf, opening, message);
    if (!status) status = read_page(pdf, opening, message);
    if (!status) status = find_layers(pdf, opening, message);
    return status;
}

cd_status cd_open_pdf(const cd_opening *opening, cd_document **result, cd_message *message) {
    pdf_page *pdf = g_new0(pdf_page, 1);
    cd_status status = read_all(pdf, opening, message);
    if (status) {
        close_page(pdf);
        return status;
    }
    PopplerRectangle box;
    poppler_page_get_crop_box(pdf->page, &box);
    read_objects(pdf, opening, &box);
    // Poppler ignores layers' usages.
    if (pdf->objects && !opening->has_layers) use_layers(pdf->document, pdf->layers, pdf->objects);
    if (opening->lists_pages) pdf->list = cd_pages_list(pdf->document, pdf->objects, &pdf->list_count);
    cd_page description = describe(pdf, &box);
    bool has_masks = pdf->objects && pdf->objects->has_masks_of_light;
    status = cd_document_make(&poppler, pdf, &description, result, message);
    if (!status) (*result)->is_drawn_directly = has_masks;
    return status;
}
