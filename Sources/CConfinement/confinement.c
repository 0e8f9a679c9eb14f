// For O_PATH and CLONE_THREAD.
#define _GNU_SOURCE

#include "CConfinement.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__linux__)
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

#define COUNT(array) (sizeof(array) / sizeof *(array))

#if defined(__linux__) && __has_include(<linux/landlock.h>)

#include <linux/landlock.h>

// Landlock limits reading to some folders. Linux has had it since 5.13.

/* Libraries and their data: fonts and fontconfig's caches, poppler's tables of Asian characters, MIME types,
 * text conversions. On systems that keep all software in one folder, that folder. */
static const char *const readable_of_system[] = {
    "/lib",
    "/lib64",
    "/usr/lib",
    "/usr/lib64",
    "/usr/local/lib",
    "/etc/ld.so.cache",
    "/etc/fonts",
    "/usr/local/etc/fonts",
    "/usr/share/fontconfig",
    "/var/cache/fontconfig",
    "/usr/share/fonts",
    "/usr/local/share/fonts",
    "/usr/share/texmf/fonts",
    "/usr/share/texlive/texmf-dist/fonts",
    "/usr/share/ghostscript",
    "/usr/share/poppler",
    "/usr/share/mime",
    "/nix/store",
    "/gnu/store",
    "/home/linuxbrew/.linuxbrew",
};

/* The same for the user, below HOME. */
static const char *const readable_at_home[] = {
    ".fonts", ".fonts.conf", ".local/share/fonts", ".config/fontconfig", ".cache/fontconfig",
};

static uint64_t handled_rights(int version) {
    uint64_t rights = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_WRITE_FILE
        | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR | LANDLOCK_ACCESS_FS_REMOVE_DIR
        | LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_DIR
        | LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO
        | LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM;
    // LANDLOCK_ACCESS_FS_REFER and _TRUNCATE, which older headers lack.
    if (version >= 2) rights |= UINT64_C(1) << 13;
    if (version >= 3) rights |= UINT64_C(1) << 14;
    return rights;
}

/* Allows reading below a path, if the path exists. */
static void allow(int rules, const char *path) {
    int descriptor = open(path, O_PATH | O_CLOEXEC);
    if (descriptor < 0) return;
    struct landlock_path_beneath_attr rule = {
        LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR, descriptor};
    // The right to list a folder does not apply to a file.
    if (syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0)) {
        rule.allowed_access = LANDLOCK_ACCESS_FS_READ_FILE;
        syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
    }
    close(descriptor);
}

static void allow_at_home(int rules) {
    const char *home = getenv("HOME");
    if (!home || home[0] != '/') return;
    for (size_t index = 0; index < COUNT(readable_at_home); index++) {
        char path[4096];
        int length = snprintf(path, sizeof path, "%s/%s", home, readable_at_home[index]);
        if (length > 0 && (size_t)length < sizeof path) allow(rules, path);
    }
}

/* If the system has Landlock, allows only reading, and only of the system's files that drawing needs, and of
 * the files and folders that are given. */
static void restrict_files(const char *const *readable, size_t count) {
    long version = syscall(SYS_landlock_create_ruleset, 0, 0, LANDLOCK_CREATE_RULESET_VERSION);
    if (version < 1) return;
    struct landlock_ruleset_attr attributes = {.handled_access_fs = handled_rights((int)version)};
    // If the kernel's structure is larger, its other fields are zero.
    int rules =
        (int)syscall(SYS_landlock_create_ruleset, &attributes, sizeof attributes.handled_access_fs, 0);
    if (rules < 0) return;
    for (size_t index = 0; index < COUNT(readable_of_system); index++)
        allow(rules, readable_of_system[index]);
    for (size_t index = 0; index < count; index++) allow(rules, readable[index]);
    allow_at_home(rules);
    if (!prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) syscall(SYS_landlock_restrict_self, rules, 0);
    close(rules);
}

#else

static void restrict_files(const char *const *readable, size_t count) {
    (void)readable;
    (void)count;
}

#endif

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>

// Seccomp: a list of the system calls that drawing needs. All other calls fail as if the kernel did not have
// them, which libraries handle. If a library needs another call on some system, it loses a feature, but the
// process continues.

#if defined(__x86_64__)
#define PROCESSOR AUDIT_ARCH_X86_64
#else
#define PROCESSOR AUDIT_ARCH_AARCH64
#endif

#define FIELD(name) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, name))
// The lower half of an argument, which comes first on both architectures.
#define ARGUMENT(index) \
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args) + (index) * sizeof(uint64_t))
#define ANSWER(action) BPF_STMT(BPF_RET | BPF_K, action)
#define ERROR(number) ANSWER(SECCOMP_RET_ERRNO | (number))
#define ALLOW ANSWER(SECCOMP_RET_ALLOW)
#define UNLESS_EQUAL(value, skipped) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, skipped)
#define UNLESS_ANY_BIT(bits, skipped) BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bits, 0, skipped)
#define ALLOW_CALL(name) UNLESS_EQUAL(__NR_##name, 1), ALLOW
// Calls whose argument must not have certain bits set, or must have one given value.
#define REFUSE_BITS(name, index, bits, error) \
    UNLESS_EQUAL(__NR_##name, 4), ARGUMENT(index), UNLESS_ANY_BIT(bits, 1), ERROR(error), ALLOW
#define REQUIRE_VALUE(name, index, value, error) \
    UNLESS_EQUAL(__NR_##name, 4), ARGUMENT(index), UNLESS_EQUAL(value, 1), ALLOW, ERROR(error)

// Any access other than reading.
#define WRITING (O_ACCMODE | O_CREAT | O_TRUNC)

/* Forbids all system calls that drawing does not need, if the system supports filters. */
static void restrict_calls(void) {
    struct sock_filter filter[] = {
        FIELD(arch),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, PROCESSOR, 1, 0),
        ERROR(ENOSYS),
        FIELD(nr),
        // Pipes, the document, files that are open. A file that is open for writing may be shortened.
        ALLOW_CALL(read),
        ALLOW_CALL(readv),
        ALLOW_CALL(pread64),
        ALLOW_CALL(write),
        ALLOW_CALL(writev),
        ALLOW_CALL(close),
        ALLOW_CALL(lseek),
        ALLOW_CALL(ftruncate),
        ALLOW_CALL(fstat),
        ALLOW_CALL(fcntl),
        ALLOW_CALL(dup),
        ALLOW_CALL(dup3),
        ALLOW_CALL(ppoll),
        ALLOW_CALL(fadvise64),
        ALLOW_CALL(fstatfs),
        ALLOW_CALL(pipe2),
        ALLOW_CALL(eventfd2),
        // Memory, threads, time.
        ALLOW_CALL(mmap),
        ALLOW_CALL(munmap),
        ALLOW_CALL(mremap),
        ALLOW_CALL(mprotect),
        ALLOW_CALL(madvise),
        ALLOW_CALL(brk),
        ALLOW_CALL(futex),
        ALLOW_CALL(sched_yield),
        ALLOW_CALL(sched_getaffinity),
        ALLOW_CALL(set_robust_list),
        ALLOW_CALL(set_tid_address),
        ALLOW_CALL(membarrier),
        ALLOW_CALL(rt_sigaction),
        ALLOW_CALL(rt_sigprocmask),
        ALLOW_CALL(rt_sigreturn),
        ALLOW_CALL(sigaltstack),
        ALLOW_CALL(restart_syscall),
        ALLOW_CALL(nanosleep),
        ALLOW_CALL(clock_nanosleep),
        ALLOW_CALL(clock_gettime),
        ALLOW_CALL(clock_getres),
        ALLOW_CALL(gettimeofday),
        ALLOW_CALL(getrandom),
        ALLOW_CALL(exit),
        ALLOW_CALL(exit_group),
        // The process, its user, and the system.
        ALLOW_CALL(getpid),
        ALLOW_CALL(gettid),
        ALLOW_CALL(getppid),
        ALLOW_CALL(getuid),
        ALLOW_CALL(geteuid),
        ALLOW_CALL(getgid),
        ALLOW_CALL(getegid),
        ALLOW_CALL(getresuid),
        ALLOW_CALL(getresgid),
        ALLOW_CALL(getrusage),
        ALLOW_CALL(uname),
        ALLOW_CALL(sysinfo),
        ALLOW_CALL(getcwd),
        // Looking for fonts.
        ALLOW_CALL(newfstatat),
        ALLOW_CALL(faccessat),
        ALLOW_CALL(readlinkat),
        ALLOW_CALL(getdents64),
        ALLOW_CALL(statfs),
        REFUSE_BITS(openat, 2, WRITING, EACCES),
#if defined(__NR_statx)
        ALLOW_CALL(statx),
#endif
#if defined(__NR_rseq)
        ALLOW_CALL(rseq),
#endif
#if defined(__NR_faccessat2)
        ALLOW_CALL(faccessat2),
#endif
    // Calls that only x86-64 has.
#if defined(__x86_64__)
        ALLOW_CALL(stat),
        ALLOW_CALL(lstat),
        ALLOW_CALL(access),
        ALLOW_CALL(readlink),
        ALLOW_CALL(getdents),
        ALLOW_CALL(poll),
        ALLOW_CALL(dup2),
        ALLOW_CALL(pipe),
        ALLOW_CALL(arch_prctl),
        ALLOW_CALL(time),
        REFUSE_BITS(open, 1, WRITING, EACCES),
#endif
        // Threads, but no processes. clone3 has its flags in memory, where a filter cannot see them, and is
        // forbidden: then the C library uses clone.
        UNLESS_EQUAL(__NR_clone, 4),
        ARGUMENT(0),
        UNLESS_ANY_BIT(CLONE_THREAD, 1),
        ALLOW,
        ERROR(EPERM),
        // Limits and signals only for this process: a crashing process signals itself.
        REQUIRE_VALUE(prlimit64, 0, 0, EPERM),
        REQUIRE_VALUE(tgkill, 0, (uint32_t)getpid(), EPERM),
        // Names of threads.
        REQUIRE_VALUE(prctl, 0, PR_SET_NAME, EPERM),
        ERROR(ENOSYS),
    };
    struct sock_fprog program = {COUNT(filter), filter};
    if (!prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
}

#else

static void restrict_calls(void) {}

#endif

static void close_files(int first) {
#if defined(__linux__) && defined(SYS_close_range)
    if (!syscall(SYS_close_range, first, ~0U, 0)) return;
#endif
    // A program that starts a renderer has at most this many open files.
    long limit = sysconf(_SC_OPEN_MAX);
    for (int file = first; file < (limit < 0 || limit > 65536 ? 65536 : limit); file++) close(file);
}

/* Unblocks signals. A process inherits the blocked signals of the thread that starts it: blocked signals
 * would not end this process. */
static void hear_signals(void) {
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, 0);
    signal(SIGXCPU, SIG_DFL);
}

void cf_confine(int first_file, const char *const *readable, size_t count) {
    hear_signals();
    close_files(first_file);
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    restrict_files(readable, count);
    restrict_calls();
}

// Attempts

static bool closes(int descriptor) { return descriptor >= 0 && !close(descriptor); }

static bool opens_network(void) { return closes(socket(AF_INET, SOCK_STREAM, 0)); }

static bool writes(void) {
    // A new file, in a world-writable folder.
    char path[] = "/tmp/tilewright-check-XXXXXX";
    int descriptor = mkstemp(path);
    if (descriptor >= 0) unlink(path);
    return closes(descriptor);
}

/* Starts a child that ends at once, optionally as another program. */
static bool forks(bool is_program) {
    pid_t child = fork();
    if (child < 0) return false;
    if (child == 0) {
        if (is_program) execl("/bin/true", "true", (char *)0);
        _exit(is_program ? EXIT_FAILURE : EXIT_SUCCESS);
    }
    int status;
    return waitpid(child, &status, 0) == child && WIFEXITED(status) && !WEXITSTATUS(status);
}

static bool starts_program(void) { return forks(true); }

static bool starts_process(void) { return forks(false); }

static bool reads_other_file(void) { return closes(open("/etc/passwd", O_RDONLY)); }

static void *nothing(void *data) { return data; }

static bool has_threads(void) {
    pthread_t thread;
    return !pthread_create(&thread, 0, nothing, 0) && !pthread_join(thread, 0);
}

bool cf_check(const char **text) {
    static const struct {
        const char *name;
        bool (*succeeds)(void);
        bool is_always_forbidden;
    } attempts[] = {
        {"network", opens_network, true},
        {"writing files", writes, true},
        {"other programs", starts_program, true},
        {"other processes", starts_process, true},
        // Landlock may be missing.
        {"reading other files", reads_other_file, false},
    };
    static char lines[512];
    bool is_confined = true;
    size_t length = 0;
    for (size_t index = 0; index < COUNT(attempts); index++) {
        bool is_allowed = attempts[index].succeeds();
        is_confined = is_confined && !(is_allowed && attempts[index].is_always_forbidden);
        length += (size_t)snprintf(
            lines + length, sizeof lines - length, "%s: %s\n", attempts[index].name,
            is_allowed ? "allowed" : "forbidden");
    }
    bool works = has_threads();
    snprintf(lines + length, sizeof lines - length, "threads: %s", works ? "work" : "fail");
    *text = lines;
    return works && is_confined;
}
