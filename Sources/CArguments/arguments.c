#include "CArguments.h"

static int count;
static char **arguments;

// glibc and Apple's dyld call constructors with the arguments of main. Swift defines main itself.
__attribute__((constructor)) static void take(int argc, char **argv) {
    count = argc;
    arguments = argv;
}

int ca_count(void) { return count; }

const char *ca_argument(int index) { return arguments[index]; }
