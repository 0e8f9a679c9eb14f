#ifndef TILEWRIGHT_CD_RESOURCES_H
#define TILEWRIGHT_CD_RESOURCES_H

#include "facts.h"

#include <qpdf/QPDFPageObjectHelper.hh>

/// Reads what a page may use: images, masks, and the fonts that the document does not bring along.
void readResources(QPDFPageObjectHelper &page, cd_objects &objects);

#endif
