/*
 * Loads libheif when it is first called.
 *
 * It brings decoders and encoders along, and only HEIC and AVIF files need it. This target defines the
 * functions of `heif.h` that we use; each passes its arguments on to libheif's own, and the first call of
 * `heif_get_version` loads that. It declares nothing: callers see `heif.h`.
 *
 * Where libheif cannot be loaded, `heif_get_version` returns NULL; then no other function can be called. Any
 * thread may come first.
 *
 * On Linux the linker complains of a function that is missing here: add it. Elsewhere this target is empty,
 * and libheif is linked as usual.
 */
