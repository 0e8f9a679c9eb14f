#include "CHEIFLoader.h"

#if defined(__linux__)

#include <dlfcn.h>
#include <libheif/heif.h>
#include <pthread.h>
#include <stdbool.h>

/* With the number of the ABI, which is 1 for all releases 1. */
#define LIBRARY "libheif.so.1"

#define ERROR struct heif_error
#define CONTEXT struct heif_context *context
#define HANDLE const struct heif_image_handle *handle
#define IMAGE const struct heif_image *image

/* Releases before 1.14 have no plug-ins to load. */
#if LIBHEIF_HAVE_VERSION(1, 14, 0)
#define INITIALISATION(X) X(return, ERROR, heif_init, (struct heif_init_params * parameters), (parameters))
#else
#define INITIALISATION(X)
#endif

/* All but heif_get_version, as heif.h declares them: how they return, result, name, parameters, arguments. */
#define FUNCTIONS(X)                                                                                       \
    INITIALISATION(X)                                                                                      \
    X(return, uint32_t, heif_get_version_number, (void), ())                                               \
    X(return, int, heif_have_decoder_for_format, (enum heif_compression_format format), (format))          \
    X(return, struct heif_context *, heif_context_alloc, (void), ())                                       \
    X(, void, heif_context_free, (CONTEXT), (context))                                                     \
    X(return, ERROR, heif_context_read_from_memory_without_copy,                                           \
            (CONTEXT, const void *bytes, size_t size, const struct heif_reading_options *options),         \
            (context, bytes, size, options))                                                               \
    X(return, ERROR, heif_context_get_primary_image_handle, (CONTEXT, struct heif_image_handle * *handle), \
            (context, handle))                                                                             \
    X(, void, heif_image_handle_release, (HANDLE), (handle))                                               \
    X(return, ERROR, heif_decode_image,                                                                    \
            (HANDLE, struct heif_image * *image, enum heif_colorspace space, enum heif_chroma chroma,      \
             const struct heif_decoding_options *options),                                                 \
            (handle, image, space, chroma, options))                                                       \
    X(, void, heif_image_release, (IMAGE), (image))                                                        \
    X(return, enum heif_colorspace, heif_image_get_colorspace, (IMAGE), (image))                           \
    X(return, enum heif_chroma, heif_image_get_chroma_format, (IMAGE), (image))                            \
    X(return, int, heif_image_get_width, (IMAGE, enum heif_channel channel), (image, channel))             \
    X(return, int, heif_image_get_height, (IMAGE, enum heif_channel channel), (image, channel))            \
    X(return, int, heif_image_get_bits_per_pixel_range, (IMAGE, enum heif_channel channel),                \
            (image, channel))                                                                              \
    X(return, const uint8_t *, heif_image_get_plane_readonly,                                              \
            (IMAGE, enum heif_channel channel, int *stride), (image, channel, stride))

#define MEMBER(how, result, name, parameters, arguments) __typeof__(&name) name;
static struct {
    bool is_loaded;
    __typeof__(&heif_get_version) heif_get_version;
    FUNCTIONS(MEMBER)
} heif;

#define FIND(how, result, name, parameters, arguments) \
    has_all &= (heif.name = (__typeof__(&name))dlsym(library, #name)) != 0;
static void load(void) {
    void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (!library) return;
    bool has_all = true;
    FIND(, , heif_get_version, , )
    FUNCTIONS(FIND)
    heif.is_loaded = has_all;
}

const char *heif_get_version(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return heif.is_loaded ? heif.heif_get_version() : 0;
}

#define PASS(how, result, name, parameters, arguments) \
    result name parameters { how heif.name arguments; }
FUNCTIONS(PASS)

#endif
