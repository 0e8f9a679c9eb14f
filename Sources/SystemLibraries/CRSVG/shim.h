#ifndef TILEWRIGHT_CRSVG_SHIM_H
#define TILEWRIGHT_CRSVG_SHIM_H

#include <librsvg/rsvg.h>

#endif
