// What the files of the fence share: how a message is written.

#ifndef TILEWRIGHT_MESSAGE_H
#define TILEWRIGHT_MESSAGE_H

#include "CCodec.h"

/// Writes a message as printf does, and returns the status for the caller to pass on.
__attribute__((format(printf, 3, 4)))
cc_status cc_fail(cc_message *message, cc_status status, const char *format, ...);

/// The message of errno.
cc_status cc_fail_errno(cc_message *message, cc_status status, int error);

#endif
