// A TIFF file that libtiff reads. The file is not mapped, so that a file that shrinks causes an error instead
// of a signal. Errors are kept instead of printed.

#ifndef TILEWRIGHT_TIFF_FILE_H
#define TILEWRIGHT_TIFF_FILE_H

#include <tiffio.h>

#include "../message.h"

typedef struct cc_tiff_file {
    TIFF *tiff;
    int descriptor;
    // Notes which parts of the file were read; may be NULL.
    cc_read_log *log;
    uint64_t size;
    uint64_t position;
    // Whether libtiff is reading a directory, and the bytes that it may still read for directories in all.
    bool is_in_directory;
    uint64_t directory_bytes;
    // Errors since the last cc_tiff_forget.
    bool has_failed;
    bool has_ended;
    int system_error;
    cc_message reason;
} cc_tiff_file;

/// Opens a file and reads its header, but not a directory. The log may be NULL. This function takes ownership
/// of the descriptor, even if it fails; if the descriptor is -1, errno is the reason. On success, the caller
/// must close *file.
cc_status cc_tiff_file_open(int descriptor, cc_read_log *log, cc_tiff_file **file, cc_message *message);

/// NULL is allowed.
void cc_tiff_file_close(cc_tiff_file *file);

/// Reads the directory at an offset.
cc_status cc_tiff_file_enter(cc_tiff_file *file, uint64_t offset, cc_message *message);

/// Clears errors before a call of libtiff, so that only those of the call are kept.
void cc_tiff_forget(cc_tiff_file *file);

/// The status and the message of a call of libtiff that has failed, or reported an error.
cc_status cc_tiff_complaint(const cc_tiff_file *file, cc_message *message);

#endif
