/* See library.h. */

#include "library.h"
#include "CTransfer.h"
#include <dlfcn.h>
#include <pthread.h>

struct ct_library ct_curl;
static const char *version;

/* Debian's libcurl-gnutls.so.4 and libcurl.so.4 have one interface; they differ in their library for TLS. */
static const char *const names[] = {
#if defined(__APPLE__)
    "/usr/lib/libcurl.4.dylib",
    "libcurl.4.dylib",
#else
    "libcurl.so.4",
    "libcurl-gnutls.so.4",
#endif
};

#define FIND(field, name) ((ct_curl.field = (__typeof__(ct_curl.field))dlsym(library, name)) != NULL)

static void load(void) {
    void *library = NULL;
    for (size_t index = 0; !library && index < sizeof names / sizeof *names; index++)
        library = dlopen(names[index], RTLD_NOW | RTLD_LOCAL);
    if (!library) return;
    if (!FIND(global_init, "curl_global_init") || !FIND(version_info, "curl_version_info")
        || !FIND(easy_init, "curl_easy_init") || !FIND(easy_cleanup, "curl_easy_cleanup")
        || !FIND(easy_reset, "curl_easy_reset") || !FIND(easy_setopt, "curl_easy_setopt")
        || !FIND(easy_perform, "curl_easy_perform") || !FIND(easy_strerror, "curl_easy_strerror")
        || !FIND(slist_append, "curl_slist_append") || !FIND(slist_free_all, "curl_slist_free_all"))
        return;
    if (ct_curl.global_init(CURL_GLOBAL_ALL)) return;
    version = ct_curl.version_info(CURLVERSION_NOW)->version;
}

const char *ct_version(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return version;
}

void *ct_open(void) { return ct_version() ? ct_curl.easy_init() : NULL; }

void ct_close(void *handle) { ct_curl.easy_cleanup(handle); }
