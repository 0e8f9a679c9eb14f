#ifndef TILEWRIGHT_CZSTANDARD_SHIM_H
#define TILEWRIGHT_CZSTANDARD_SHIM_H

#include <zstd.h>

#endif
