#ifndef TILEWRIGHT_CD_RULES_H
#define TILEWRIGHT_CD_RULES_H

#include <cairo.h>
#include <stdbool.h>

// What a drawing asks of the functions of cairo that this program defines in the place of cairo's own. An
// executable's symbols go before a library's: poppler, librsvg and pango call these. Where a system binds
// symbols otherwise, they are not called, and documents are drawn as the libraries alone do it.

/// The rules of the drawing that is under way.
typedef struct cd_rules {
    bool is_drawing;
    /// Whether poppler draws.
    bool is_pdf;
    bool is_aliased;
    /// The least width of a line in pixels: thinner ones are drawn so wide, and paler.
    double thinnest_line;
    /// What a line keeps of its opacity at least.
    double palest_line;
    /// Whether there was no memory for pixels: libraries leave out what needs them, and say nothing.
    bool lacked_memory;
    /// Procedures of glyphs that run within one another.
    int procedures;
} cd_rules;

extern cd_rules cd_current_rules;

/// A function of cairo's own that is defined here too; looked up once.
#define CD_CAIRO(function)                                               \
    (__extension__({                                                     \
        static __typeof__(&function) own;                                \
        if (!own) own = (__typeof__(&function))cd_cairos_own(#function); \
        own;                                                             \
    }))

/// The address of a function in libcairo.
void *cd_cairos_own(const char *name);

/// Fills the path with an image, as poppler does on a screen with the unit square; false if the source is
/// none.
bool cd_fill_with_image(cairo_t *context);

/// Whether an area of some thickness, in pixels, is drawn as a line.
bool cd_is_thin(double thickness);

/// Strokes the path as a line of some width, in pixels, by the rules; the matrix is that of pixels.
void cd_stroke_line(cairo_t *context, double width);

/// Strokes around an area of some thickness, in pixels, so that both together are a line by the rules.
void cd_stroke_around(cairo_t *context, double thickness);

/// How much a matrix enlarges where it enlarges least, and where most.
void cd_scales(const cairo_matrix_t *matrix, double *least, double *most);

#endif
