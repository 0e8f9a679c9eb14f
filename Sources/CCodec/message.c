#include "message.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

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

cc_status cc_fail_read(cc_message *message, FILE *file) {
    return ferror(file) ? cc_fail_errno(message, CC_READ_FAILED, errno)
                        : cc_fail(message, CC_DAMAGED, "the file ends");
}

cc_status cc_fail_at_row(cc_message *message, bool file_has_ended, uint32_t row, uint32_t height) {
    const cc_message reason = *message;
    return file_has_ended
        ? cc_fail(message, CC_DAMAGED, "the file ends after row %u of %u", row, height)
        : cc_fail(message, CC_DAMAGED, "damaged after row %u of %u: %.150s", row, height, reason.text);
}

cc_status cc_open_path(const char *path, cc_input *input, cc_message *message) {
    struct stat status;
    input->file = fopen(path, "rb");
    if (input->file != NULL && fstat(fileno(input->file), &status) == 0) {
        input->size = (uint64_t)status.st_size;
        return CC_OK;
    }
    const cc_status failure = cc_fail_errno(message, CC_CANNOT_OPEN, errno);
    if (input->file != NULL) { fclose(input->file); }
    return failure;
}

FILE *cc_open_bytes(const uint8_t *bytes, size_t size, cc_message *message) {
    // In this mode, fmemopen only reads, although the parameter is not const.
    FILE *file = fmemopen((void *)bytes, size, "rb");
    if (file == NULL) { cc_fail_errno(message, CC_OUT_OF_MEMORY, errno); }
    return file;
}
