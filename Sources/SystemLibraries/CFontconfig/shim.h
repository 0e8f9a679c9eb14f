#ifndef TILEWRIGHT_CFONTCONFIG_SHIM_H
#define TILEWRIGHT_CFONTCONFIG_SHIM_H

#include <fontconfig/fontconfig.h>

#endif
