#include "read_log.h"

#include <stdatomic.h>
#include <stdlib.h>

struct cc_read_log {
    size_t part_count;
    // Handles on several threads mark the same part.
    atomic_uchar parts[];
};

cc_read_log *cc_read_log_create(uint64_t size) {
    const size_t count = (size_t)((size + CC_READ_PART - 1) / CC_READ_PART);
    cc_read_log *log = calloc(1, sizeof *log + count * sizeof *log->parts);
    if (log != NULL) { log->part_count = count; }
    return log;
}

void cc_read_log_mark(cc_read_log *log, uint64_t offset, uint64_t count) {
    if (log == NULL || count == 0) { return; }
    const uint64_t last = (offset + count - 1) / CC_READ_PART;
    for (uint64_t part = offset / CC_READ_PART; part <= last && part < log->part_count; part++) {
        atomic_store_explicit(&log->parts[part], 1, memory_order_relaxed);
    }
}

bool cc_read_log_has(const cc_read_log *log, size_t part) {
    return part < log->part_count && atomic_load_explicit(&log->parts[part], memory_order_relaxed) != 0;
}

void cc_read_log_destroy(cc_read_log *log) { free(log); }
