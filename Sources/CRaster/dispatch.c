#include "kernels.h"

const cr_kernels *cr_kernels_at(cr_level level)
{
    switch (level) {
    case CR_LEVEL_PORTABLE:
        return &cr_portable_kernels;
    case CR_LEVEL_AVX2:
#if CR_HAS_AVX2
        if (__builtin_cpu_supports("avx2")) return &cr_avx2_kernels;
#endif
        return NULL;
    }
    return NULL;
}

const cr_kernels *cr_kernels_best(void)
{
    const cr_kernels *kernels = cr_kernels_at(CR_LEVEL_AVX2);
    return kernels ? kernels : cr_kernels_at(CR_LEVEL_PORTABLE);
}
