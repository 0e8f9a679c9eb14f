#ifndef CDOCUMENTS_FONTS_H
#define CDOCUMENTS_FONTS_H

#include <glib.h>
#include <stddef.h>

/// Finds the fonts that an SVG with texts names and this machine lacks: of each list of families, the first
/// one if none of them is installed. Of a compressed document, none are found.
///
/// Returns their names, which the array frees, each once.
GPtrArray *cd_missing_fonts(const char *bytes, size_t size);

#endif
