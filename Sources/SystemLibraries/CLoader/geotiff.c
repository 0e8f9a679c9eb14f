#if defined(__linux__)

#include <geotiff/geo_normalize.h>
#include <geotiff/geo_simpletags.h>
#include <geotiff/geotiff.h>

/* Library names with the headers' ABI number: 5 for releases 1.5 to 1.7. */
#if LIBGEOTIFF_VERSION >= 1500 && LIBGEOTIFF_VERSION < 1800
#define LIBRARY "libgeotiff.so.5"
#else
#define LIBRARY "libgeotiff.so"
#endif

#define FIRST(X) X(ST_TIFF *, ST_Create, (void), ())

/* The declarations of libgeotiff. */
#define FUNCTIONS(X)                                                                                   \
    X(void, ST_Destroy, (ST_TIFF * tags), (tags))                                                      \
    X(int, ST_SetKey, (ST_TIFF * tags, int tag, int count, int type, void *data),                      \
      (tags, tag, count, type, data))                                                                  \
    X(GTIF *, GTIFNewSimpleTags, (void *tags), (tags))                                                 \
    X(void, GTIFFree, (GTIF * keys), (keys))                                                           \
    X(void, GTIFAttachPROJContext, (GTIF * keys, void *context), (keys, context))                      \
    X(int, GTIFGetDatumInfoEx, (void *context, int code, char **name, short *ellipsoid),               \
      (context, code, name, ellipsoid))                                                                \
    X(void, GTIFFreeMemory, (char *text), (text))                                                      \
    X(int, GTIFGetDefn, (GTIF * keys, GTIFDefn * definition), (keys, definition))                      \
    X(int, GTIFKeyGetASCII, (GTIF * keys, geokey_t key, char *text, int capacity),                     \
      (keys, key, text, capacity))                                                                     \
    X(int, GTIFKeyGetSHORT, (GTIF * keys, geokey_t key, unsigned short *values, int index, int count), \
      (keys, key, values, index, count))

#include "loader.h"

#endif
