/*
 * Loads PROJ, libgeotiff and libheif when they are first called.
 *
 * PROJ brings some forty libraries along, mostly for its network access, and loading them takes half
 * of a short run, though images in degrees or Web Mercator never need it. libgeotiff depends on PROJ, and
 * only a TIFF whose tags say where it is needs it. libheif brings decoders and encoders along for HEIC and
 * AVIF files.
 *
 * This target defines the functions of theirs that we use; each passes its arguments on to the library's
 * own. The first call of `proj_context_create`, `ST_Create` or `heif_get_version` loads the library. Where
 * it cannot be loaded, they return NULL, and no other function may be called. Any thread may come first.
 * The target declares nothing: callers see the headers of the libraries.
 *
 * On Linux the linker complains of a function that is missing here: add it. Elsewhere this target
 * is empty, and the libraries are linked as usual.
 */
