#include "shared.h"

#include <ctype.h>
#include <errno.h>
#include <lcms2.h>
#include <libdeflate.h>
#include <libheif/heif.h>
#include <png.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <tiffio.h>
#include <webp/decode.h>

// Requires stdio.h before it.
#include <jpeglib.h>

cc_status cc_fail(cc_message *message, cc_status status, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message->text, sizeof message->text, format, arguments);
    va_end(arguments);
    return status;
}

cc_status cc_fail_memory(cc_message *message) { return cc_fail(message, CC_OUT_OF_MEMORY, "out of memory"); }

cc_status cc_fail_errno(cc_message *message, cc_status status, int error) {
    // strerror_r has two signatures; strerror is safe with glibc (the text of a known errno is a
    // constant) and on Darwin (the buffer belongs to the thread).
    cc_fail(message, status, "%s", strerror(error));
    message->text[0] = (char)tolower((unsigned char)message->text[0]);
    const bool is_limit = error == ENOMEM || error == EMFILE || error == ENFILE;
    return is_limit ? CC_OUT_OF_MEMORY : error == EIO ? CC_READ_FAILED : status;
}

cc_status cc_fail_read(cc_message *message, FILE *file) {
    return ferror(file) ? cc_fail_errno(message, CC_READ_FAILED, errno)
                        : cc_fail(message, CC_DAMAGED, "the file ends");
}

cc_status cc_fail_at_row(cc_message *message, bool file_has_ended, uint32_t row, uint32_t height) {
    const cc_message reason = *message;
    return file_has_ended
        ? cc_fail(message, CC_DAMAGED, "the file ends after row %u of %u", row, height)
        : cc_fail(message, CC_DAMAGED, "damaged after row %u of %u: %.150s", row, height, reason.text);
}

cc_status cc_open(cc_source source, FILE **file, uint64_t *size, cc_message *message) {
    if (source.path == NULL) {
        // In this mode, fmemopen only reads, although the parameter is not const.
        *file = fmemopen((void *)source.bytes, source.size, "rb");
        *size = source.size;
        return *file != NULL ? CC_OK : cc_fail_errno(message, CC_OUT_OF_MEMORY, errno);
    }
    struct stat status;
    *file = fopen(source.path, "rb");
    if (*file != NULL && fstat(fileno(*file), &status) == 0) {
        *size = (uint64_t)status.st_size;
        return CC_OK;
    }
    const cc_status failure = cc_fail_errno(message, CC_CANNOT_OPEN, errno);
    if (*file != NULL) { fclose(*file); }
    *file = NULL;
    return failure;
}

cc_status cc_load(cc_source source, int largest, uint8_t **bytes, size_t *size, cc_message *message) {
    FILE *file;
    uint64_t file_size;
    cc_status status = cc_open(source, &file, &file_size, message);
    if (status != CC_OK) { return status; }
    if (file_size > (uint64_t)largest) {
        status = cc_fail(message, CC_UNSUPPORTED, "the file is larger than %d MB", largest >> 20);
    } else if ((*bytes = malloc((size_t)file_size + 1)) == NULL) {
        status = cc_fail_memory(message);
    } else {
        *size = fread(*bytes, 1, (size_t)file_size, file);
        if (ferror(file)) { status = cc_fail_errno(message, CC_READ_FAILED, errno); }
    }
    fclose(file);
    return status;
}

// Versions

// The value of a macro, as text.
#define TEXT_OF(macro) TEXT(macro)
#define TEXT(tokens) #tokens

void cc_library_version(cc_library library, cc_message *name) {
    char *text = name->text;
    const size_t size = sizeof name->text;
    switch (library) {
    case CC_LCMS: {
        // 2140 is 2.14.
        const int version = cmsGetEncodedCMMversion();
        snprintf(text, size, "lcms %d.%d", version / 1000, version % 1000 / 10);
        break;
    }
    case CC_LIBDEFLATE: snprintf(text, size, "libdeflate %s", LIBDEFLATE_VERSION_STRING); break;
    case CC_LIBHEIF: {
        const char *version = heif_get_version();
        snprintf(text, size, "libheif %s", version == NULL ? "" : version);
        break;
    }
    case CC_LIBJPEG:
#ifdef LIBJPEG_TURBO_VERSION
        snprintf(text, size, "libjpeg-turbo %s", TEXT_OF(LIBJPEG_TURBO_VERSION));
#else
        snprintf(text, size, "libjpeg %s", TEXT_OF(JPEG_LIB_VERSION));
#endif
        break;
    case CC_LIBPNG: snprintf(text, size, "libpng %s", png_get_libpng_ver(NULL)); break;
    case CC_LIBTIFF: {
        // "LIBTIFF, Version 4.5.0", and lines about its copyright.
        const char *number = TIFFGetVersion();
        number += strcspn(number, "0123456789");
        snprintf(text, size, "libtiff %.*s", (int)strcspn(number, "\n"), number);
        break;
    }
    case CC_LIBWEBP: {
        const int version = WebPGetDecoderVersion();
        snprintf(text, size, "libwebp %d.%d.%d", version >> 16, version >> 8 & 255, version & 255);
        break;
    }
    }
}
