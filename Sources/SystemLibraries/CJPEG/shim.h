#ifndef TILEWRIGHT_CJPEG_SHIM_H
#define TILEWRIGHT_CJPEG_SHIM_H

#include <stdio.h>
#include <jpeglib.h>

#endif
