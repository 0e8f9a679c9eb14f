#include "pages.h"

#include <stdio.h>
#include <string.h>

// No document nests bookmarks deeper, and the limits end loops.
enum { MOST_DEPTH = 16, MOST_BOOKMARKS = 20000 };

// Longer names are cut: the description of all pages must fit into a frame.
enum { MOST_LETTERS = 100 };

/* A copy of a name, in valid UTF-8 and not too long; NULL for an empty one. */
static char *copy_name(const char *name) {
    if (!name || !*name) return 0;
    char *valid = g_utf8_make_valid(name, -1);
    if (g_utf8_strlen(valid, -1) <= MOST_LETTERS) return valid;
    char *start = g_utf8_substring(valid, 0, MOST_LETTERS);
    g_free(valid);
    return start;
}

/// The bookmarks that were visited, and the list to which their titles are added.
typedef struct bookmarks {
    PopplerDocument *document;
    cd_page_entry *pages;
    int page_count, visited;
} bookmarks;

/* The page to which a bookmark leads, from 1; 0 if it leads elsewhere. */
static int page_of(PopplerDocument *document, const PopplerAction *action) {
    if (action->type != POPPLER_ACTION_GOTO_DEST || !action->goto_dest.dest) return 0;
    const PopplerDest *dest = action->goto_dest.dest;
    if (dest->type != POPPLER_DEST_NAMED) return dest->page_num;
    PopplerDest *found = dest->named_dest ? poppler_document_find_dest(document, dest->named_dest) : 0;
    if (!found) return 0;
    int page = found->page_num;
    poppler_dest_free(found);
    return page;
}

static void add_bookmark(const bookmarks *all, const PopplerAction *action) {
    int page = page_of(all->document, action);
    if (page < 1 || page > all->page_count) return;
    cd_page_entry *entry = &all->pages[page - 1];
    if (!entry->bookmark) entry->bookmark = copy_name(action->any.title);
}

static void add_bookmarks(bookmarks *all, PopplerIndexIter *place, int depth) {
    if (!place || depth > MOST_DEPTH) return;
    do {
        if (++all->visited > MOST_BOOKMARKS) return;
        PopplerAction *action = poppler_index_iter_get_action(place);
        if (action) {
            add_bookmark(all, action);
            poppler_action_free(action);
        }
        PopplerIndexIter *child = poppler_index_iter_get_child(place);
        add_bookmarks(all, child, depth + 1);
        poppler_index_iter_free(child);
    } while (poppler_index_iter_next(place));
}

/* Reads the size and the label of a page. Poppler gives a page without a label its number. */
static void describe(PopplerDocument *document, int index, double unit, cd_page_entry *entry) {
    PopplerPage *page = poppler_document_get_page(document, index);
    if (!page) return;
    poppler_page_get_size(page, &entry->width, &entry->height);
    entry->width *= unit;
    entry->height *= unit;
    char *label = poppler_page_get_label(page);
    char number[16];
    snprintf(number, sizeof number, "%d", index + 1);
    if (label && strcmp(label, number) != 0) entry->label = copy_name(label);
    g_free(label);
    g_object_unref(page);
}

cd_page_entry *cd_pages_list(PopplerDocument *document, const cd_objects *objects, size_t *count) {
    int page_count = poppler_document_get_n_pages(document);
    if (page_count > CD_MOST_LISTED) page_count = CD_MOST_LISTED;
    cd_page_entry *pages = g_new0(cd_page_entry, page_count);
    for (int index = 0; index < page_count; index++) {
        bool has_unit = objects && (size_t)index < objects->page_unit_count;
        describe(document, index, has_unit ? objects->page_units[index] : 1, &pages[index]);
    }
    bookmarks all = {document, pages, page_count, 0};
    PopplerIndexIter *first = poppler_index_iter_new(document);
    add_bookmarks(&all, first, 0);
    poppler_index_iter_free(first);
    *count = (size_t)page_count;
    return pages;
}

void cd_pages_free(cd_page_entry *pages, size_t count) {
    for (size_t index = 0; pages && index < count; index++) {
        g_free((char *)pages[index].label);
        g_free((char *)pages[index].bookmark);
    }
    g_free(pages);
}
