// Wraps poppler, librsvg, cairo and qpdf. These functions hide the libraries' objects, error handlers and
// C++.
//
// Threading: a process draws one document, from one thread.
// Errors: a function that can fail returns a status. Unless the status is CD_OK, the message is one English
// clause, in lower case, without a full stop.
// Points: 72 to the inch, from the top left corner of the page as it is displayed, y down.

#ifndef TILEWRIGHT_CDOCUMENTS_H
#define TILEWRIGHT_CDOCUMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum cd_status {
    CD_OK = 0,
    /// The document is damaged, or not of the expected format.
    CD_DAMAGED,
    /// The document is encrypted, and the password does not open it.
    CD_ENCRYPTED,
    /// The document does not have the page.
    CD_NO_PAGE,
    /// The document does not have a layer of that name.
    CD_NO_LAYER,
    /// The system refused memory.
    CD_OUT_OF_MEMORY,
    /// The request asks for a drawing beyond the limits.
    CD_BAD_REQUEST,
} cd_status;

/// The reason why a call failed. The caller frees the text, which is NULL without a failure.  The text is a
/// pointer, since Swift imports an array as a tuple, and takes half a minute to compile thousands of
/// elements.
typedef struct cd_message {
    char *text;
} cd_message;

/// The versions of the loaded libraries: "poppler 22.12.0, cairo 1.16.0, librsvg 2.54.7". Never freed.
const char *cd_libraries(void);

/// Keeps the libraries from printing.
void cd_be_silent(void);

/// Ends the process as soon as the other end of a pipe is closed.
void cd_end_without_reader(int pipe);

/// Limits memory to a number of bytes. A process should call this at most once. If the system refuses memory
/// and a library gives up, `last_words` are written to `pipe`, and the process ends.
void cd_bound_memory(int64_t bytes, int pipe, const void *last_words, size_t size);

/// Limits the CPU time from now on, in seconds. Then SIGXCPU ends the process.
void cd_bound_seconds(int64_t seconds);

/// An open page of a document.
typedef struct cd_document cd_document;

typedef struct cd_opening {
    /// The document's bytes; they live longer than the document.
    const void *bytes;
    size_t size;
    /// The page, counted from 1.
    int page;
    /// The password of an encrypted document, or NULL.
    const char *password;
    /// If has_layers, the names of the layers to show; otherwise, the document's default layers are shown.
    const char *const *layers;
    size_t layer_count;
    bool has_layers;
    /// Whether the description lists all pages of a PDF.
    bool lists_pages;
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

/// A part of a page with a georeference, with the values of the document. Missing values are NULL or 0.
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
    /// For an LGIDict: the entries of its Projection. For nested dictionaries, the name of an entry is
    /// DICTIONARY.ENTRY.
    const cd_entry *projection;
    size_t projection_count;
} cd_viewport;

/// A page in the list of all pages: its size in points; the first letters of its label and of its bookmark,
/// or NULL.
typedef struct cd_page_entry {
    double width, height;
    const char *label, *bookmark;
} cd_page_entry;

/// The description of a page. Its pointers are valid as long as the document.
typedef struct cd_page {
    int page_count;
    /// In points.
    double width, height;
    /// Pixels per inch if the document counts in pixels, or 0.
    double resolution;
    /// From the units of the document to points: x' = a x + b y + c, y' = d x + e y + f.
    double points_from_units[6];
    /// If picture_columns is not 0: the size and the resolution (columns per inch) of the one picture that
    /// fills the page.
    int64_t picture_columns, picture_rows;
    double picture_resolution;
    /// The colour with which the whole page is painted first: red, green, blue.
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
    /// The first pages of the document, or NULL.
    const cd_page_entry *pages;
    size_t listed_page_count;
} cd_page;

cd_page cd_describe(const cd_document *document);

/// A window to draw.
typedef struct cd_window {
    /// From points to pixels of the grid: x' = a x + b y + c, y' = d x + e y + f.
    double matrix[6];
    /// Approximately the same matrix, shared by all windows, for which the drawing of the page is cached.
    double base[6];
    /// The window in the grid.
    int64_t column, row;
    int width, height;
    /// The part of the page that is drawn, in points: left, top, right, bottom.
    double clip[4];
    /// The minimum width of a line in pixels, or 0. A thinner line is drawn with this width, and paler in
    /// proportion, but keeps at least the share `palest_line` of its opacity.
    double thinnest_line, palest_line;
    /// Whether more windows follow, so that caching the page's drawing saves time.
    bool is_one_of_many;
    bool is_aliased;
} cd_window;

/// Draws a window. The pixels are cairo's ARGB32, rows without gaps, and are valid until the next call.
cd_status cd_draw(
    cd_document *document, const cd_window *window, const uint32_t **pixels, cd_message *message);

#endif
