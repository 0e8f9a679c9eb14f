#ifndef TILEWRIGHT_CPROJ_SHIM_H
#define TILEWRIGHT_CPROJ_SHIM_H

#include <proj.h>

#endif
