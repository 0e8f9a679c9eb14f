#include "CDocuments.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static bool closes(int descriptor) { return descriptor >= 0 && !close(descriptor); }

static bool opens_network(void) { return closes(socket(AF_INET, SOCK_STREAM, 0)); }

static bool writes(void) {
    // A file of nobody, in a folder that is everybody's.
    char path[] = "/tmp/tilewright-render-XXXXXX";
    int descriptor = mkstemp(path);
    if (descriptor >= 0) unlink(path);
    return closes(descriptor);
}

/* A child that ends at once; as another program, if that is wanted. */
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

static void *nothing(void *data) { return data; }

static bool has_threads(void) {
    pthread_t thread;
    return !pthread_create(&thread, 0, nothing, 0) && !pthread_join(thread, 0);
}

bool cd_try(cd_attempt attempt) {
    switch (attempt) {
    case CD_ATTEMPT_NETWORK: return opens_network();
    case CD_ATTEMPT_WRITING: return writes();
    case CD_ATTEMPT_PROGRAM: return forks(true);
    case CD_ATTEMPT_PROCESS: return forks(false);
    case CD_ATTEMPT_OTHER_FILE: return closes(open("/etc/passwd", O_RDONLY));
    case CD_ATTEMPT_THREAD: return has_threads();
    }
    return false;
}
