#include "rules.h"

#include <dlfcn.h>
#include <math.h>

cd_rules cd_current_rules;

void *cd_cairos_own(const char *name) { return dlsym(RTLD_NEXT, name); }

/* The singular values of the matrix. */
void cd_scales(const cairo_matrix_t *matrix, double *least, double *most) {
    double a = matrix->xx * matrix->xx + matrix->yx * matrix->yx;
    double b = matrix->xy * matrix->xy + matrix->yy * matrix->yy;
    double k = matrix->xx * matrix->xy + matrix->yx * matrix->yy;
    double middle = (a + b) / 2;
    double spread = hypot((a - b) / 2, k);
    *least = sqrt(fmax(0, middle - spread));
    *most = sqrt(middle + spread);
}
