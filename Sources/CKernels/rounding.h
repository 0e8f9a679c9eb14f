/* /Every file of the kernels includes this file first. Results must not depend on compiler options, so each
 * floating-point operation is rounded separately.
 * A compiler may contract a product and a sum into one instruction with one rounding (FMA), which gives
 * different bits. The pragma applies to the rest of a file, including intrinsics, even if clang gets
 * -ffp-contract=on or fast-honor-pragmas. -ffp-contract=fast would ignore the pragma. Then positions would
 * stay the same, since their only product that is followed by a sum is exact (see cr_position_grid), but
 * drawings without paper would change (lift.c). No build of tilewright sets that option.
 */
#ifndef TILEWRIGHT_ROUNDING_H
#define TILEWRIGHT_ROUNDING_H

#if defined(__FAST_MATH__)
#error "the kernels need the arithmetic of IEEE 754: compile them without -ffast-math"
#endif

#pragma STDC FP_CONTRACT OFF

#endif
