#include "rounding.h"

#include "kernels.h"

const cr_kernels *cr_kernels_at(cr_level level) {
    switch (level) {
    case CR_LEVEL_PORTABLE: return &cr_portable_kernels;
#if defined(__x86_64__)
    case CR_LEVEL_AVX2: return __builtin_cpu_supports("avx2") ? &cr_avx2_kernels : NULL;
    case CR_LEVEL_AVX512:
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw")
                && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vbmi")
                && __builtin_cpu_supports("avx512vnni")
            ? &cr_avx512_kernels
            : NULL;
#elif defined(__aarch64__)
    case CR_LEVEL_NEON: return &cr_neon_kernels;
#endif
    default: return NULL;
    }
}

const cr_kernels *cr_kernels_best(void) {
    int level = CR_LEVEL_COUNT - 1;
    while (!cr_kernels_at((cr_level)level)) level--;
    return cr_kernels_at((cr_level)level);
}
