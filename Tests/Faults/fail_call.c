// Preloaded into the program, this library makes one system call fail: call number FAULT_AT, counted from 1,
// with the errno FAULT_ERRNO. Without FAULT_AT, no call fails. At the end, the number of calls is appended to
// the file FAULT_COUNT. FAULT_LOG is a file that gets a line for each call.
//
// By default, calls that change files are counted. FAULT_KIND=read counts calls that read files instead.
// Output to the terminal is not counted, nor are calls by the dynamic linker or within the C library.
// FAULT_KIND=memory counts allocations. FAULT_CALLERS names the code whose calls are counted: libraries by
// the beginnings of their names, and ranges of the program's own addresses, such as `libpng,1a00-1bff`. It is
// required for memory, and must not include Swift code, which traps without memory. FAULT_KILL=1 kills the
// program instead of the call. FAULT_SHORT=1 makes the call read or write only half of its bytes.
// FAULT_FREEZE=1 stops the program at the call, as SIGSTOP does.
//
// FAULT_HANG names a file that contains a part of a path. While that file exists, calls that open or examine
// files whose path contains that part never return, as on a disk that does not respond.

#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

/// Whether calls with a path hang.
static bool hangs(const char *path) {
    const char *name = getenv("FAULT_HANG");
    if (name == NULL) { return false; }
    char part[256];
    const int file = NEXT(open)(name, O_RDONLY | O_CLOEXEC);
    const ssize_t count = file < 0 ? 0 : NEXT(read)(file, part, sizeof part - 1);
    if (file >= 0) { close(file); }
    if (count <= 0) { return false; }
    part[count] = 0;
    return strstr(path, part) != NULL;
}

static void hang_at(const char *path) {
    while (hangs(path)) { usleep(10000); }
}

static atomic_long calls;
static atomic_bool has_ended;

static long number(const char *name, long otherwise) {
    const char *text = getenv(name);
    return text != NULL ? atol(text) : otherwise;
}

enum kind { WRITE, READ, MEMORY };

/// The kind of calls that are counted.
static enum kind counted_kind(void) {
    static int answer = -1;
    if (answer < 0) {
        const char *kind = getenv("FAULT_KIND");
        answer = kind == NULL             ? WRITE
            : strcmp(kind, "read") == 0   ? READ
            : strcmp(kind, "memory") == 0 ? MEMORY
                                          : WRITE;
    }
    return (enum kind)answer;
}

enum { MOST_RANGES = 1024 };

static struct { uintptr_t start, end; } callers[MOST_RANGES];
static size_t caller_count;

static void add_caller(uintptr_t start, uintptr_t end) {
    if (caller_count == MOST_RANGES) { abort(); }
    callers[caller_count].start = start;
    callers[caller_count++].end = end;
}

/// Adds the addresses of a library, or of the program (whose name is empty), that FAULT_CALLERS names.
static int add_callers(struct dl_phdr_info *object, size_t size, void *names) {
    (void)size;
    const char *slash = strrchr(object->dlpi_name, '/');
    const char *own = slash != NULL ? slash + 1 : object->dlpi_name;
    for (const char *name = names; *name != 0; name += strcspn(name, ",") + (name[strcspn(name, ",")] != 0)) {
        char *rest;
        const uintptr_t start = strtoul(name, &rest, 16);
        if (*own == 0 && *rest == '-') {
            add_caller(object->dlpi_addr + start, object->dlpi_addr + strtoul(rest + 1, NULL, 16));
        } else if (*own != 0 && strncmp(own, name, strcspn(name, ",")) == 0) {
            for (size_t i = 0; i < object->dlpi_phnum; i++) {
                const ElfW(Phdr) *part = &object->dlpi_phdr[i];
                const uintptr_t first = object->dlpi_addr + part->p_vaddr;
                if (part->p_flags & PF_X) { add_caller(first, first + part->p_memsz); }
            }
        }
    }
    return 0;
}

/// Other libraries make calls before this library's constructors run.
static void find_callers(void) {
    static bool is_done;
    if (is_done) { return; }
    is_done = true;
    char *names = getenv("FAULT_CALLERS");
    if (names != NULL) { dl_iterate_phdr(add_callers, names); }
}

/// Whether a call from an address is counted. Without FAULT_CALLERS, all calls that change or read files are
/// counted.
static int is_counted(enum kind kind, const void *caller) {
    find_callers();
    const uintptr_t place = (uintptr_t)caller;
    for (size_t i = 0; i < caller_count; i++) {
        if (callers[i].start <= place && place < callers[i].end) { return kind == counted_kind(); }
    }
    return kind == counted_kind() && kind != MEMORY && caller_count == 0;
}

/// Counts a call, and returns whether its number is FAULT_AT.
static int is_chosen(void) {
    static long at = -1;
    if (atomic_load(&has_ended)) { return 0; }
    if (at < 0) { at = number("FAULT_AT", 0); }
    return atomic_fetch_add(&calls, 1) + 1 == at;
}

/// Whether this call of a kind fails; sets errno if so.
static int fails_at(enum kind kind, const void *caller) {
    if (!is_counted(kind, caller) || !is_chosen()) { return 0; }
    if (number("FAULT_KILL", 0)) { raise(SIGKILL); }
    if (number("FAULT_FREEZE", 0)) { raise(SIGSTOP); }
    if (number("FAULT_SHORT", 0) || number("FAULT_FREEZE", 0)) { return 0; }
    errno = (int)number("FAULT_ERRNO", ENOSPC);
    return 1;
}

/// The number of bytes, of `count`, that a call transfers; -1 if it fails.
static ssize_t portion_at(enum kind kind, size_t count, const void *caller) {
    if (!number("FAULT_SHORT", 0)) { return fails_at(kind, caller) ? -1 : (ssize_t)count; }
    return is_counted(kind, caller) && is_chosen() ? (ssize_t)(count + 1) / 2 : (ssize_t)count;
}

#define fails(kind) fails_at(kind, __builtin_return_address(0))
#define portion(kind, count) portion_at(kind, count, __builtin_return_address(0))

/// Writes a line to the log, with the path of an open file.
static void note(const char *name, int file, const char *path) {
    static const char *log;
    if (log == NULL) { log = getenv("FAULT_LOG") != NULL ? getenv("FAULT_LOG") : ""; }
    if (*log == 0) { return; }
    char link[64], place[4096] = "";
    if (file >= 0) {
        snprintf(link, sizeof link, "/proc/self/fd/%d", file);
        const ssize_t length = readlink(link, place, sizeof place - 1);
        place[length > 0 ? length : 0] = 0;
    }
    char line[8192];
    const int length =
        snprintf(line, sizeof line, "%s %s%s%s\n", name, place, *place && *path ? "/" : "", path);
    const int output = NEXT(open)(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (output < 0) { return; }
    (void)!NEXT(write)(output, line, (size_t)length);
    close(output);
}

static int is_file(int file) {
    struct stat status;
    return NEXT(fstat)(file, &status) == 0 && S_ISREG(status.st_mode);
}

// The program's work is finished. Later calls are not its own, such as those that write coverage data.
void exit(int status) {
    atomic_store(&has_ended, 1);
    NEXT(exit)(status);
    __builtin_unreachable();
}

__attribute__((destructor)) static void report(void) {
    const char *path = getenv("FAULT_COUNT");
    FILE *file = path != NULL ? NEXT(fopen)(path, "a") : NULL;
    if (file == NULL) { return; }
    fprintf(file, "%ld\n", atomic_load(&calls));
    fclose(file);
}

// Writing

ssize_t write(int file, const void *bytes, size_t count) {
    const ssize_t part = file > 2 && is_file(file) ? portion(WRITE, count) : (ssize_t)count;
    if (part < 0) { return -1; }
    if (file > 2) { note("write", file, ""); }
    return NEXT(write)(file, bytes, (size_t)part);
}

#define DEFINE_PWRITE(name, offset_type)                                          \
    ssize_t name(int file, const void *bytes, size_t count, offset_type offset) { \
        const ssize_t part = portion(WRITE, count);                               \
        if (part < 0) { return -1; }                                              \
        note("write", file, "");                                                  \
        return NEXT(name)(file, bytes, (size_t)part, offset);                     \
    }

DEFINE_PWRITE(pwrite, off_t)
DEFINE_PWRITE(pwrite64, off64_t)

static mode_t mode_of(int flags, va_list arguments) {
    return flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, mode_t) : 0;
}

// libdispatch sometimes reads the state of its threads, and aborts if it cannot.
static int is_of_system(const char *path) { return strncmp(path, "/proc/", 6) == 0; }

#define DEFINE_OPEN(name)                                                                            \
    int name(const char *path, int flags, ...) {                                                     \
        va_list arguments;                                                                           \
        va_start(arguments, flags);                                                                  \
        const mode_t mode = mode_of(flags, arguments);                                               \
        va_end(arguments);                                                                           \
        hang_at(path);                                                                               \
        if (!is_of_system(path) && fails(flags & (O_CREAT | O_TRUNC) ? WRITE : READ)) { return -1; } \
        return NEXT(name)(path, flags, mode);                                                        \
    }

#define DEFINE_OPENAT(name)                                                   \
    int name(int directory, const char *path, int flags, ...) {               \
        va_list arguments;                                                    \
        va_start(arguments, flags);                                           \
        const mode_t mode = mode_of(flags, arguments);                        \
        va_end(arguments);                                                    \
        hang_at(path);                                                        \
        if (fails(flags & (O_CREAT | O_TRUNC) ? WRITE : READ)) { return -1; } \
        return NEXT(name)(directory, path, flags, mode);                      \
    }

DEFINE_OPEN(open)
DEFINE_OPEN(open64)
DEFINE_OPENAT(openat)
DEFINE_OPENAT(openat64)

#define DEFINE_CALL(kind, name, parameters, arguments) \
    int name parameters {                              \
        if (fails(kind)) { return -1; }                \
        return NEXT(name) arguments;                   \
    }

int renameat(int from, const char *name, int to, const char *new_name) {
    if (fails(WRITE)) { return -1; }
    note("from", from, name);
    note("rename", to, new_name);
    return NEXT(renameat)(from, name, to, new_name);
}

int fsync(int file) {
    if (fails(WRITE)) { return -1; }
    note("fsync", file, "");
    return NEXT(fsync)(file);
}

void sync(void) {
    note("sync", -1, "");
    NEXT(sync)();
}

DEFINE_CALL(WRITE, rename, (const char *from, const char *to), (from, to))
DEFINE_CALL(WRITE, mkdir, (const char *path, mode_t mode), (path, mode))
DEFINE_CALL(WRITE, mkdirat, (int directory, const char *path, mode_t mode), (directory, path, mode))
DEFINE_CALL(WRITE, unlink, (const char *path), (path))
DEFINE_CALL(WRITE, unlinkat, (int directory, const char *path, int flags), (directory, path, flags))
DEFINE_CALL(WRITE, rmdir, (const char *path), (path))
DEFINE_CALL(WRITE, fdatasync, (int file), (file))
DEFINE_CALL(WRITE, ftruncate, (int file, off_t size), (file, size))
DEFINE_CALL(WRITE, ftruncate64, (int file, off64_t size), (file, size))
DEFINE_CALL(WRITE, mkstemp, (char *path), (path))
DEFINE_CALL(WRITE, mkstemp64, (char *path), (path))

// These functions return the error, and do not set errno.
int posix_fallocate(int file, off_t offset, off_t size) {
    return fails(WRITE) ? errno : NEXT(posix_fallocate)(file, offset, size);
}

int posix_fallocate64(int file, off64_t offset, off64_t size) {
    return fails(WRITE) ? errno : NEXT(posix_fallocate64)(file, offset, size);
}

// Reading. Code that waits for signals also reads, but not from files.

ssize_t read(int file, void *bytes, size_t count) {
    const ssize_t part = is_file(file) ? portion(READ, count) : (ssize_t)count;
    return part < 0 ? -1 : NEXT(read)(file, bytes, (size_t)part);
}

#define DEFINE_PREAD(name, offset_type)                                       \
    ssize_t name(int file, void *bytes, size_t count, offset_type offset) {   \
        const ssize_t part = portion(READ, count);                            \
        return part < 0 ? -1 : NEXT(name)(file, bytes, (size_t)part, offset); \
    }

DEFINE_PREAD(pread, off_t)
DEFINE_PREAD(pread64, off64_t)

// A stream fails, and remembers the error, if its descriptor fails: so the descriptor is closed.
size_t fread(void *bytes, size_t size, size_t count, FILE *file) {
    if (!fails(READ)) { return NEXT(fread)(bytes, size, count, file); }
    const int error = errno;
    const int descriptor = fileno(file);
    const int copy = dup(descriptor);
    const int other = NEXT(open)("/", O_RDONLY | O_DIRECTORY);
    dup2(other, descriptor);
    const size_t result = NEXT(fread)(bytes, size, count, file);
    dup2(copy, descriptor);
    close(copy);
    close(other);
    errno = error;
    return result;
}

#define DEFINE_FOPEN(name)                                                         \
    FILE *name(const char *path, const char *mode) {                               \
        hang_at(path);                                                             \
        return fails(*mode == 'r' ? READ : WRITE) ? NULL : NEXT(name)(path, mode); \
    }

DEFINE_FOPEN(fopen)
DEFINE_FOPEN(fopen64)

void *mmap(void *address, size_t length, int protection, int flags, int file, off_t offset) {
    if (fails(READ)) { return MAP_FAILED; }
    return NEXT(mmap)(address, length, protection, flags, file, offset);
}

DIR *opendir(const char *path) { return fails(READ) ? NULL : NEXT(opendir)(path); }

DIR *fdopendir(int file) { return fails(READ) ? NULL : NEXT(fdopendir)(file); }

struct dirent *readdir(DIR *directory) {
    return fails(READ) ? NULL : NEXT(readdir)(directory);
}

int stat(const char *path, struct stat *status) {
    hang_at(path);
    if (fails(READ)) { return -1; }
    return NEXT(stat)(path, status);
}

// Data on a disk that does not respond are not in memory either.
long syscall(long number, ...) {
    long values[6];
    va_list arguments;
    va_start(arguments, number);
    for (int i = 0; i < 6; i++) { values[i] = va_arg(arguments, long); }
    va_end(arguments);
    if (number == SYS_openat2 && hangs((const char *)values[1])) {
        errno = EAGAIN;
        return -1;
    }
    return NEXT(syscall)(number, values[0], values[1], values[2], values[3], values[4], values[5]);
}

DEFINE_CALL(READ, lstat, (const char *path, struct stat *status), (path, status))

int fstat(int file, struct stat *status) {
    const int result = NEXT(fstat)(file, status);
    const int is_stored = result == 0 && (S_ISREG(status->st_mode) || S_ISDIR(status->st_mode));
    return is_stored && fails(READ) ? -1 : result;
}

DEFINE_CALL(
    READ, fstatat, (int directory, const char *path, struct stat *status, int flags),
    (directory, path, status, flags))
DEFINE_CALL(READ, access, (const char *path, int mode), (path, mode))
DEFINE_CALL(READ, flock, (int file, int operation), (file, operation))

// Memory

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

#define DEFINE_ALLOCATION(name, parameters, call) \
    void *name parameters { return fails(MEMORY) ? NULL : (call); }

DEFINE_ALLOCATION(malloc, (size_t size), __libc_malloc(size))
DEFINE_ALLOCATION(calloc, (size_t count, size_t size), __libc_calloc(count, size))
DEFINE_ALLOCATION(realloc, (void *memory, size_t size), __libc_realloc(memory, size))
DEFINE_ALLOCATION(aligned_alloc, (size_t alignment, size_t size), __libc_memalign(alignment, size))

FILE *fmemopen(void *bytes, size_t size, const char *mode) {
    return fails(MEMORY) ? NULL : NEXT(fmemopen)(bytes, size, mode);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
    if (fails(MEMORY)) { return ENOMEM; }
    *memory = __libc_memalign(alignment, size);
    return *memory != NULL ? 0 : ENOMEM;
}
