#ifndef TILEWRIGHT_CXXHASH_SHIM_H
#define TILEWRIGHT_CXXHASH_SHIM_H

#include <xxhash.h>

#endif
