#ifndef TILEWRIGHT_CSTORAGE_SHIM_H
#define TILEWRIGHT_CSTORAGE_SHIM_H

#include <sys/types.h>
// Needs the types above.
#include <md5.h>
#include <sqlite3.h>
#include <xxhash.h>
#include <zstd.h>

#endif
