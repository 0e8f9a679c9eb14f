#include "message.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

cc_status cc_fail(cc_message *message, cc_status status, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message->text, sizeof message->text, format, arguments);
    va_end(arguments);
    return status;
}

cc_status cc_fail_memory(cc_message *message) { return cc_fail(message, CC_OUT_OF_MEMORY, "out of memory"); }

cc_status cc_fail_errno(cc_message *message, cc_status status, int error) {
    // strerror_r has two signatures; strerror is safe with glibc (the text of a known errno is a
    // constant) and on Darwin (the buffer belongs to the thread).
    cc_fail(message, status, "%s", strerror(error));
    message->text[0] = (char)tolower((unsigned char)message->text[0]);
    const bool is_limit = error == ENOMEM || error == EMFILE || error == ENFILE;
    return is_limit ? CC_OUT_OF_MEMORY : error == EIO ? CC_READ_FAILED : status;
}

FILE *cc_open_bytes(const uint8_t *bytes, size_t size, cc_message *message) {
    // Its type does not say so, but in this mode it only reads.
    FILE *file = fmemopen((void *)bytes, size, "rb");
    if (file == NULL) { cc_fail_errno(message, CC_OUT_OF_MEMORY, errno); }
    return file;
}
