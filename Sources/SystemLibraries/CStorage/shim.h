#ifndef TILEWRIGHT_CSTORAGE_SHIM_H
#define TILEWRIGHT_CSTORAGE_SHIM_H

#include <sqlite3.h>
#include <xxhash.h>
#include <zstd.h>

#endif
