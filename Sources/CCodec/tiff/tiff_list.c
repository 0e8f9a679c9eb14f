#include <fcntl.h>

#include "../message.h"
#include "tiff_file.h"

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

/// Visits what the current directory of `parent` refers to, by another handle, since a visit leaves
/// the chain.
static cc_status append_children(listing *list, TIFF *parent, cc_tiff_file *children, cc_message *message) {
    uint16_t count = 0;
    const uint64_t *offsets = NULL;
    if (!TIFFGetField(parent, TIFFTAG_SUBIFD, &count, &offsets)) { return CC_OK; }
    for (uint16_t i = 0; i < count && i < MOST_CHILDREN && list->count < list->capacity; i++) {
        const cc_status status = cc_tiff_file_enter(children, offsets[i], message);
        if (status != CC_OK) { return status; }
        append(list, children->tiff, true);
    }
    return CC_OK;
}

static cc_status visit(listing *list, cc_tiff_file *chain, cc_tiff_file *children, cc_message *message) {
    while (list->count < list->capacity && cc_tiff_file_next(chain)) {
        append(list, chain->tiff, false);
        const cc_status status = append_children(list, chain->tiff, children, message);
        if (status != CC_OK) { return status; }
        if (TIFFLastDirectory(chain->tiff)) { return CC_OK; }
    }
    return list->count == list->capacity ? CC_OK : cc_tiff_complaint(chain, message);
}

cc_status cc_tiff_list(
    const char *path, cc_tiff_directory *directories, size_t capacity, size_t *count, cc_message *message) {
    listing list = {.directories = directories, .capacity = capacity};
    cc_tiff_file *chain = NULL;
    cc_tiff_file *children = NULL;
    cc_status status = cc_tiff_file_open(open(path, O_RDONLY | O_CLOEXEC), NULL, &chain, message);
    if (status == CC_OK) {
        status = cc_tiff_file_open(open(path, O_RDONLY | O_CLOEXEC), NULL, &children, message);
    }
    if (status == CC_OK) { status = visit(&list, chain, children, message); }
    cc_tiff_file_close(children);
    cc_tiff_file_close(chain);
    *count = list.count;
    return status;
}
