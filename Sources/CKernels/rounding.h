/*
 * Every file of the kernels includes this first. Results must not depend on how the files are compiled, so
 * each operation in floating point is rounded on its own.
 *
 * A compiler may contract a product and a sum into one instruction with one rounding (FMA), which gives other
 * bits. The pragma holds for all that follows in a file, intrinsics included, and also when clang is told
 * -ffp-contract=on or fast-honor-pragmas. -ffp-contract=fast would ignore it: positions would stay the same,
 * as their only product that is followed by a sum is exact (see cr_position_grid), but drawings lifted off a
 * sheet would not (lift.c). Nothing sets that option.
 */
#ifndef TILEWRIGHT_ROUNDING_H
#define TILEWRIGHT_ROUNDING_H

#if defined(__FAST_MATH__)
#error "the kernels need the arithmetic of IEEE 754: compile them without -ffast-math"
#endif

#pragma STDC FP_CONTRACT OFF

#endif
