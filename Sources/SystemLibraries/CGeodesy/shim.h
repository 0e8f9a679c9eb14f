#ifndef TILEWRIGHT_CGEODESY_SHIM_H
#define TILEWRIGHT_CGEODESY_SHIM_H

#include <proj.h>

/* Debian has the headers in a separate folder, which no pkg-config file names. */
#if __has_include(<geotiff/geotiff.h>)
#include <geotiff/geo_normalize.h>
#include <geotiff/geo_simpletags.h>
#include <geotiff/geotiff.h>
#else
#include <geo_normalize.h>
#include <geo_simpletags.h>
#include <geotiff.h>
#endif

#endif
