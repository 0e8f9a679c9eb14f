/*
 * Loads PROJ when it is first called.
 *
 * PROJ brings some forty libraries along, mostly for its network access, and loading them is half
 * of what a short run takes, though images in degrees or Web Mercator never need it. This target
 * defines the functions of `proj.h` that we use; each passes its arguments on to PROJ's own, and
 * the first call of `proj_context_create` loads that. It declares nothing: callers see `proj.h`.
 *
 * Where PROJ cannot be loaded, `proj_context_create` returns NULL; without a context no other
 * function can be called. Any thread may come first.
 *
 * On Linux the linker complains of a function that is missing here: add it. Elsewhere this target
 * is empty, and PROJ is linked as usual.
 */
