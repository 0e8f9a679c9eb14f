// Confines a process that reads untrusted files: tilewright-render, and through ctypes tilewright-cad.

#ifndef TILEWRIGHT_CCONFINEMENT_H
#define TILEWRIGHT_CCONFINEMENT_H

#include <stdbool.h>
#include <stddef.h>

/// Confines the process: closes all file descriptors from `first_file` on, and disables core dumps. On Linux,
/// also forbids all system calls that drawing does not need (such as network, programs, processes, and
/// opening files to write), and all files except the system's libraries and fonts, and `readable`: `count`
/// paths of files, and of folders with all that is below them. A path that does not exist is ignored.
void cf_confine(int first_file, const char *const *readable, size_t count);

/// Tries actions that `cf_confine` forbids. `text` gets a line for each action, without a last line break,
/// and is valid until the next call.
///
/// Returns false if a forbidden action other than reading other files succeeded, or if threads failed.
bool cf_check(const char **text);

#endif
