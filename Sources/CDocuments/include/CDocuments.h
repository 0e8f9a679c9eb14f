// The fence around poppler, librsvg, cairo and qpdf: their objects, their handlers of errors and C++ stay
// behind these functions.
//
// Threading: a process draws one document, from one thread.
// Errors: whatever can fail returns a status; unless that is CD_OK, the message holds one clause of English,
// in lower case, without a full stop. Points are 72 to the inch, from the top left corner of the page as it
// is seen, y down.

#ifndef TILEWRIGHT_CDOCUMENTS_H
#define TILEWRIGHT_CDOCUMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum cd_status {
    CD_OK = 0,
    /// The document is damaged, or is no such document.
    CD_DAMAGED,
    /// It is encrypted, and the password does not open it.
    CD_ENCRYPTED,
    /// It has no such page.
    CD_NO_PAGE,
    /// It has no such layer.
    CD_NO_LAYER,
    /// The system refused memory.
    CD_OUT_OF_MEMORY,
    /// No such drawing is made.
    CD_BAD_REQUEST,
} cd_status;

/// Why a call failed. The caller frees the text, which is NULL without a failure.
///
/// It is no array: Swift takes one as a tuple of its elements, and compiles thousands of them for half a
/// minute.
typedef struct cd_message {
    char *text;
} cd_message;

/// "poppler 22.12.0, cairo 1.16.0, librsvg 2.54.7": the libraries that run. It lives for ever.
const char *cd_libraries(void);

/// Keeps the libraries from printing.
void cd_be_silent(void);

/// Prepares the process: closes open files from a number on, writes no core dump, and gives up what drawing
/// does not need: on Linux, all system calls but those that drawing needs (no network, writing, programs or
/// processes), and all files but those of the system that drawing needs.
void cd_confine(int first_file);

/// Ends the process as soon as the other end of a pipe is closed.
void cd_end_without_reader(int pipe);

/// Bounds memory in bytes, of which at most one call in a process has an effect. If the system refuses more
/// and a library gives up, the last words are written to a pipe, and the process ends.
void cd_bound_memory(int64_t bytes, int pipe, const void *last_words, size_t size);

/// Bounds the seconds of a processor from now on. The process ends by SIGXCPU after them.
void cd_bound_seconds(int64_t seconds);

/// What an attacker might try.
typedef enum cd_attempt {
    CD_ATTEMPT_NETWORK,
    CD_ATTEMPT_WRITING,
    CD_ATTEMPT_PROGRAM,
    CD_ATTEMPT_PROCESS,
    CD_ATTEMPT_OTHER_FILE,
    CD_ATTEMPT_THREAD,
} cd_attempt;

/// Whether an attempt succeeds here.
bool cd_try(cd_attempt attempt);

/// An open page of a document.
typedef struct cd_document cd_document;

typedef struct cd_opening {
    /// The document's bytes; they live longer than the document.
    const void *bytes;
    size_t size;
    /// The page, counted from 1.
    int page;
    /// What opens an encrypted document, or NULL.
    const char *password;
    /// The names of the layers to show, if has_layers; else the document decides.
    const char *const *layers;
    size_t layer_count;
    bool has_layers;
} cd_opening;

cd_status cd_open_pdf(const cd_opening *opening, cd_document **result, cd_message *message);
cd_status cd_open_svg(const cd_opening *opening, cd_document **result, cd_message *message);
void cd_close(cd_document *document);

/// A layer of a document.
typedef struct cd_layer {
    const char *name;
    bool is_shown;
} cd_layer;

typedef struct cd_numbers {
    const double *values;
    size_t count;
} cd_numbers;

typedef struct cd_entry {
    const char *name, *value;
} cd_entry;

/// A part of a page that says where it is on the Earth, as in the document. What is missing is NULL, or 0.
typedef struct cd_viewport {
    /// Whether it is an LGIDict, else a viewport with a measure.
    bool is_lgi;
    const char *name;
    /// For a measure: BBox, Bounds, GPTS, LPTS.
    cd_numbers box, bounds, ground_points, box_points;
    /// For a measure: the Type, EPSG and WKT of its GCS.
    const char *system_type;
    int epsg;
    const char *wkt;
    /// For an LGIDict: CTM, Neatline, and the rows of Registration, four numbers each.
    cd_numbers matrix, neatline, registration;
    /// For an LGIDict: the entries of its Projection; those of nested dictionaries after their names and a
    /// dot.
    const cd_entry *projection;
    size_t projection_count;
} cd_viewport;

/// The description of a page. All it points to lives as long as the document.
typedef struct cd_page {
    int page_count;
    /// In points.
    double width, height;
    /// Pixels to the inch that its author counts in, or 0.
    double resolution;
    /// From the units of the document to points: x' = a x + b y + c, y' = d x + e y + f.
    double points_from_units[6];
    /// The picture that is all of the page, if there are columns, and how many of them make an inch.
    int64_t picture_columns, picture_rows;
    double picture_resolution;
    /// The color in which all of the page is painted first: red, green, blue.
    bool has_sheet_color;
    uint8_t sheet_color[3];
    const cd_layer *layers;
    size_t layer_count;
    const char *const *missing_fonts;
    size_t missing_font_count;
    const char *const *warnings;
    size_t warning_count;
    const cd_viewport *viewports;
    size_t viewport_count;
} cd_page;

cd_page cd_describe(const cd_document *document);

/// What to draw.
typedef struct cd_window {
    /// From points to pixels of the grid: x' = a x + b y + c, y' = d x + e y + f.
    double matrix[6];
    /// The same for all windows together, about: what the page draws is kept by it.
    double base[6];
    /// The window in the grid.
    int64_t column, row;
    int width, height;
    /// The part of the page that counts, in points: left, top, right, bottom.
    double clip[4];
    /// The least width of a line in pixels, or 0: thinner ones are drawn so wide, and as much paler as they
    /// are thinner, but keep at least a share of their opacity.
    double thinnest_line, palest_line;
    /// Whether more windows follow, so that it pays to keep what the page draws.
    bool is_one_of_many;
    bool is_aliased;
} cd_window;

/// Draws a window: pixels of cairo's ARGB32, rows without gaps, which live until the next call.
cd_status cd_draw(
    cd_document *document, const cd_window *window, const uint32_t **pixels, cd_message *message);

#endif
