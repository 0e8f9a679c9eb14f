#include "layers.h"
#include "document.h"

#include <string.h>

// No document nests layers deeper, and a loop ends.
enum { MOST_DEPTH = 64 };

/* Calls back for each layer of a tree. */
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

GArray *cd_layers_read(PopplerDocument *document) {
    GArray *layers = g_array_new(FALSE, FALSE, sizeof(cd_layer));
    each_layer_of(document, add, layers);
    return layers;
}

void cd_layers_free(GArray *layers) {
    for (guint index = 0; index < layers->len; index++)
        g_free((char *)g_array_index(layers, cd_layer, index).name);
    g_array_free(layers, TRUE);
}

typedef struct usages {
    const cd_layer *layers;
    size_t count;
} usages;

static const cd_layer *usage_of(const usages *usages, const char *name) {
    for (size_t index = 0; name && index < usages->count; index++)
        if (!strcmp(usages->layers[index].name, name)) return &usages->layers[index];
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

void cd_layers_use(PopplerDocument *document, GArray *layers, const cd_layer *states, size_t count) {
    usages all = {states, count};
    each_layer_of(document, use, &all);
    for (guint index = 0; index < layers->len; index++) {
        cd_layer *layer = &g_array_index(layers, cd_layer, index);
        const cd_layer *usage = usage_of(&all, layer->name);
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

cd_status cd_layers_choose(
    PopplerDocument *document, GArray *layers, const cd_opening *opening, cd_message *message) {
    for (size_t index = 0; index < opening->layer_count; index++)
        if (!find(layers, opening->layers[index])) return fail(layers, opening->layers[index], message);
    each_layer_of(document, hide, 0);
    each_layer_of(document, show_chosen, (void *)opening);
    return CD_OK;
}
