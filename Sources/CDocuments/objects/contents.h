#ifndef TILEWRIGHT_CD_CONTENTS_H
#define TILEWRIGHT_CD_CONTENTS_H

#include "facts.h"

#include <qpdf/QPDFPageObjectHelper.hh>

/// Reads what a page paints, until it is clear whether it is nothing but a picture and what it paints first.
void readContents(QPDFPageObjectHelper &page, const cd_objects_place &place, cd_objects &objects);

#endif
