#ifndef TILEWRIGHT_CD_VIEWPORTS_H
#define TILEWRIGHT_CD_VIEWPORTS_H

#include "facts.h"

#include <qpdf/QPDFObjectHandle.hh>

/// Reads where a page says that it lies on the Earth: ISO 32000-2, 12.10, and OGC 08-139.
void readViewports(QPDFObjectHandle page, cd_objects &objects);

#endif
