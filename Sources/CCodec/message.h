// Shared by all files of this target: writing messages, and opening files.

#ifndef TILEWRIGHT_MESSAGE_H
#define TILEWRIGHT_MESSAGE_H

#include <stdio.h>

#include "CCodec.h"

/// Writes a message as printf does, and returns the status for the caller to pass on.
__attribute__((format(printf, 3, 4))) cc_status cc_fail(
    cc_message *message, cc_status status, const char *format, ...);

/// Writes the message for CC_OUT_OF_MEMORY, and returns it.
cc_status cc_fail_memory(cc_message *message);

/// Writes the message of an errno value. Returns `status`, or a different status if the system is out of
/// memory or file descriptors, or if the disk fails.
cc_status cc_fail_errno(cc_message *message, cc_status status, int error);

/// Writes the reason for a short read: the system's error, or CC_DAMAGED if the file ends.
cc_status cc_fail_read(cc_message *message, FILE *file);

/// Returns CC_DAMAGED, and writes after which row. The file ends there, or `message` already has the reason.
cc_status cc_fail_at_row(cc_message *message, bool file_has_ended, uint32_t row, uint32_t height);

/// A file that is open for reading, and its size.
typedef struct cc_input {
    FILE *file;
    uint64_t size;
} cc_input;

cc_status cc_open_path(const char *path, cc_input *input, cc_message *message);

/// Opens bytes in memory, at least one, for reading; NULL if there is not enough memory.
FILE *cc_open_bytes(const uint8_t *bytes, size_t size, cc_message *message);

#endif
