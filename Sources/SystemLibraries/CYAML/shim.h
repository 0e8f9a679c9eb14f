#ifndef TILEWRIGHT_CYAML_SHIM_H
#define TILEWRIGHT_CYAML_SHIM_H

#include <yaml.h>

#endif
