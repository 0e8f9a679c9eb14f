#ifndef TILEWRIGHT_CWEBP_SHIM_H
#define TILEWRIGHT_CWEBP_SHIM_H

#include <webp/decode.h>
#include <webp/encode.h>

#endif
