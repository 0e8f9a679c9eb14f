#ifndef TILEWRIGHT_CD_FACTS_H
#define TILEWRIGHT_CD_FACTS_H

#include "objects.h"

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
