#ifndef TILEWRIGHT_CD_OBJECTS_H
#define TILEWRIGHT_CD_OBJECTS_H

#include "CDocuments.h"

#ifdef __cplusplus
extern "C" {
#endif

// What poppler does not tell of a page: qpdf reads the objects of the document.

/// What the objects of a page say.
typedef struct cd_objects {
    /// Quarters of a turn, clockwise, by which the page is seen: 0 to 3.
    int turns;
    /// Points to a unit of the document: 1 but for very large sheets.
    double user_unit;
    /// Whether the page has masks that are made of the light of what is drawn: poppler makes them of pixels.
    bool has_masks_of_light;
    /// The most rows or columns of its images.
    int64_t largest_image;
    /// The layers that are shown or hidden on a screen by what they are for.
    const cd_layer *usages;
    size_t usage_count;
} cd_objects;

typedef struct cd_objects_place {
    /// A page of the document, counted from 1.
    int page;
    /// The part of it that is seen, in units of the document: left, bottom, right, top.
    double box[4];
} cd_objects_place;

/// Reads a page's objects; NULL if qpdf cannot.
cd_objects *cd_objects_read(const void *bytes, size_t size, const cd_objects_place *place);

/// Copies an encrypted document, whose password is given, into one that is not; the caller frees it.
cd_status cd_unlock(const cd_opening *opening, void **copy, size_t *size, cd_message *message);

void cd_objects_free(cd_objects *objects);

/// Adds what is known to a page: picture, sheet, fonts and viewports, which live as long as the objects.
void cd_objects_describe(const cd_objects *objects, cd_page *page);

#ifdef __cplusplus
}
#endif

#endif
