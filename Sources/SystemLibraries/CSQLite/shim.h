#ifndef TILEWRIGHT_CSQLITE_SHIM_H
#define TILEWRIGHT_CSQLITE_SHIM_H

#include <sqlite3.h>

#endif
