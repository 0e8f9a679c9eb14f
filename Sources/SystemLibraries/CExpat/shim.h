#ifndef TILEWRIGHT_CEXPAT_SHIM_H
#define TILEWRIGHT_CEXPAT_SHIM_H

#include <expat.h>

#endif
