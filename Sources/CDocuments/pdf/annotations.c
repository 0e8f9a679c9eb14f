#include "annotations.h"

#include <stdbool.h>

/* As poppler has it where it prints: fields of forms, and remarks that say so. */
static bool is_printed(PopplerAnnot *annotation) {
    PopplerAnnotFlag flags = poppler_annot_get_flags(annotation);
    if (flags & POPPLER_ANNOT_FLAG_HIDDEN) return false;
    PopplerAnnotType type = poppler_annot_get_annot_type(annotation);
    if (type == POPPLER_ANNOT_WIDGET) return true;
    return POPPLER_IS_ANNOT_MARKUP(annotation) && flags & POPPLER_ANNOT_FLAG_PRINT;
}

void cd_annotations_as_printed(PopplerPage *page) {
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
