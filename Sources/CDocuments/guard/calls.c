#include "sandbox.h"

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

// Seccomp: a list of the system calls that drawing needs. All others fail as if the kernel did not have them,
// which libraries are used to. A library that needs one more on some system loses a feature, and never the
// process.

#if defined(__x86_64__)
#define PROCESSOR AUDIT_ARCH_X86_64
#else
#define PROCESSOR AUDIT_ARCH_AARCH64
#endif

#define FIELD(name) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, name))
// The lower half of an argument; both processors keep it first.
#define ARGUMENT(index) \
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args) + (index) * sizeof(uint64_t))
#define ANSWER(action) BPF_STMT(BPF_RET | BPF_K, action)
#define ERROR(number) ANSWER(SECCOMP_RET_ERRNO | (number))
#define ALLOW ANSWER(SECCOMP_RET_ALLOW)
#define UNLESS_EQUAL(value, skipped) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, skipped)
#define UNLESS_ANY_BIT(bits, skipped) BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bits, 0, skipped)
#define ALLOW_CALL(name) UNLESS_EQUAL(__NR_##name, 1), ALLOW
// A call whose argument must have none of some bits, or be a value.
#define REFUSE_BITS(name, index, bits, error) \
    UNLESS_EQUAL(__NR_##name, 4), ARGUMENT(index), UNLESS_ANY_BIT(bits, 1), ERROR(error), ALLOW
#define REQUIRE_VALUE(name, index, value, error) \
    UNLESS_EQUAL(__NR_##name, 4), ARGUMENT(index), UNLESS_EQUAL(value, 1), ALLOW, ERROR(error)

// Any access but reading.
#define WRITING (O_ACCMODE | O_CREAT | O_TRUNC)

#define COUNT(array) (sizeof(array) / sizeof *(array))

bool cd_restrict_calls(void) {
    struct sock_filter filter[] = {
        FIELD(arch),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, PROCESSOR, 1, 0),
        ERROR(ENOSYS),
        FIELD(nr),
        // Pipes, the document, files that are open.
        ALLOW_CALL(read),
        ALLOW_CALL(readv),
        ALLOW_CALL(pread64),
        ALLOW_CALL(write),
        ALLOW_CALL(writev),
        ALLOW_CALL(close),
        ALLOW_CALL(lseek),
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
        // Who one is, and what the system is.
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
    // What only the older processor has.
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
        // Threads, and no processes. The new call keeps its flags in memory, where they cannot be seen: the C
        // library takes the old one if it fails.
        UNLESS_EQUAL(__NR_clone, 4),
        ARGUMENT(0),
        UNLESS_ANY_BIT(CLONE_THREAD, 1),
        ALLOW,
        ERROR(EPERM),
        // Limits and signals of this process alone: a crash is one.
        REQUIRE_VALUE(prlimit64, 0, 0, EPERM),
        REQUIRE_VALUE(tgkill, 0, (uint32_t)getpid(), EPERM),
        // Names of threads.
        REQUIRE_VALUE(prctl, 0, PR_SET_NAME, EPERM),
        ERROR(ENOSYS),
    };
    struct sock_fprog program = {COUNT(filter), filter};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) return false;
    return !prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
}

#else

bool cd_restrict_calls(void) { return false; }

#endif
