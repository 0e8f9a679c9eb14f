#include "color_context.h"

#include <lcms2_plugin.h>
#include <stdbool.h>
#include <stdlib.h>

// lcms2 was seen to take 1 to 3 MB, and up to four times the size of the profile.
enum { BUDGET = 64 << 20 };

static bool spend(cmsContext context, size_t size) {
    cc_color_budget *budget = cmsGetContextUserData(context);
    if (size > budget->left) { return false; }
    budget->left -= size;
    return true;
}

/// What the system granted, or not, which is noted.
static void *granted(cmsContext context, void *memory) {
    cc_color_budget *budget = cmsGetContextUserData(context);
    budget->is_out_of_memory |= memory == NULL;
    return memory;
}

static void *allocate(cmsContext context, cmsUInt32Number size) {
    return spend(context, size) ? granted(context, malloc(size)) : NULL;
}

static void *reallocate(cmsContext context, void *memory, cmsUInt32Number size) {
    return spend(context, size) ? granted(context, realloc(memory, size)) : NULL;
}

static void release(cmsContext context, void *memory) {
    (void)context;
    free(memory);
}

cmsContext cc_color_context(cc_color_budget *budget) {
    cmsPluginMemHandler memory = {
        .base =
            {
                .Magic = cmsPluginMagicNumber,
                .ExpectedVersion = 2000,  // the plug-in's interface has not changed since
                .Type = cmsPluginMemHandlerSig,
            },
        .MallocPtr = allocate,
        .FreePtr = release,
        .ReallocPtr = reallocate,
    };
    *budget = (cc_color_budget){.left = BUDGET};
    return cmsCreateContext(&memory, budget);
}
