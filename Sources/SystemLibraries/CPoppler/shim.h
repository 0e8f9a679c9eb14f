#ifndef TILEWRIGHT_CPOPPLER_SHIM_H
#define TILEWRIGHT_CPOPPLER_SHIM_H

#include <poppler.h>

#endif
