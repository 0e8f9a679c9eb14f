/* The common part of all loaders. These macros must be defined before this file is included:
 * - LIBRARY: the name of the library, with the ABI number of its header.
 * - FIRST(X): the function whose first call loads the library, as X(result, name, parameters, arguments).
 * - FUNCTIONS(X): all other functions.
 */

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>

#define MEMBER(result, name, parameters, arguments) __typeof__(&name) name;
static struct {
    bool is_loaded;
    FIRST(MEMBER)
    FUNCTIONS(MEMBER)
} own;

#define FIND(result, name, parameters, arguments) \
    has_all &= (own.name = (__typeof__(&name))dlsym(library, #name)) != 0;
static void load(void) {
    void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (!library) return;
    bool has_all = true;
    FIRST(FIND)
    FUNCTIONS(FIND)
    own.is_loaded = has_all;
}

#define LOAD_AND_PASS(result, name, parameters, arguments) \
    result name parameters {                               \
        static pthread_once_t once = PTHREAD_ONCE_INIT;    \
        pthread_once(&once, load);                         \
        return own.is_loaded ? own.name arguments : 0;     \
    }
FIRST(LOAD_AND_PASS)

#define PASS(result, name, parameters, arguments) \
    result name parameters { return own.name arguments; }
FUNCTIONS(PASS)
