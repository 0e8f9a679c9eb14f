/*
 * Loads PROJ, libgeotiff and libheif when they are first called.
 * PROJ depends on some forty libraries, mostly for network access. Loading them takes half of a short run,
 * but images in degrees or Web Mercator never need PROJ. libgeotiff depends on PROJ; only GeoTIFF files need
 * it. libheif depends on decoders and encoders; only HEIC and AVIF files need it.
 * This target defines the functions that tilewright uses; each calls the library's function of the same name.
 * The first call of `proj_context_create`, `ST_Create` or `heif_get_version`, on any thread, loads the
 * library. If the library cannot be loaded, these return NULL, and no other function may be called. This
 * target has no declarations: callers use the libraries' headers.
 * On Linux, the linker reports functions that are missing here: add them. On other systems, this target is
 * empty, and the libraries are linked as usual.
 */
