#if defined(__linux__)

#include <proj.h>

/* Library names with the header's ABI number: 25 for all releases 9.x. */
#if PROJ_VERSION_MAJOR == 9
#define LIBRARY "libproj.so.25"
#else
#define LIBRARY "libproj.so"
#endif

#define CONTEXT PJ_CONTEXT *context
#define FACTORY PJ_OPERATION_FACTORY_CONTEXT *factory

#define FIRST(X) X(PJ_CONTEXT *, proj_context_create, (void), ())

/* The declarations of proj.h. */
#define FUNCTIONS(X)                                                                                        \
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

#include "loader.h"

#endif
