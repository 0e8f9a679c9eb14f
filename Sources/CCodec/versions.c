#include <lcms2.h>
#include <libdeflate.h>
#include <libheif/heif.h>
#include <png.h>
#include <stdio.h>
#include <string.h>
#include <tiffio.h>
#include <webp/decode.h>

// Requires stdio.h before it.
#include <jpeglib.h>

#include "CCodec.h"

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
