// Which parts of a file were read.

#ifndef TILEWRIGHT_READ_LOG_H
#define TILEWRIGHT_READ_LOG_H

#include "CCodec.h"

/// Marks the parts of some bytes; NULL is allowed.
void cc_read_log_mark(cc_read_log *log, uint64_t offset, uint64_t count);

#endif
