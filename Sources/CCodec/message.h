// What the files of the fence share: how messages are written, and how files are opened.

#ifndef TILEWRIGHT_MESSAGE_H
#define TILEWRIGHT_MESSAGE_H

#include <stdio.h>

#include "CCodec.h"

/// Writes a message as printf does, and returns the status for the caller to pass on.
__attribute__((format(printf, 3, 4))) cc_status cc_fail(
    cc_message *message, cc_status status, const char *format, ...);

/// CC_OUT_OF_MEMORY, in words.
cc_status cc_fail_memory(cc_message *message);

/// The message of errno. The status becomes another one if the system is short of memory or of open
/// files, or if the disk fails.
cc_status cc_fail_errno(cc_message *message, cc_status status, int error);

/// Why a read came short: the system's reason, or CC_DAMAGED if the file ends.
cc_status cc_fail_read(cc_message *message, FILE *file);

/// CC_DAMAGED at a place in the image: the file ends there, or the message has the reason.
cc_status cc_fail_at_row(cc_message *message, bool file_has_ended, uint32_t row, uint32_t height);

/// A file that is open for reading, and its size.
typedef struct cc_input {
    FILE *file;
    uint64_t size;
} cc_input;

cc_status cc_open_path(const char *path, cc_input *input, cc_message *message);

/// Bytes in memory, at least one, as a file to read; NULL if there is no memory for it.
FILE *cc_open_bytes(const uint8_t *bytes, size_t size, cc_message *message);

#endif
