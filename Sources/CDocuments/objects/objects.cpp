#include "objects.h"
#include "../document.h"

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <memory>
#include <new>
#include <qpdf/Buffer.hh>
#include <qpdf/QPDFExc.hh>
#include <qpdf/QPDFPageDocumentHelper.hh>
#include <qpdf/QPDFWriter.hh>
#include <qpdf/QUtil.hh>

static int turnsOf(QPDFPageObjectHelper &page) {
    auto rotation = page.getAttribute("/Rotate", false);
    if (!rotation.isInteger()) return 0;
    auto degrees = rotation.getIntValue() % 360;
    if (degrees < 0) degrees += 360;
    return degrees % 90 == 0 ? static_cast<int>(degrees / 90) : 0;
}

static double userUnitOf(QPDFPageObjectHelper &page) {
    auto unit = page.getObjectHandle().getKey("/UserUnit");
    double value = unit.isNumber() ? unit.getNumericValue() : 1;
    // With more, a page would be larger than cairo can draw. ISO 32000 requires a positive number.
    return std::isfinite(value) && value > 0 && value <= 1e6 ? value : 1;
}

/* Runs a step. If its objects are damaged, the step is abandoned. */
template <class Step> static void attempt(Step step) {
    try {
        step();
    } catch (const std::exception &) {}
}

static void readUnits(std::vector<QPDFPageObjectHelper> &pages, int count, Objects &objects) {
    for (auto &page : pages) {
        if (objects.pageUnits.size() >= static_cast<size_t>(count)) break;
        objects.pageUnits.push_back(userUnitOf(page));
    }
    objects.page_units = objects.pageUnits.data();
    objects.page_unit_count = objects.pageUnits.size();
}

static void read(QPDF &document, const cd_objects_place &place, Objects &objects) {
    auto pages = QPDFPageDocumentHelper(document).getAllPages();
    auto &page = pages.at(static_cast<size_t>(place.page - 1));
    objects.turns = turnsOf(page);
    objects.user_unit = userUnitOf(page);
    attempt([&] { readResources(page, objects); });
    attempt([&] { readContents(page, place, objects); });
    attempt([&] { readViewports(page.getObjectHandle(), objects); });
    attempt([&] { readUsages(document, objects); });
    attempt([&] { readUnits(pages, place.listed_pages, objects); });
}

cd_objects *cd_objects_read(const void *bytes, size_t size, const cd_objects_place *place) {
    try {
        QPDF document;
        document.setSuppressWarnings(true);
        document.processMemoryFile("document", static_cast<const char *>(bytes), size);
        auto objects = std::make_unique<Objects>();
        read(document, *place, *objects);
        return objects.release();
    } catch (const std::exception &) { return nullptr; }
}

void cd_objects_free(cd_objects *objects) { delete static_cast<Objects *>(objects); }

void cd_objects_describe(const cd_objects *known, cd_page *page) {
    auto objects = static_cast<const Objects *>(known);
    if (objects->picture.columns > 0) {
        page->picture_columns = objects->picture.columns;
        page->picture_rows = objects->picture.rows;
        page->picture_resolution = objects->picture.perUnit / objects->user_unit * 72;
    }
    page->has_sheet_color = objects->sheetColor.has_value();
    if (objects->sheetColor)
        for (size_t channel = 0; channel < 3; channel++)
            page->sheet_color[channel] = (*objects->sheetColor)[channel];
    page->missing_fonts = objects->missingFonts.data();
    page->missing_font_count = objects->missingFonts.size();
    page->viewports = objects->viewports.data();
    page->viewport_count = objects->viewports.size();
}

// Encryption

static void write(QPDF &document, void **copy, size_t *size) {
    QPDFWriter writer(document);
    writer.setOutputMemory();
    writer.setPreserveEncryption(false);
    // The content of streams is not changed.
    writer.setStreamDataMode(qpdf_s_preserve);
    writer.write();
    std::unique_ptr<Buffer> buffer(writer.getBuffer());
    *size = buffer->getSize();
    *copy = std::malloc(*size);
    if (!*copy) throw std::bad_alloc();
    std::memcpy(*copy, buffer->getBuffer(), *size);
}

/* Whether a password opened the document. */
static bool unlocks(const cd_opening *opening, const std::string &password, void **copy, size_t *size) {
    try {
        QPDF document;
        document.setSuppressWarnings(true);
        document.processMemoryFile(
            "document", static_cast<const char *>(opening->bytes), opening->size, password.c_str());
        write(document, copy, size);
        return true;
    } catch (const QPDFExc &error) {
        if (error.getErrorCode() == qpdf_e_password) return false;
        throw;
    }
}

cd_status cd_unlock(const cd_opening *opening, void **copy, size_t *size, cd_message *message) {
    try {
        // Older documents use Latin encodings of passwords, newer ones UTF-8.
        for (const auto &password : QUtil::possible_repaired_encodings(opening->password))
            if (unlocks(opening, password, copy, size)) return CD_OK;
        return cd_fail(message, CD_ENCRYPTED, "it is encrypted, and the password does not open it");
    } catch (const std::bad_alloc &) {
        return cd_fail(message, CD_OUT_OF_MEMORY, "there is not enough memory to decrypt it");
    } catch (const std::exception &) { return cd_fail(message, CD_DAMAGED, "it is encrypted, and damaged"); }
}
