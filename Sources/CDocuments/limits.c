#include "CDocuments.h"
#include "drawing/drawing.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

static void *wait_for_end(void *data) {
    struct pollfd pipe = {(int)(intptr_t)data, 0, 0};
    while (poll(&pipe, 1, -1) < 0 && errno == EINTR) {}
    if (pipe.revents & POLLERR) _exit(EXIT_SUCCESS);
    return 0;
}

void cd_end_without_reader(int pipe) {
    pthread_t thread;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_create(&thread, &attributes, wait_for_end, (void *)(intptr_t)pipe);
    pthread_attr_destroy(&attributes);
}

static struct {
    int pipe;
    const void *words;
    size_t size;
} last;

/* If memory is refused, libraries abort, trap, exit or use invalid pointers; but errno(3) still has the
 * reason. */
static void speak(void) {
    if (errno != ENOMEM || !last.words) return;
    ssize_t written = write(last.pipe, last.words, last.size);
    (void)written;
    last.words = 0;
}

static void die(int signal) {
    speak();
    // The handler runs only once: this signal ends the process.
    raise(signal);
}

static void hear_of_deaths(void) {
    // A separate stack, since after a stack overflow there is no room for a handler.
    static char stack[1 << 16];
    sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = sizeof stack}, 0);
    struct sigaction action = {.sa_handler = die, .sa_flags = (int)(SA_RESETHAND | SA_NODEFER | SA_ONSTACK)};
    const int signals[] = {SIGABRT, SIGTRAP, SIGSEGV, SIGBUS, SIGILL};
    for (size_t index = 0; index < sizeof signals / sizeof *signals; index++)
        sigaction(signals[index], &action, 0);
    atexit(speak);
}

void cd_bound_memory(int64_t bytes, int pipe, const void *last_words, size_t size) {
    last.pipe = pipe;
    last.size = size;
    last.words = last_words;
    hear_of_deaths();
    cd_cells_bound(bytes);
#if defined(__linux__)
    struct rlimit limit;
    if (bytes <= 0 || getrlimit(RLIMIT_DATA, &limit)) return;
    // The limit applies to private writable memory, but not to the mapped document or libraries.
    limit.rlim_cur = (rlim_t)bytes < limit.rlim_cur ? (rlim_t)bytes : limit.rlim_cur;
    limit.rlim_max = limit.rlim_cur;
    setrlimit(RLIMIT_DATA, &limit);
#else
    (void)bytes;
#endif
}

void cd_bound_seconds(int64_t seconds) {
    struct rusage usage;
    struct rlimit limit;
    // Ten years are no limit.
    if (seconds <= 0 || seconds > 315360000) return;
    if (getrusage(RUSAGE_SELF, &usage) || getrlimit(RLIMIT_CPU, &limit)) return;
    // The system counts whole seconds.
    int64_t used = (int64_t)usage.ru_utime.tv_sec + usage.ru_stime.tv_sec + 1;
    rlim_t wanted = (rlim_t)(used + seconds);
    limit.rlim_cur = wanted < limit.rlim_max ? wanted : limit.rlim_max;
    setrlimit(RLIMIT_CPU, &limit);
}
