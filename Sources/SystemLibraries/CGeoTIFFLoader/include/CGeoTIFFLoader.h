/*
 * Loads libgeotiff when it is first called.
 *
 * It depends on PROJ, which is costly to load (see CPROJLoader), and only a TIFF whose tags say
 * where it lies needs it. This target defines the functions of libgeotiff that we use; each passes
 * its arguments on, and the first call of `ST_Create` loads the library. It declares nothing:
 * callers see libgeotiff's headers.
 *
 * Where the library cannot be loaded, `ST_Create` returns NULL; without its result no other
 * function can be called. Any thread may come first.
 *
 * On Linux the linker complains of a function that is missing here: add it. Elsewhere this target
 * is empty, and libgeotiff is linked as usual.
 */
