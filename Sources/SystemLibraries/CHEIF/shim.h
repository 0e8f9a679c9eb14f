#ifndef TILEWRIGHT_CHEIF_SHIM_H
#define TILEWRIGHT_CHEIF_SHIM_H

#include <libheif/heif.h>

#endif
