// Preloaded into the program, lets one system call that changes files fail: the call of the number
// FAULT_AT, counted from 1, with the errno FAULT_ERRNO. Without FAULT_AT none fails. At the end the
// number of such calls is appended to the file FAULT_COUNT. Output to the terminal is not counted.
//
// FAULT_KILL=1 kills the program in place of the call.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

static atomic_long calls;

static long number(const char *name, long otherwise) {
    const char *text = getenv(name);
    return text != NULL ? atol(text) : otherwise;
}

/// Whether this call fails; errno is set then.
static int fails(void) {
    static long at = -1;
    if (at < 0) { at = number("FAULT_AT", 0); }
    if (atomic_fetch_add(&calls, 1) + 1 != at) { return 0; }
    if (number("FAULT_KILL", 0)) { kill(getpid(), SIGKILL); }
    errno = (int)number("FAULT_ERRNO", ENOSPC);
    return 1;
}

__attribute__((destructor)) static void report(void) {
    const char *path = getenv("FAULT_COUNT");
    FILE *file = path != NULL ? fopen(path, "a") : NULL;
    if (file == NULL) { return; }
    fprintf(file, "%ld\n", atomic_load(&calls));
    fclose(file);
}

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

ssize_t write(int file, const void *bytes, size_t count) {
    if (file > 2 && fails()) { return -1; }
    return NEXT(write)(file, bytes, count);
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset) {
    if (fails()) { return -1; }
    return NEXT(pwrite)(file, bytes, count, offset);
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t offset) {
    if (fails()) { return -1; }
    return NEXT(pwrite64)(file, bytes, count, offset);
}

static mode_t mode_of(int flags, va_list arguments) {
    return flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, mode_t) : 0;
}

#define DEFINE_OPEN(name)                                                    \
    int name(const char *path, int flags, ...) {                             \
        va_list arguments;                                                   \
        va_start(arguments, flags);                                          \
        const mode_t mode = mode_of(flags, arguments);                       \
        va_end(arguments);                                                   \
        if ((flags & (O_CREAT | O_TRUNC)) != 0 && fails()) { return -1; }    \
        return NEXT(name)(path, flags, mode);                                \
    }

#define DEFINE_OPENAT(name)                                                  \
    int name(int directory, const char *path, int flags, ...) {              \
        va_list arguments;                                                   \
        va_start(arguments, flags);                                          \
        const mode_t mode = mode_of(flags, arguments);                       \
        va_end(arguments);                                                   \
        if ((flags & (O_CREAT | O_TRUNC)) != 0 && fails()) { return -1; }    \
        return NEXT(name)(directory, path, flags, mode);                     \
    }

DEFINE_OPEN(open)
DEFINE_OPEN(open64)
DEFINE_OPENAT(openat)
DEFINE_OPENAT(openat64)

#define DEFINE_CALL(name, parameters, arguments)                             \
    int name parameters {                                                    \
        if (fails()) { return -1; }                                          \
        return NEXT(name) arguments;                                         \
    }

DEFINE_CALL(rename, (const char *from, const char *to), (from, to))
DEFINE_CALL(renameat, (int from, const char *name, int to, const char *new_name),
            (from, name, to, new_name))
DEFINE_CALL(mkdir, (const char *path, mode_t mode), (path, mode))
DEFINE_CALL(mkdirat, (int directory, const char *path, mode_t mode), (directory, path, mode))
DEFINE_CALL(unlink, (const char *path), (path))
DEFINE_CALL(unlinkat, (int directory, const char *path, int flags), (directory, path, flags))
DEFINE_CALL(rmdir, (const char *path), (path))
DEFINE_CALL(fsync, (int file), (file))
DEFINE_CALL(fdatasync, (int file), (file))
DEFINE_CALL(ftruncate, (int file, off_t size), (file, size))
DEFINE_CALL(ftruncate64, (int file, off64_t size), (file, size))
DEFINE_CALL(mkstemp, (char *path), (path))
DEFINE_CALL(mkstemp64, (char *path), (path))

// These give the error back, and do not set errno.
int posix_fallocate(int file, off_t offset, off_t size) {
    return fails() ? errno : NEXT(posix_fallocate)(file, offset, size);
}

int posix_fallocate64(int file, off64_t offset, off64_t size) {
    return fails() ? errno : NEXT(posix_fallocate64)(file, offset, size);
}
