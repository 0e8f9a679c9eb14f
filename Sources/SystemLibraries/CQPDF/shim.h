#ifndef TILEWRIGHT_CQPDF_SHIM_H
#define TILEWRIGHT_CQPDF_SHIM_H

#include <qpdf/qpdf-c.h>

#endif
