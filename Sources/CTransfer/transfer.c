/* One request with libcurl. */

#include "CTransfer.h"
#include "library.h"
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Answers of stores have some 20 lines; those of proxies, some more. */
enum { most_header_bytes = 64 * 1024, most_header_lines = 200, least_speed = 1024 };

struct exchange {
    const struct ct_request *request;
    size_t header_bytes, header_lines;
    int64_t sent, began;
    bool is_stopped, has_long_headers, has_bad_source, is_slow;
};

static int64_t seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec;
}

static size_t take_header(char *line, size_t unit, size_t count, void *context) {
    struct exchange *exchange = context;
    size_t size = unit * count;
    exchange->header_bytes += size;
    exchange->header_lines += 1;
    if (exchange->header_bytes > most_header_bytes || exchange->header_lines > most_header_lines) {
        exchange->has_long_headers = true;
        return 0;
    }
    if (exchange->request->header(exchange->request->context, line, size)) return size;
    exchange->is_stopped = true;
    return 0;
}

static size_t take_body(char *bytes, size_t unit, size_t count, void *context) {
    struct exchange *exchange = context;
    size_t size = unit * count;
    if (size == 0 || exchange->request->receive(exchange->request->context, bytes, size)) return size;
    exchange->is_stopped = true;
    return 0;
}

static size_t give_body(char *buffer, size_t unit, size_t count, void *context) {
    struct exchange *exchange = context;
    const struct ct_request *request = exchange->request;
    size_t rest = (size_t)(request->body_size - exchange->sent), size = unit * count;
    if (size > rest) size = rest;
    if (size == 0) return 0;
    if (request->body_file < 0) {
        memcpy(buffer, (const char *)request->body + exchange->sent, size);
    } else {
        ssize_t read;
        do read = pread(request->body_file, buffer, size, (off_t)exchange->sent);
        while (read < 0 && errno == EINTR);
        if (read <= 0) {
            exchange->has_bad_source = true;
            return CURL_READFUNC_ABORT;
        }
        size = (size_t)read;
    }
    exchange->sent += (int64_t)size;
    return size;
}

/* A kept connection that has died in the meantime makes libcurl send the body once more, on a new one. */
static int rewind_body(void *context, curl_off_t offset, int origin) {
    struct exchange *exchange = context;
    if (origin != SEEK_SET || offset < 0 || offset > exchange->request->body_size) return CURL_SEEKFUNC_FAIL;
    exchange->sent = offset;
    return CURL_SEEKFUNC_OK;
}

/* libcurl's own limit looks at the last seconds alone, which short bursts satisfy for ever. */
static int proceed(void *context, curl_off_t expected, curl_off_t received, curl_off_t all, curl_off_t sent) {
    struct exchange *exchange = context;
    (void)expected, (void)all;
    int64_t most = exchange->request->connect_seconds + 2 * exchange->request->stall_seconds
        + (received + sent) / least_speed;
    if (seconds() - exchange->began > most) {
        exchange->is_slow = true;
        return 1;
    }
    if (exchange->request->proceed(exchange->request->context)) return 0;
    exchange->is_stopped = true;
    return 1;
}

static enum ct_outcome outcome(const struct exchange *exchange, CURLcode code) {
    if (exchange->has_long_headers) return CT_LONG_HEADERS;
    if (exchange->has_bad_source) return CT_SOURCE;
    if (exchange->is_slow) return CT_TIMEOUT;
    if (exchange->is_stopped) return CT_STOPPED;
    switch (code) {
    case CURLE_OK: return CT_DONE;
    case CURLE_COULDNT_RESOLVE_PROXY:
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_CONNECT:
    /* How libcurl 7.88 reports a host that is not found, if it waits for connections itself. */
    case CURLE_BAD_FUNCTION_ARGUMENT:
    case CURLE_SSL_CONNECT_ERROR: return CT_UNREACHABLE;
    case CURLE_OPERATION_TIMEDOUT: return CT_TIMEOUT;
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CERTPROBLEM:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_ISSUER_ERROR:
    case CURLE_SSL_INVALIDCERTSTATUS: return CT_CERTIFICATE;
    case CURLE_OUT_OF_MEMORY: return CT_MEMORY;
    case CURLE_UNKNOWN_OPTION:
    case CURLE_NOT_BUILT_IN:
    case CURLE_SSL_ENGINE_NOTFOUND: return CT_UNSUPPORTED;
    case CURLE_WEIRD_SERVER_REPLY:
    case CURLE_UNSUPPORTED_PROTOCOL:
    case CURLE_URL_MALFORMAT:
    case CURLE_BAD_CONTENT_ENCODING: return CT_GARBAGE;
    default: return CT_BROKEN;
    }
}

#define SET(option, value) \
    if (!code) code = ct_curl.easy_setopt(handle, option, value)

/* Releases before 7.85 know protocols by bits alone, which newer ones call deprecated. */
static CURLcode set_protocol(CURL *handle, bool is_local) {
    enum { protocols = CURLOPTTYPE_LONG + 181, protocols_text = CURLOPTTYPE_STRINGPOINT + 318 };
    CURLcode code =
        ct_curl.easy_setopt(handle, (CURLoption)protocols_text, is_local ? "http,https" : "https");
    if (code != CURLE_UNKNOWN_OPTION) return code;
    long bits = is_local ? CURLPROTO_HTTP | CURLPROTO_HTTPS : CURLPROTO_HTTPS;
    return ct_curl.easy_setopt(handle, (CURLoption)protocols, bits);
}

static CURLcode set_options(CURL *handle, struct exchange *exchange, struct curl_slist *headers, char *text) {
    const struct ct_request *request = exchange->request;
    ct_curl.easy_reset(handle);
    CURLcode code = set_protocol(handle, request->is_local);
    SET(CURLOPT_ERRORBUFFER, text);
    SET(CURLOPT_NOSIGNAL, 1L);
    SET(CURLOPT_URL, request->url);
    SET(CURLOPT_PATH_AS_IS, 1L);
    SET(CURLOPT_USERAGENT, "tilewright");
    SET(CURLOPT_FOLLOWLOCATION, 0L);
    /* One connection for each handle: HTTP/2 would gain nothing. */
    SET(CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
    SET(CURLOPT_HTTP09_ALLOWED, 0L);
    SET(CURLOPT_SSL_VERIFYPEER, 1L);
    SET(CURLOPT_SSL_VERIFYHOST, 2L);
    if (request->certificates) SET(CURLOPT_CAINFO, request->certificates);
    if (request->is_local) SET(CURLOPT_PROXY, "");
    SET(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
    SET(CURLOPT_TCP_KEEPALIVE, 1L);
    SET(CURLOPT_CONNECTTIMEOUT, request->connect_seconds);
    SET(CURLOPT_LOW_SPEED_LIMIT, (long)least_speed);
    SET(CURLOPT_LOW_SPEED_TIME, request->stall_seconds);
    SET(CURLOPT_BUFFERSIZE, 256L * 1024);
    SET(CURLOPT_HTTPHEADER, headers);
    SET(CURLOPT_HEADERFUNCTION, take_header);
    SET(CURLOPT_HEADERDATA, exchange);
    SET(CURLOPT_WRITEFUNCTION, take_body);
    SET(CURLOPT_WRITEDATA, exchange);
    SET(CURLOPT_NOPROGRESS, 0L);
    SET(CURLOPT_XFERINFOFUNCTION, proceed);
    SET(CURLOPT_XFERINFODATA, exchange);
    if (request->body_size >= 0) {
        SET(CURLOPT_UPLOAD, 1L);
        SET(CURLOPT_INFILESIZE_LARGE, (curl_off_t)request->body_size);
        SET(CURLOPT_READFUNCTION, give_body);
        SET(CURLOPT_READDATA, exchange);
        SET(CURLOPT_SEEKFUNCTION, rewind_body);
        SET(CURLOPT_SEEKDATA, exchange);
    }
    SET(CURLOPT_CUSTOMREQUEST, request->method);
    if (request->signature) {
        SET(CURLOPT_AWS_SIGV4, request->signature);
        SET(CURLOPT_USERPWD, request->user_password);
    }
    return code;
}

/* With CURLOPT_NOSIGNAL, libcurl does not protect the program from a library for TLS that writes to a closed
 * connection. */
static CURLcode perform_without_pipe_signal(CURL *handle) {
    sigset_t pipe, old, pending;
    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe, &old);
    CURLcode code = ct_curl.easy_perform(handle);
    int taken;
    if (!sigismember(&old, SIGPIPE) && sigpending(&pending) == 0 && sigismember(&pending, SIGPIPE))
        sigwait(&pipe, &taken);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    return code;
}

void ct_perform(void *handle, const struct ct_request *request, struct ct_result *result) {
    struct exchange exchange = {.request = request, .began = seconds()};
    char text[CURL_ERROR_SIZE] = "";
    memset(result, 0, sizeof *result);
    struct curl_slist *headers = NULL;
    CURLcode code = CURLE_OK;
    for (size_t index = 0; index < request->header_count; index++) {
        struct curl_slist *longer = ct_curl.slist_append(headers, request->headers[index]);
        if (!longer) code = CURLE_OUT_OF_MEMORY;
        if (longer) headers = longer;
    }
    if (!code) code = set_options(handle, &exchange, headers, text);
    if (!code) code = perform_without_pipe_signal(handle);
    result->outcome = outcome(&exchange, code);
    /* Other texts of libcurl may quote the address, which may hold secrets. */
    bool is_plain = result->outcome == CT_CERTIFICATE || result->outcome == CT_UNREACHABLE;
    const char *line = is_plain && *text ? text : ct_curl.easy_strerror(code);
    strncpy(result->text, line, sizeof result->text - 1);
    /* The handle must not keep addresses of what ends here. */
    ct_curl.easy_reset(handle);
    ct_curl.slist_free_all(headers);
}
