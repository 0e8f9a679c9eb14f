#include <new>

extern "C" {
#include "heif.h"
}

cc_heif_outcome cc_heif_guard(void (*step)(void *), void *argument) {
    try {
        step(argument);
        return CC_HEIF_RETURNED;
    } catch (const std::bad_alloc &) { return CC_HEIF_OUT_OF_MEMORY; } catch (...) {
        return CC_HEIF_THREW;
    }
}
