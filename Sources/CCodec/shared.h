// Shared by all files of this target: messages, opening files, and the colours of pixels.

#ifndef TILEWRIGHT_SHARED_H
#define TILEWRIGHT_SHARED_H

#include <stdio.h>

#include "CCodec.h"

/// Writes a message as printf does, and returns the status for the caller to pass on.
__attribute__((format(printf, 3, 4))) cc_status cc_fail(
    cc_message *message, cc_status status, const char *format, ...);

/// Writes the message for CC_OUT_OF_MEMORY, and returns it.
cc_status cc_fail_memory(cc_message *message);

/// Writes the message of an errno value. Returns `status`, or a different status if the system is out of
/// memory or file descriptors, or if the disk fails.
cc_status cc_fail_errno(cc_message *message, cc_status status, int error);

/// Writes the reason for a short read: the system's error, or CC_DAMAGED if the file ends.
cc_status cc_fail_read(cc_message *message, FILE *file);

/// Returns CC_DAMAGED, and writes after which row. The file ends there, or `message` already has the reason.
cc_status cc_fail_at_row(cc_message *message, bool file_has_ended, uint32_t row, uint32_t height);

/// Opens a file for reading, and finds its size.
cc_status cc_open(cc_source source, FILE **file, uint64_t *size, cc_message *message);

/// Reads a whole file of at most `largest` bytes into memory. The caller must free *bytes, even on failure.
cc_status cc_load(cc_source source, int largest, uint8_t **bytes, size_t *size, cc_message *message);

// The colours of a tile's pixels, which determine the form in which the pixels are stored

enum { CC_MOST_COLORS = 256 };

typedef struct cc_rgba {
    uint8_t r, g, b, a;
} cc_rgba;

typedef struct cc_colors {
    /// The colours in the order of their first pixels.
    cc_rgba colors[CC_MOST_COLORS];
    int count;
} cc_colors;

/// Counts the colours of an image, and writes the index of its colour for each pixel. Returns false as soon
/// as there are more than 256 colours; then the results are invalid.
bool cc_count_colors(const uint8_t *rgba, size_t width, size_t height, cc_colors *colors, uint8_t *indices);

/// a * b / 255, rounded; exact for 8 bits.
static inline uint8_t cc_product(unsigned a, unsigned b) { return (uint8_t)((a * b + 127) / 255); }

/// Whether every alpha is 255.
bool cc_is_opaque(const uint8_t *rgba, size_t pixels);

/// Whether red, green and blue are equal everywhere.
bool cc_is_gray(const uint8_t *rgba, size_t pixels);

#endif
