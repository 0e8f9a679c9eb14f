/* The functions of libcurl, found when it is loaded. */

#ifndef TILEWRIGHT_CTRANSFER_LIBRARY_H
#define TILEWRIGHT_CTRANSFER_LIBRARY_H

#include <curl/curl.h>

struct ct_library {
    CURLcode (*global_init)(long flags);
    curl_version_info_data *(*version_info)(CURLversion age);
    CURL *(*easy_init)(void);
    void (*easy_cleanup)(CURL *handle);
    void (*easy_reset)(CURL *handle);
    CURLcode (*easy_setopt)(CURL *handle, CURLoption option, ...);
    CURLcode (*easy_perform)(CURL *handle);
    const char *(*easy_strerror)(CURLcode code);
    struct curl_slist *(*slist_append)(struct curl_slist *list, const char *text);
    void (*slist_free_all)(struct curl_slist *list);
};

/* Set once ct_version() has returned a version. */
extern struct ct_library ct_curl;

#endif
