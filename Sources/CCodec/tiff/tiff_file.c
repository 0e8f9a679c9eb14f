#include "tiff.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// The log of reads

struct cc_read_log {
    cc_fetch fetch;
    void *context;
    size_t part_count;
    // Handles on several threads mark the same part.
    atomic_uchar parts[];
};

cc_read_log *cc_read_log_create(uint64_t size, cc_fetch fetch, void *context) {
    const size_t count = (size_t)((size + CC_READ_PART - 1) / CC_READ_PART);
    cc_read_log *log = calloc(1, sizeof *log + count * sizeof *log->parts);
    if (log == NULL) { return NULL; }
    log->part_count = count;
    log->fetch = fetch;
    log->context = context;
    return log;
}

/// Marks the parts that contain some bytes. The log may be NULL.
static void mark(cc_read_log *log, uint64_t offset, uint64_t count) {
    if (log == NULL || count == 0) { return; }
    const uint64_t last = (offset + count - 1) / CC_READ_PART;
    for (uint64_t part = offset / CC_READ_PART; part <= last && part < log->part_count; part++) {
        atomic_store_explicit(&log->parts[part], 1, memory_order_relaxed);
    }
}

/// Makes some bytes available. The log may be NULL.
static bool fetch(const cc_read_log *log, uint64_t offset, uint64_t count) {
    return log == NULL || log->fetch == NULL || log->fetch(log->context, offset, count);
}

bool cc_read_log_has(const cc_read_log *log, size_t part) {
    return part < log->part_count && atomic_load_explicit(&log->parts[part], memory_order_relaxed) != 0;
}

void cc_read_log_destroy(cc_read_log *log) { free(log); }

// The file

// The limit for one allocation of libtiff: the compressed bytes of a strip, or a directory's arrays. libtiff
// reads both piece by piece, so only a file of that size makes it allocate as much.
static const tmsize_t LARGEST_ALLOCATION = (tmsize_t)CC_LARGEST_BLOCK;

// The limit of bytes read for directories: a multiple of the file's size, plus a constant. A sound file's
// directories are read once, and do not share values. Thousands of tags that share values would make
// gigabytes in memory from a file of some megabytes.
static const uint64_t DIRECTORY_READS = 2;
static const uint64_t DIRECTORY_BYTES = 1 << 20;

// The file's name in libtiff's messages.
#define FILE_NAME "file"

// libtiff's callbacks

/// Counts bytes that were read for a directory.
static void count_bytes(cc_tiff_file *file, uint64_t count) {
    const bool is_enough = count >= file->directory_bytes;
    file->directory_bytes = is_enough ? 0 : file->directory_bytes - count;
    if (is_enough && !file->has_failed) {
        file->has_failed = true;
        strcpy(file->reason.text, "its directories are larger than the file");
    }
}

static tmsize_t read_bytes(thandle_t handle, void *bytes, tmsize_t size) {
    cc_tiff_file *file = handle;
    tmsize_t done = 0;
    if (file->is_in_directory && file->directory_bytes == 0) { return 0; }
    if (!fetch(file->log, file->position, (uint64_t)size)) {
        file->system_error = EIO;
        return 0;
    }
    while (done < size) {
        const ssize_t count =
            pread(file->descriptor, (char *)bytes + done, (size_t)(size - done), (off_t)file->position);
        if (count < 0 && errno == EINTR) { continue; }
        if (count < 0) { file->system_error = errno; }
        if (count == 0) { file->has_ended = true; }
        if (count <= 0) { break; }
        mark(file->log, file->position, (uint64_t)count);
        done += count;
        file->position += (uint64_t)count;
    }
    if (file->is_in_directory) { count_bytes(file, (uint64_t)done); }
    return done;
}

static tmsize_t write_nothing(thandle_t handle, void *bytes, tmsize_t size) {
    (void)handle, (void)bytes, (void)size;
    return -1;
}

static toff_t seek(thandle_t handle, toff_t offset, int whence) {
    cc_tiff_file *file = handle;
    (void)whence;  // SEEK_SET: only writers seek from elsewhere
    // pread has this limit, and no file on this system is larger.
    if (offset > INT64_MAX) { return (toff_t)-1; }
    file->position = offset;
    return offset;
}

static int close_nothing(thandle_t handle) {
    (void)handle;
    return 0;
}

static toff_t size_of(thandle_t handle) { return ((const cc_tiff_file *)handle)->size; }

/// Makes libtiff's sentence a clause: lower case, one line, no full stop.
static void tidy(char *text) {
    if (isupper((unsigned char)text[0]) && !isupper((unsigned char)text[1])) {
        text[0] = (char)tolower((unsigned char)text[0]);
    }
    for (char *c = text; *c != 0; c++) {
        if (iscntrl((unsigned char)*c)) { *c = ' '; }
    }
    for (size_t end = strlen(text); end > 0 && strchr(" .!", text[end - 1]) != NULL; end--) {
        text[end - 1] = 0;
    }
}

/// Keeps the first error, which is the nearest to the cause.
static int on_error(TIFF *tiff, void *handle, const char *module, const char *format, va_list arguments) {
    (void)tiff, (void)module;
    cc_tiff_file *file = handle;
    // An allocator that found memory elsewhere may leave ENOMEM in errno; but here, a call has failed.
    if (errno == ENOMEM) { file->system_error = ENOMEM; }
    if (file->has_failed) { return 1; }
    file->has_failed = true;
    char text[sizeof file->reason.text];
    vsnprintf(text, sizeof text, format, arguments);
    const char *name = FILE_NAME ": ";
    const bool is_named = strncmp(text, name, strlen(name)) == 0;
    tidy(text + (is_named ? strlen(name) : 0));
    strcpy(file->reason.text, text + (is_named ? strlen(name) : 0));
    return 1;
}

/// Whether a decoder's warning means that pixels are lost, which the decoder replaces by made-up pixels.
static bool costs_pixels(const char *module, const char *format, va_list arguments) {
    if (strncmp(module, "Fax", 3) == 0) { return true; }
    if (strcmp(module, "JPEGLib") != 0) { return false; }
    char text[256];
    va_list copy;
    va_copy(copy, arguments);
    vsnprintf(text, sizeof text, format, copy);
    va_end(copy);
    // Bytes between the last pixel and the end are padding.
    return strstr(text, "before marker 0xd9") == NULL && strstr(text, "Adobe") == NULL;
}

static int on_warning(TIFF *tiff, void *handle, const char *module, const char *format, va_list arguments) {
    const bool costs_tag = strncmp(format, "Out of memory", strlen("Out of memory")) == 0;
    if (costs_tag || (module != NULL && costs_pixels(module, format, arguments))) {
        on_error(tiff, handle, module, format, arguments);
    }
    return 1;
}

// Opening

static TIFF *open_client(cc_tiff_file *file) {
    TIFFOpenOptions *options = TIFFOpenOptionsAlloc();
    if (options == NULL) { return NULL; }
    TIFFOpenOptionsSetMaxSingleMemAlloc(options, LARGEST_ALLOCATION);
    TIFFOpenOptionsSetErrorHandlerExtR(options, on_error, file);
    TIFFOpenOptionsSetWarningHandlerExtR(options, on_warning, file);
    // h: no directory yet; m: no mapping; O: offsets of blocks are read on demand.
    TIFF *tiff = TIFFClientOpenExt(
        FILE_NAME, "rhmO", file, read_bytes, write_nothing, seek, close_nothing, size_of, NULL, NULL,
        options);
    TIFFOpenOptionsFree(options);
    return tiff;
}

cc_status cc_tiff_file_open(int descriptor, cc_read_log *log, cc_tiff_file **result, cc_message *message) {
    if (descriptor < 0) { return cc_fail_errno(message, CC_CANNOT_OPEN, errno); }
    cc_tiff_file *file = calloc(1, sizeof *file);
    if (file == NULL) {
        close(descriptor);
        return cc_fail_memory(message);
    }
    file->descriptor = descriptor;
    file->log = log;
    struct stat status;
    cc_status failure = CC_OK;
    if (fstat(descriptor, &status) != 0) {
        failure = cc_fail_errno(message, CC_READ_FAILED, errno);
    } else {
        file->size = (uint64_t)status.st_size;
        file->directory_bytes = DIRECTORY_READS * file->size + DIRECTORY_BYTES;
        cc_tiff_forget(file);
        file->tiff = open_client(file);
        if (file->tiff == NULL) { failure = cc_tiff_complaint(file, message); }
    }
    if (failure != CC_OK) {
        cc_tiff_file_close(file);
        return failure;
    }
    *result = file;
    return CC_OK;
}

void cc_tiff_file_close(cc_tiff_file *file) {
    if (file == NULL) { return; }
    if (file->tiff != NULL) { TIFFClose(file->tiff); }
    close(file->descriptor);
    free(file);
}

/// Ends reading a directory; false if reading failed, even if libtiff only left out unreadable tags.
static bool leave_directory(cc_tiff_file *file, bool has_succeeded) {
    file->is_in_directory = false;
    return has_succeeded && file->directory_bytes > 0 && file->system_error == 0;
}

/// Reads the next directory of the chain; false if the chain ends, or the directory is damaged.
static bool next_directory(cc_tiff_file *file) {
    cc_tiff_forget(file);
    file->is_in_directory = true;
    return leave_directory(file, TIFFReadDirectory(file->tiff));
}

cc_status cc_tiff_file_enter(cc_tiff_file *file, uint64_t offset, cc_message *message) {
    cc_tiff_forget(file);
    file->is_in_directory = true;
    const bool is_there = leave_directory(file, TIFFSetSubDirectory(file->tiff, offset));
    return is_there ? CC_OK : cc_tiff_complaint(file, message);
}

// Complaints

void cc_tiff_forget(cc_tiff_file *file) {
    file->has_failed = false;
    file->has_ended = false;
    file->system_error = 0;
    errno = 0;
}

cc_status cc_tiff_complaint(const cc_tiff_file *file, cc_message *message) {
    if (errno == ENOMEM || file->system_error == ENOMEM) { return cc_fail_memory(message); }
    if (file->system_error != 0) { return cc_fail_errno(message, CC_READ_FAILED, file->system_error); }
    if (file->has_ended) { return cc_fail(message, CC_DAMAGED, "the file ends too early"); }
    return cc_fail(
        message, CC_DAMAGED, "%.200s", file->has_failed ? file->reason.text : "its directories are damaged");
}

// Lists of directories

enum { MOST_CHILDREN = 64 };

typedef struct listing {
    cc_tiff_directory *directories;
    size_t capacity;
    size_t count;
} listing;

static void append(listing *list, TIFF *tiff, bool is_child) {
    cc_tiff_directory *directory = &list->directories[list->count];
    *directory = (cc_tiff_directory){
        .offset = TIFFCurrentDirOffset(tiff),
        .is_child = is_child,
    };
    TIFFGetField(tiff, TIFFTAG_IMAGEWIDTH, &directory->width);
    TIFFGetField(tiff, TIFFTAG_IMAGELENGTH, &directory->height);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_SUBFILETYPE, &directory->subfile_type);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_SAMPLESPERPIXEL, &directory->samples);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_BITSPERSAMPLE, &directory->bits);
    TIFFGetField(tiff, TIFFTAG_PHOTOMETRIC, &directory->photometric);
    list->count++;
}

/// Adds the children of the current directory of `parent`. Uses a second handle, since reading a child leaves
/// the chain.
static cc_status append_children(listing *list, TIFF *parent, cc_tiff_file *children, cc_message *message) {
    uint16_t count = 0;
    const uint64_t *offsets = NULL;
    if (!TIFFGetField(parent, TIFFTAG_SUBIFD, &count, &offsets)) { return CC_OK; }
    if (offsets == NULL && count > 0) { return cc_fail_memory(message); }
    for (uint16_t i = 0; i < count && i < MOST_CHILDREN && list->count < list->capacity; i++) {
        const cc_status status = cc_tiff_file_enter(children, offsets[i], message);
        if (status != CC_OK) { return status; }
        append(list, children->tiff, true);
    }
    return CC_OK;
}

static cc_status visit(listing *list, cc_tiff_file *chain, cc_tiff_file *children, cc_message *message) {
    while (list->count < list->capacity && next_directory(chain)) {
        append(list, chain->tiff, false);
        const cc_status status = append_children(list, chain->tiff, children, message);
        if (status != CC_OK) { return status; }
        if (TIFFLastDirectory(chain->tiff)) { return CC_OK; }
    }
    return list->count == list->capacity ? CC_OK : cc_tiff_complaint(chain, message);
}

cc_status cc_tiff_list(
    const char *path, cc_read_log *log, cc_tiff_directory *directories, size_t capacity, size_t *count,
    cc_message *message) {
    listing list = {.directories = directories, .capacity = capacity};
    cc_tiff_file *chain = NULL;
    cc_tiff_file *children = NULL;
    cc_status status = cc_tiff_file_open(open(path, O_RDONLY | O_CLOEXEC), log, &chain, message);
    if (status == CC_OK) {
        status = cc_tiff_file_open(open(path, O_RDONLY | O_CLOEXEC), log, &children, message);
    }
    if (status == CC_OK) { status = visit(&list, chain, children, message); }
    cc_tiff_file_close(children);
    cc_tiff_file_close(chain);
    *count = list.count;
    return status;
}
