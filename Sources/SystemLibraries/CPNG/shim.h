#ifndef TILEWRIGHT_CPNG_SHIM_H
#define TILEWRIGHT_CPNG_SHIM_H

#include <png.h>

#endif
