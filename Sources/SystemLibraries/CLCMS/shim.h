#ifndef TILEWRIGHT_CLCMS_SHIM_H
#define TILEWRIGHT_CLCMS_SHIM_H

#include <lcms2.h>

#endif
