/* Every kernel file that computes includes this file first. Results must not depend on compiler options, so
 * each floating-point operation is rounded separately. A compiler may contract a multiplication and an
 * addition into one instruction with one rounding (FMA), which gives different bits. The pragma applies to
 * the rest of a file, including intrinsics, even if clang gets -ffp-contract=on or fast-honor-pragmas.
 * -ffp-contract=fast would ignore the pragma: positions (interpolate_row) and drawings without paper
 * (lift.c), for example, would change. No build of tilewright sets that option.
 */
#ifndef TILEWRIGHT_ROUNDING_H
#define TILEWRIGHT_ROUNDING_H

#if defined(__FAST_MATH__)
#error "the kernels need the arithmetic of IEEE 754: compile them without -ffast-math"
#endif

#pragma STDC FP_CONTRACT OFF

#endif
