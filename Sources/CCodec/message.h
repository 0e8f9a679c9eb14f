// What the files of the fence share: how a message is written, and how bytes are read like a file.

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

/// Bytes in memory, at least one, as a file to read; NULL if there is no memory for it.
FILE *cc_open_bytes(const uint8_t *bytes, size_t size, cc_message *message);

#endif
