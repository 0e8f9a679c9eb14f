#ifndef TILEWRIGHT_CD_USAGES_H
#define TILEWRIGHT_CD_USAGES_H

#include "facts.h"

#include <qpdf/QPDF.hh>

/// Reads which layers are shown or hidden by what they are for (ISO 32000, 8.11.4.4).
void readUsages(QPDF &document, cd_objects &objects);

#endif
