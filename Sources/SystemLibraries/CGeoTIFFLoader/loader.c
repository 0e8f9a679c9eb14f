#include "CGeoTIFFLoader.h"

#if defined(__linux__)

#include <dlfcn.h>
#include <geotiff/geo_normalize.h>
#include <geotiff/geo_simpletags.h>
#include <geotiff/geotiff.h>
#include <pthread.h>
#include <stdbool.h>

/* Names with the number of the ABI that the headers belong to: 5 for releases 1.5 to 1.7. */
#if LIBGEOTIFF_VERSION >= 1500 && LIBGEOTIFF_VERSION < 1800
#define LIBRARY "libgeotiff.so.5"
#else
#define LIBRARY "libgeotiff.so"
#endif

/* All but ST_Create, as libgeotiff declares them: how they return, result, name, parameters,
   arguments. */
#define FUNCTIONS(X)                                                                             \
    X(, void, ST_Destroy, (ST_TIFF * tags), (tags))                                              \
    X(return, int, ST_SetKey, (ST_TIFF * tags, int tag, int count, int type, void *data),        \
            (tags, tag, count, type, data))                                                      \
    X(return, GTIF *, GTIFNewSimpleTags, (void *tags), (tags))                                   \
    X(, void, GTIFFree, (GTIF * keys), (keys))                                                   \
    X(, void, GTIFAttachPROJContext, (GTIF * keys, void *context), (keys, context))              \
    X(return, int, GTIFGetDatumInfoEx, (void *context, int code, char **name, short *ellipsoid), \
            (context, code, name, ellipsoid))                                                    \
    X(, void, GTIFFreeMemory, (char *text), (text))                                              \
    X(return, int, GTIFGetDefn, (GTIF * keys, GTIFDefn * definition), (keys, definition))        \
    X(return, int, GTIFKeyGetASCII, (GTIF * keys, geokey_t key, char *text, int capacity),       \
            (keys, key, text, capacity))                                                         \
    X(return, int, GTIFKeyGetSHORT,                                                              \
            (GTIF * keys, geokey_t key, unsigned short *values, int index, int count),           \
            (keys, key, values, index, count))

#define MEMBER(how, result, name, parameters, arguments) __typeof__(&name) name;
static struct {
    bool is_loaded;
    __typeof__(&ST_Create) ST_Create;
    FUNCTIONS(MEMBER)
} geotiff;

#define FIND(how, result, name, parameters, arguments) \
    has_all &= (geotiff.name = (__typeof__(&name))dlsym(library, #name)) != 0;
static void load(void) {
    void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (!library) return;
    bool has_all = true;
    FIND(, , ST_Create, , )
    FUNCTIONS(FIND)
    geotiff.is_loaded = has_all;
}

ST_TIFF *ST_Create(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return geotiff.is_loaded ? geotiff.ST_Create() : 0;
}

#define PASS(how, result, name, parameters, arguments) \
    result name parameters { how geotiff.name arguments; }
FUNCTIONS(PASS)

#endif
