// Lets the thread sanitizer see that a task has waited for a lock. Swift's Mutex waits, and wakes
// those who wait, in functions of its library, which is not instrumented: the sanitizer sees locks
// only that nobody waits for, and reports what the others guard as a race.
//
// Loaded before the library (LD_PRELOAD), these call its functions, and say what those do.
// In a process without the sanitizer nothing is said.

#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>

/// Of the sanitizer: what was done before a release of the address is done after an acquisition.
extern void __tsan_acquire(void *address) __attribute__((weak));
extern void __tsan_release(void *address) __attribute__((weak));

#define HANDLE __attribute__((swift_context)) void *handle

/// `_MutexHandle._lockSlow(UInt32) -> ()`; the handle begins with the word that is the lock.
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
typedef __attribute__((swiftcall)) void lock_function(uint32_t thread, HANDLE);
lock_function see_lock __asm__(LOCK);

/// `_MutexHandle._unlockSlow() -> ()`
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"
typedef __attribute__((swiftcall)) void unlock_function(HANDLE);
unlock_function see_unlock __asm__(UNLOCK);

static void *library_function(const char *name) {
    void *function = dlsym(RTLD_NEXT, name);
    if (function == NULL) { abort(); }
    return function;
}

__attribute__((swiftcall)) void see_lock(uint32_t thread, HANDLE) {
    ((lock_function *)library_function(LOCK))(thread, handle);
    if (__tsan_acquire != NULL) { __tsan_acquire(handle); }
}

__attribute__((swiftcall)) void see_unlock(HANDLE) {
    if (__tsan_release != NULL) { __tsan_release(handle); }
    ((unlock_function *)library_function(UNLOCK))(handle);
}
