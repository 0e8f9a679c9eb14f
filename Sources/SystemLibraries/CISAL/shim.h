#ifndef TILEWRIGHT_CISAL_SHIM_H
#define TILEWRIGHT_CISAL_SHIM_H

#include <isa-l/igzip_lib.h>

#endif
