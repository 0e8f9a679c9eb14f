#if defined(__linux__)

#include <libheif/heif.h>

/* The library name with the ABI number, which is 1 for all releases 1.x. */
#define LIBRARY "libheif.so.1"

#define ERROR struct heif_error
#define CONTEXT struct heif_context *context
#define HANDLE const struct heif_image_handle *handle
#define IMAGE const struct heif_image *image

/* Releases before 1.14 have no plug-ins to load. */
#if LIBHEIF_HAVE_VERSION(1, 14, 0)
#define INITIALISATION(X) X(ERROR, heif_init, (struct heif_init_params * parameters), (parameters))
#else
#define INITIALISATION(X)
#endif

#define FIRST(X) X(const char *, heif_get_version, (void), ())

/* The declarations of heif.h. */
#define FUNCTIONS(X)                                                                                   \
    INITIALISATION(X)                                                                                  \
    X(uint32_t, heif_get_version_number, (void), ())                                                   \
    X(int, heif_have_decoder_for_format, (enum heif_compression_format format), (format))              \
    X(struct heif_context *, heif_context_alloc, (void), ())                                           \
    X(void, heif_context_free, (CONTEXT), (context))                                                   \
    X(ERROR, heif_context_read_from_memory_without_copy,                                               \
      (CONTEXT, const void *bytes, size_t size, const struct heif_reading_options *options),           \
      (context, bytes, size, options))                                                                 \
    X(ERROR, heif_context_get_primary_image_handle, (CONTEXT, struct heif_image_handle * *handle),     \
      (context, handle))                                                                               \
    X(void, heif_image_handle_release, (HANDLE), (handle))                                             \
    X(ERROR, heif_decode_image,                                                                        \
      (HANDLE, struct heif_image * *image, enum heif_colorspace space, enum heif_chroma chroma,        \
       const struct heif_decoding_options *options),                                                   \
      (handle, image, space, chroma, options))                                                         \
    X(void, heif_image_release, (IMAGE), (image))                                                      \
    X(enum heif_colorspace, heif_image_get_colorspace, (IMAGE), (image))                               \
    X(enum heif_chroma, heif_image_get_chroma_format, (IMAGE), (image))                                \
    X(int, heif_image_get_width, (IMAGE, enum heif_channel channel), (image, channel))                 \
    X(int, heif_image_get_height, (IMAGE, enum heif_channel channel), (image, channel))                \
    X(int, heif_image_get_bits_per_pixel_range, (IMAGE, enum heif_channel channel), (image, channel))  \
    X(const uint8_t *, heif_image_get_plane_readonly, (IMAGE, enum heif_channel channel, int *stride), \
      (image, channel, stride))

#include "loader.h"

#endif
