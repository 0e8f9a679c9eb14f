#ifndef TILEWRIGHT_CD_MESSAGE_H
#define TILEWRIGHT_CD_MESSAGE_H

#include "CDocuments.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Writes the clause, as printf, and returns the status.
cd_status cd_fail(cd_message *message, cd_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#ifdef __cplusplus
}
#endif

#endif
