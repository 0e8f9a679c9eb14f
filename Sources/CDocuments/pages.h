#ifndef TILEWRIGHT_CD_PAGES_H
#define TILEWRIGHT_CD_PAGES_H

#include "objects/objects.h"

#include <poppler.h>

/// The maximum number of pages that are listed.
enum { CD_MOST_LISTED = 10000 };

/// Lists the pages of a document, from the first one on. A damaged page has no size.
///
/// - objects: has the units of the pages; NULL if they are unknown.
cd_page_entry *cd_pages_list(PopplerDocument *document, const cd_objects *objects, size_t *count);

/// Frees a list, which may be NULL.
void cd_pages_free(cd_page_entry *pages, size_t count);

#endif
