#ifndef TILEWRIGHT_CD_SANDBOX_H
#define TILEWRIGHT_CD_SANDBOX_H

#include <stdbool.h>

/// Leaves reading to files of the system that drawing needs. False if the system has no Landlock.
bool cd_restrict_files(void);

/// Leaves system calls that drawing needs. False if the system has no filters of them, or if there is no list
/// for its processor.
bool cd_restrict_calls(void);

#endif
