#ifndef TILEWRIGHT_CD_OBJECTS_H
#define TILEWRIGHT_CD_OBJECTS_H

#include "CDocuments.h"

#ifdef __cplusplus
extern "C" {
#endif

// Properties of a page that poppler does not provide: qpdf reads them from the document's objects.

/// Properties from the objects of a page.
typedef struct cd_objects {
    /// The rotation of the displayed page in quarter turns, clockwise: 0 to 3.
    int turns;
    /// Points per unit of the document: 1 except for very large sheets.
    double user_unit;
    /// Whether the page has luminosity masks, which poppler computes from pixels.
    bool has_masks_of_light;
    /// The maximum number of rows or columns of its images.
    int64_t largest_image;
    /// The layers that are shown or hidden on a screen by their usages.
    const cd_layer *usages;
    size_t usage_count;
} cd_objects;

typedef struct cd_objects_place {
    /// A page of the document, counted from 1.
    int page;
    /// Its visible part, in units of the document: left, bottom, right, top.
    double box[4];
} cd_objects_place;

/// Reads a page's objects; NULL if qpdf cannot.
cd_objects *cd_objects_read(const void *bytes, size_t size, const cd_objects_place *place);

/// Makes a decrypted copy of an encrypted document with its password; the caller must free the copy.
cd_status cd_unlock(const cd_opening *opening, void **copy, size_t *size, cd_message *message);

void cd_objects_free(cd_objects *objects);

/// Adds picture, sheet colour, fonts and viewports to a page. They live as long as the objects.
void cd_objects_describe(const cd_objects *objects, cd_page *page);

#ifdef __cplusplus
}
#endif

#endif
