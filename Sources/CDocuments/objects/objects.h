#ifndef TILEWRIGHT_CD_OBJECTS_H
#define TILEWRIGHT_CD_OBJECTS_H

#include "CDocuments.h"

#ifdef __cplusplus
extern "C" {
#endif

// Properties of a page that poppler does not provide: qpdf reads them from the document's objects.

/// Properties from the objects of a page.
typedef struct cd_objects {
    /// The rotation of the displayed page in quarter turns, clockwise: 0 to 3.
    int turns;
    /// Points per unit of the document: 1 except for very large sheets.
    double user_unit;
    /// Whether the page has luminosity masks, which poppler computes from pixels.
    bool has_masks_of_light;
    /// The maximum number of rows or columns of its images.
    int64_t largest_image;
    /// The layers that are shown or hidden on a screen by their usages.
    const cd_layer *usages;
    size_t usage_count;
    /// The points per unit of the listed pages.
    const double *page_units;
    size_t page_unit_count;
} cd_objects;

typedef struct cd_objects_place {
    /// A page of the document, counted from 1.
    int page;
    /// Its visible part, in units of the document: left, bottom, right, top.
    double box[4];
    /// The number of pages whose units are read too, from the first page on.
    int listed_pages;
} cd_objects_place;

/// Reads a page's objects; NULL if qpdf cannot.
cd_objects *cd_objects_read(const void *bytes, size_t size, const cd_objects_place *place);

/// Makes a decrypted copy of an encrypted document with its password; the caller must free the copy.
cd_status cd_unlock(const cd_opening *opening, void **copy, size_t *size, cd_message *message);

void cd_objects_free(cd_objects *objects);

/// Adds picture, sheet colour, fonts and viewports to a page. They live as long as the objects.
void cd_objects_describe(const cd_objects *objects, cd_page *page);

#ifdef __cplusplus
}

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <qpdf/QPDF.hh>
#include <qpdf/QPDFObjectHandle.hh>
#include <qpdf/QPDFPageObjectHelper.hh>
#include <string>
#include <vector>

/// Owns the memory to which C structs point.
class Keep {
  public:
    const char *text(const std::string &text) { return texts.emplace_back(text).c_str(); }

    cd_numbers numbers(const std::vector<double> &values) {
        const auto &kept = lists.emplace_back(values);
        return {kept.data(), kept.size()};
    }

  private:
    std::deque<std::string> texts;
    std::deque<std::vector<double>> lists;
};

/// A picture that fills the whole page, as displayed.
struct Picture {
    int64_t columns = 0, rows = 0;
    /// Columns per unit of the document.
    double perUnit = 0;
};

/// The objects, with the properties of the page.
struct Objects : cd_objects {
    Objects() : cd_objects{} {}

    Keep keep;
    Picture picture;
    std::optional<std::array<uint8_t, 3>> sheetColor;
    std::vector<const char *> missingFonts;
    std::vector<cd_viewport> viewports;
    std::vector<cd_layer> layers;
    std::vector<double> pageUnits;
    /// Arrays to which the viewports point.
    std::deque<std::vector<cd_entry>> projections;
};

// The steps of reading

/// Reads the content of a page, until it is known whether the page is a single picture, and which colour it
/// paints first.
void readContents(QPDFPageObjectHelper &page, const cd_objects_place &place, Objects &objects);

/// Reads the resources of a page: images, masks, and fonts that are not embedded.
void readResources(QPDFPageObjectHelper &page, Objects &objects);

/// Reads which layers are shown or hidden by their usages (ISO 32000, 8.11.4.4).
void readUsages(QPDF &document, Objects &objects);

/// Reads the georeferencing of a page: ISO 32000-2, 12.10, and OGC 08-139.
void readViewports(QPDFObjectHandle page, Objects &objects);

#endif

#endif
