/* See CLoader.h. Lists of functions have the form X(result, name, parameters, arguments). */

#if defined(__linux__)

#include <dlfcn.h>
#include <geotiff/geo_normalize.h>
#include <geotiff/geo_simpletags.h>
#include <geotiff/geotiff.h>
#include <libheif/heif.h>
#include <proj.h>
#include <pthread.h>
#include <stdbool.h>

#define OWN(result, name, parameters, arguments) static __typeof__(&name) own_##name;

#define FIND(result, name, parameters, arguments) \
    has_all &= (own_##name = (__typeof__(&name))dlsym(library, #name)) != 0;

#define PASS(result, name, parameters, arguments) \
    result name parameters { return own_##name arguments; }

/* Defines the function that loads a library, and the others. The library's name has the ABI number of its
 * header. */
#define LOADER(file, result, first, FUNCTIONS)               \
    OWN(result, first, (void), ())                           \
    FUNCTIONS(OWN)                                           \
    static bool first##_is_loaded;                           \
    static void first##_load(void) {                         \
        void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL); \
        if (!library) return;                                \
        bool has_all = true;                                 \
        FIND(result, first, (void), ())                      \
        FUNCTIONS(FIND)                                      \
        first##_is_loaded = has_all;                         \
    }                                                        \
    result first(void) {                                     \
        static pthread_once_t once = PTHREAD_ONCE_INIT;      \
        pthread_once(&once, first##_load);                   \
        return first##_is_loaded ? own_##first() : 0;        \
    }                                                        \
    FUNCTIONS(PASS)

/* 25 for all releases 9.x. */
#if PROJ_VERSION_MAJOR == 9
#define PROJ "libproj.so.25"
#else
#define PROJ "libproj.so"
#endif

#define CONTEXT PJ_CONTEXT *context
#define FACTORY PJ_OPERATION_FACTORY_CONTEXT *factory

/* The declarations of proj.h. */
#define PROJ_FUNCTIONS(X)                                                                                   \
    X(const char *, proj_as_wkt, (CONTEXT, const PJ *object, PJ_WKT_TYPE type, const char *const *options), \
      (context, object, type, options))                                                                     \
    X(PJ_CONTEXT *, proj_context_destroy, (CONTEXT), (context))                                             \
    X(int, proj_context_errno, (CONTEXT), (context))                                                        \
    X(const char *, proj_context_errno_string, (CONTEXT, int code), (context, code))                        \
    X(const char *, proj_context_get_database_metadata, (CONTEXT, const char *key), (context, key))         \
    X(const char *, proj_context_get_database_path, (CONTEXT), (context))                                   \
    X(int, proj_context_set_enable_network, (CONTEXT, int enable), (context, enable))                       \
    X(void, proj_context_use_proj4_init_rules, (CONTEXT, int enable), (context, enable))                    \
    X(double, proj_coordoperation_get_accuracy, (CONTEXT, const PJ *object), (context, object))             \
    X(int, proj_coordoperation_get_grid_used,                                                               \
      (CONTEXT, const PJ *object, int index, const char **name, const char **path, const char **package,    \
       const char **url, int *is_direct, int *is_open, int *is_available),                                  \
      (context, object, index, name, path, package, url, is_direct, is_open, is_available))                 \
    X(int, proj_coordoperation_get_grid_used_count, (CONTEXT, const PJ *object), (context, object))         \
    X(int, proj_coordoperation_has_ballpark_transformation, (CONTEXT, const PJ *object), (context, object)) \
    X(PJ *, proj_create, (CONTEXT, const char *definition), (context, definition))                          \
    X(PJ *, proj_create_crs_to_crs, (CONTEXT, const char *source, const char *target, PJ_AREA *area),       \
      (context, source, target, area))                                                                      \
    X(PJ *, proj_create_crs_to_crs_from_pj,                                                                 \
      (CONTEXT, const PJ *source, const PJ *target, PJ_AREA *area, const char *const *options),             \
      (context, source, target, area, options))                                                             \
    X(PJ_OPERATION_FACTORY_CONTEXT *, proj_create_operation_factory_context,                                \
      (CONTEXT, const char *authority), (context, authority))                                               \
    X(PJ_OBJ_LIST *, proj_create_operations, (CONTEXT, const PJ *source, const PJ *target, const FACTORY),  \
      (context, source, target, factory))                                                                   \
    X(PJ *, proj_crs_get_coordinate_system, (CONTEXT, const PJ *crs), (context, crs))                       \
    X(PJ *, proj_crs_get_geodetic_crs, (CONTEXT, const PJ *crs), (context, crs))                            \
    X(PJ *, proj_crs_get_sub_crs, (CONTEXT, const PJ *crs, int index), (context, crs, index))               \
    X(int, proj_cs_get_axis_info,                                                                           \
      (CONTEXT, const PJ *system, int index, const char **name, const char **abbreviation,                  \
       const char **direction, double *factor, const char **unit, const char **authority,                   \
       const char **code),                                                                                  \
      (context, system, index, name, abbreviation, direction, factor, unit, authority, code))               \
    X(PJ *, proj_destroy, (PJ * object), (object))                                                          \
    X(int, proj_get_area_of_use,                                                                            \
      (CONTEXT, const PJ *object, double *west, double *south, double *east, double *north,                 \
       const char **name),                                                                                  \
      (context, object, west, south, east, north, name))                                                    \
    X(const char *, proj_get_name, (const PJ *object), (object))                                            \
    X(PJ *, proj_get_source_crs, (CONTEXT, const PJ *object), (context, object))                            \
    X(PJ_TYPE, proj_get_type, (const PJ *object), (object))                                                 \
    X(PJ_INFO, proj_info, (void), ())                                                                       \
    X(int, proj_is_equivalent_to_with_ctx,                                                                  \
      (CONTEXT, const PJ *object, const PJ *other, PJ_COMPARISON_CRITERION criterion),                      \
      (context, object, other, criterion))                                                                  \
    X(PJ *, proj_list_get, (CONTEXT, const PJ_OBJ_LIST *list, int index), (context, list, index))           \
    X(void, proj_list_destroy, (PJ_OBJ_LIST * list), (list))                                                \
    X(int, proj_list_get_count, (const PJ_OBJ_LIST *list), (list))                                          \
    X(void, proj_log_func, (CONTEXT, void *data, PJ_LOG_FUNCTION function), (context, data, function))      \
    X(PJ_LOG_LEVEL, proj_log_level, (CONTEXT, PJ_LOG_LEVEL level), (context, level))                        \
    X(PJ *, proj_normalize_for_visualization, (CONTEXT, const PJ *object), (context, object))               \
    X(void, proj_operation_factory_context_destroy, (FACTORY), (factory))                                   \
    X(void, proj_operation_factory_context_set_area_of_interest,                                            \
      (CONTEXT, FACTORY, double west, double south, double east, double north),                             \
      (context, factory, west, south, east, north))                                                         \
    X(void, proj_operation_factory_context_set_grid_availability_use,                                       \
      (CONTEXT, FACTORY, PROJ_GRID_AVAILABILITY_USE use), (context, factory, use))                          \
    X(void, proj_operation_factory_context_set_spatial_criterion,                                           \
      (CONTEXT, FACTORY, PROJ_SPATIAL_CRITERION criterion), (context, factory, criterion))                  \
    X(size_t, proj_trans_generic,                                                                           \
      (PJ * operation, PJ_DIRECTION direction, double *x, size_t x_stride, size_t x_count, double *y,       \
       size_t y_stride, size_t y_count, double *z, size_t z_stride, size_t z_count, double *t,              \
       size_t t_stride, size_t t_count),                                                                    \
      (operation, direction, x, x_stride, x_count, y, y_stride, y_count, z, z_stride, z_count, t, t_stride, \
       t_count))                                                                                            \
    X(PJ *, proj_trans_get_last_used_operation, (PJ * operation), (operation))

LOADER(PROJ, PJ_CONTEXT *, proj_context_create, PROJ_FUNCTIONS)

/* 5 for releases 1.5 to 1.7. */
#if LIBGEOTIFF_VERSION >= 1500 && LIBGEOTIFF_VERSION < 1800
#define GEOTIFF "libgeotiff.so.5"
#else
#define GEOTIFF "libgeotiff.so"
#endif

/* The declarations of libgeotiff. */
#define GEOTIFF_FUNCTIONS(X)                                                                           \
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

LOADER(GEOTIFF, ST_TIFF *, ST_Create, GEOTIFF_FUNCTIONS)

#define ERROR struct heif_error
#define HEIF_CONTEXT struct heif_context *context
#define HANDLE const struct heif_image_handle *handle
#define IMAGE const struct heif_image *image

/* Releases before 1.14 have no plug-ins to load. */
#if LIBHEIF_HAVE_VERSION(1, 14, 0)
#define HEIF_INITIALISATION(X) X(ERROR, heif_init, (struct heif_init_params * parameters), (parameters))
#else
#define HEIF_INITIALISATION(X)
#endif

/* The declarations of heif.h. */
#define HEIF_FUNCTIONS(X)                                                                               \
    HEIF_INITIALISATION(X)                                                                              \
    X(uint32_t, heif_get_version_number, (void), ())                                                    \
    X(int, heif_have_decoder_for_format, (enum heif_compression_format format), (format))               \
    X(struct heif_context *, heif_context_alloc, (void), ())                                            \
    X(void, heif_context_free, (HEIF_CONTEXT), (context))                                               \
    X(ERROR, heif_context_read_from_memory_without_copy,                                                \
      (HEIF_CONTEXT, const void *bytes, size_t size, const struct heif_reading_options *options),       \
      (context, bytes, size, options))                                                                  \
    X(ERROR, heif_context_get_primary_image_handle, (HEIF_CONTEXT, struct heif_image_handle * *handle), \
      (context, handle))                                                                                \
    X(void, heif_image_handle_release, (HANDLE), (handle))                                              \
    X(ERROR, heif_decode_image,                                                                         \
      (HANDLE, struct heif_image * *image, enum heif_colorspace space, enum heif_chroma chroma,         \
       const struct heif_decoding_options *options),                                                    \
      (handle, image, space, chroma, options))                                                          \
    X(void, heif_image_release, (IMAGE), (image))                                                       \
    X(enum heif_colorspace, heif_image_get_colorspace, (IMAGE), (image))                                \
    X(enum heif_chroma, heif_image_get_chroma_format, (IMAGE), (image))                                 \
    X(int, heif_image_get_width, (IMAGE, enum heif_channel channel), (image, channel))                  \
    X(int, heif_image_get_height, (IMAGE, enum heif_channel channel), (image, channel))                 \
    X(int, heif_image_get_bits_per_pixel_range, (IMAGE, enum heif_channel channel), (image, channel))   \
    X(const uint8_t *, heif_image_get_plane_readonly, (IMAGE, enum heif_channel channel, int *stride),  \
      (image, channel, stride))

/* 1 for all releases 1.x. */
LOADER("libheif.so.1", const char *, heif_get_version, HEIF_FUNCTIONS)

#endif
