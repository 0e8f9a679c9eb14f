// The fence around libcurl: one request and its answer. libcurl is loaded when it is first needed, so that
// runs that read only files of this machine neither need it nor pay for its forty libraries.

#ifndef TILEWRIGHT_CTRANSFER_H
#define TILEWRIGHT_CTRANSFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// How an exchange ended.
enum ct_outcome {
    /// The answer is complete.
    CT_DONE,
    /// A callback ended it.
    CT_STOPPED,
    /// No connection: the host is unknown, refuses, or speaks no TLS.
    CT_UNREACHABLE,
    /// Too slow to connect, to answer or to go on.
    CT_TIMEOUT,
    /// The connection broke before the end of the answer.
    CT_BROKEN,
    /// The answer is not HTTP.
    CT_GARBAGE,
    /// The answer has more header lines or bytes than any that is meant seriously.
    CT_LONG_HEADERS,
    /// The certificate of the server is not trusted.
    CT_CERTIFICATE,
    /// The file that is sent became shorter, or cannot be read.
    CT_SOURCE,
    /// Out of memory.
    CT_MEMORY,
    /// libcurl is too old, or lacks TLS.
    CT_UNSUPPORTED,
};

/// A request, and the functions that receive its answer.
struct ct_request {
    /// Such as GET.
    const char *method;
    /// An address with https:, or with http:, which then is on this machine.
    const char *url;
    /// Whether http: is allowed, which never goes through a proxy.
    bool is_local;
    /// Lines such as `Range: bytes=0-9`.
    const char *const *headers;
    size_t header_count;
    /// Such as `aws:amz:eu-central-1:s3`, with `name:secret`; NULL for requests without a signature.
    const char *signature;
    const char *user_password;
    /// Bytes to send, or NULL.
    const void *body;
    /// A file to send instead if it is not negative.
    int body_file;
    /// The number of bytes to send; negative if the request has no body.
    int64_t body_size;
    /// A file of certificates in PEM, or NULL for those of the system.
    const char *certificates;
    /// The longest time to connect, and the longest time below 1 KiB/s.
    long connect_seconds;
    long stall_seconds;
    /// Passed to the functions.
    void *context;
    /// Receives each header line. Returns whether to go on.
    bool (*header)(void *context, const char *line, size_t size);
    /// Receives bytes of the body. Returns whether to go on.
    bool (*receive)(void *context, const void *bytes, size_t size);
    /// Asked about once in a second. Returns whether to go on.
    bool (*proceed)(void *context);
};

/// The end of an exchange.
struct ct_result {
    enum ct_outcome outcome;
    /// One line of libcurl about it; it has no address.
    char text[256];
};

/// The version of libcurl, such as `7.88.1`, which is loaded first if need be; NULL if there is none. Any
/// thread may call it.
const char *ct_version(void);

/// Makes a handle, which keeps connections between its requests; NULL if memory is short. One thread at a
/// time may use it.
void *ct_open(void);

/// Closes a handle with its connections.
void ct_close(void *handle);

/// Performs a request, and calls the functions meanwhile, on the same thread. Redirects are not followed.
void ct_perform(void *handle, const struct ct_request *request, struct ct_result *result);

#endif
