#include "fonts.h"

#include <fontconfig/fontconfig.h>
#include <stdbool.h>
#include <string.h>

/// A list of families is not longer, and a document does not name more fonts.
enum { longest_list = 512, most_names = 64 };

static const char blanks[] = " \t\r\n";

static bool has(const char *bytes, size_t size, const char *text) {
    return memmem(bytes, size, text, strlen(text));
}

/* Whatever the machine has for these is what the author wants. */
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

/* Takes the next family off the front of a list, as CSS writes them: a name, or a text between quotes, and a
 * comma if another one follows. Null at the end of the list. */
static char *take_family(const char **list) {
    const char *start = *list + strspn(*list, blanks);
    const char quote[] = {*start, 0};
    bool is_quoted = *start == '"' || *start == '\'';
    start += is_quoted;
    size_t length = strcspn(start, is_quoted ? quote : ",;{}<>=\"'");
    const char *rest = start + length + (is_quoted && start[length]);
    rest += strspn(rest, blanks);
    *list = *rest == ',' ? rest + 1 : "";
    // A quote that ends an attribute begins no family.
    bool is_family = length && !memchr(start, '=', length) && !memchr(start, '<', length);
    return is_family ? g_strstrip(g_strndup(start, length)) : 0;
}

/* Notes the first family of a list if none of it is installed. Of lists that begin alike, one counts. */
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

/* The list that follows the name of the attribute or property; empty if there is none. */
static const char *list_after(const char *text) {
    text += strspn(text, blanks);
    bool is_attribute = *text == '=';
    if (!is_attribute && *text != ':') return "";
    text++;
    if (!is_attribute) return text;
    text += strspn(text, blanks);
    // Behind the quote of the attribute, unless it ends at once.
    return (*text == '"' || *text == '\'') && text[1] != *text ? text + 1 : "";
}

/* A part of the document as a text, with the quotes that XML writes in another way. */
static char *text_of(const char *bytes, size_t size) {
    GString *text = g_string_new_len(bytes, size < longest_list ? (gssize)size : longest_list);
    g_string_replace(text, "&quot;", "'", 0);
    g_string_replace(text, "&apos;", "'", 0);
    return g_string_free(text, FALSE);
}

GPtrArray *cd_missing_fonts(const char *bytes, size_t size) {
    static const char property[] = "font-family";
    static const size_t length = sizeof property - 1;
    GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
    // Programs name fonts for shapes, too.
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
