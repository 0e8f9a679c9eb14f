#ifndef TILEWRIGHT_CD_ANNOTATIONS_H
#define TILEWRIGHT_CD_ANNOTATIONS_H

#include <poppler.h>

/// Changes the annotations of a page so that it looks on a screen as it is printed.
void cd_annotations_as_printed(PopplerPage *page);

#endif
