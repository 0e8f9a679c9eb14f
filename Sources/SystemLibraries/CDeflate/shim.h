#ifndef TILEWRIGHT_CDEFLATE_SHIM_H
#define TILEWRIGHT_CDEFLATE_SHIM_H

#include <libdeflate.h>

#endif
