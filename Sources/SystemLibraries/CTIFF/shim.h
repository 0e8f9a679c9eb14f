#ifndef TILEWRIGHT_CTIFF_SHIM_H
#define TILEWRIGHT_CTIFF_SHIM_H

#include <tiffio.h>

#endif
