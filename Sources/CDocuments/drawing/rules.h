#ifndef TILEWRIGHT_CD_RULES_H
#define TILEWRIGHT_CD_RULES_H

#include <cairo.h>
#include <stdbool.h>

// Rules for the functions that this program defines in place of cairo's. An executable's symbols take
// precedence over a library's, so poppler, librsvg and pango call these functions. On systems that bind
// symbols differently, they are not called, and documents are drawn as by the libraries alone.

/// The rules of the current drawing.
typedef struct cd_rules {
    bool is_drawing;
    /// Whether poppler draws.
    bool is_pdf;
    bool is_aliased;
    /// The minimum width of a line in pixels: thinner lines are drawn with this width, and paler.
    double thinnest_line;
    /// The smallest share of its opacity to which a line is paled.
    double palest_line;
    /// Whether memory for pixels was refused: libraries then silently leave out objects.
    bool lacked_memory;
    /// The number of nested glyph procedures.
    int procedures;
} cd_rules;

extern cd_rules cd_current_rules;

/// Cairo's version of a function that is also defined here; looked up once.
#define CD_CAIRO(function)                                               \
    (__extension__({                                                     \
        static __typeof__(&function) own;                                \
        if (!own) own = (__typeof__(&function))cd_cairos_own(#function); \
        own;                                                             \
    }))

/// The address of a function in libcairo.
void *cd_cairos_own(const char *name);

/// Fills the path with the source if that is an image; otherwise returns false. When poppler draws for
/// display rather than for print, it paints an image by filling the unit square with it.
bool cd_fill_with_image(cairo_t *context);

/// Whether an area of some thickness, in pixels, is drawn as a line.
bool cd_is_thin(double thickness);

/// Strokes the path as a line of some width in pixels, by the rules. The matrix must be that of pixels.
void cd_stroke_line(cairo_t *context, double width);

/// Strokes around an area of some thickness, in pixels, so that both together are a line by the rules.
void cd_stroke_around(cairo_t *context, double thickness);

/// The smallest and the largest scale of a matrix.
void cd_scales(const cairo_matrix_t *matrix, double *least, double *most);

#endif
