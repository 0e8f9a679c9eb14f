// A TIFF file as libtiff reads it: without mapping, so that a file which shrinks is an error and
// not a signal, and with its errors kept instead of printed.

#ifndef TILEWRIGHT_TIFF_FILE_H
#define TILEWRIGHT_TIFF_FILE_H

#include <tiffio.h>

#include "../message.h"

typedef struct cc_tiff_file {
    TIFF *tiff;
    int descriptor;
    // What is told which bytes were read, or NULL.
    cc_read_log *log;
    uint64_t size;
    uint64_t position;
    // Whether libtiff reads a directory, and how many bytes it may still read for that.
    bool is_in_directory;
    uint64_t directory_bytes;
    // What went wrong since the last cc_tiff_forget.
    bool has_failed;
    bool has_ended;
    int system_error;
    cc_message reason;
} cc_tiff_file;

/// Opens a file and reads its header, but not a directory. The log may be NULL. The descriptor belongs to the
/// file from now on, even if this fails; if it is -1, errno is the reason. On success *file is to be closed.
cc_status cc_tiff_file_open(int descriptor, cc_read_log *log, cc_tiff_file **file, cc_message *message);

/// NULL is allowed.
void cc_tiff_file_close(cc_tiff_file *file);

/// Reads the directory at an offset.
cc_status cc_tiff_file_enter(cc_tiff_file *file, uint64_t offset, cc_message *message);

/// Begins a call of libtiff: what it complains of from now on is kept.
void cc_tiff_forget(cc_tiff_file *file);

/// The status and the message of a call of libtiff that has failed, or has complained.
cc_status cc_tiff_complaint(const cc_tiff_file *file, cc_message *message);

#endif
