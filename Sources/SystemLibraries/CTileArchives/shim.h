// The system's own libraries, as iOS and macOS have them, too.
#include <sqlite3.h>
#include <zlib.h>
