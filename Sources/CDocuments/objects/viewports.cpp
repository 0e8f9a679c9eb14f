#include "objects.h"

#include <cmath>
#include <cstdlib>

namespace {

// A limit for the entries of any list; longer lists are ignored.
const int mostViewports = 256;
const int mostNumbers = 16384;
const size_t mostText = 1 << 16;

/// A number. In some maps, numbers of an LGIDict are strings.
std::optional<double> numberOf(QPDFObjectHandle object) {
    double value = NAN;
    if (object.isNumber())
        value = object.getNumericValue();
    else if (object.isString()) {
        auto text = object.getStringValue();
        char *end = nullptr;
        value = std::strtod(text.c_str(), &end);
        if (end == text.c_str() || *end) return {};
    }
    return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

/// The numbers of an array; empty if an element is not a number.
std::vector<double> numbersOf(QPDFObjectHandle array) {
    std::vector<double> numbers;
    if (!array.isArray() || array.getArrayNItems() > mostNumbers) return {};
    for (auto item : array.aitems()) {
        auto number = numberOf(item);
        if (!number) return {};
        numbers.push_back(*number);
    }
    return numbers;
}

/// A string, a name or a number, as text.
std::string textOf(QPDFObjectHandle object) {
    std::string text;
    if (object.isString())
        text = object.getUTF8Value();
    else if (object.isName())
        text = object.getName().substr(1);
    else if (object.isInteger())
        text = std::to_string(object.getIntValue());
    else if (object.isReal())
        text = object.getRealValue();
    return text.size() <= mostText ? text : "";
}

/// Reads into the lists of a page.
class Reader {
  public:
    explicit Reader(Objects &objects) : objects(objects) {}

    void readMeasures(QPDFObjectHandle viewports) {
        if (!viewports.isArray()) return;
        for (auto viewport : viewports.aitems())
            if (viewport.isDictionary() && hasRoom()) readMeasure(viewport);
    }

    void readDictionaries(QPDFObjectHandle dictionaries) {
        if (dictionaries.isDictionary()) readDictionary(dictionaries);
        if (!dictionaries.isArray()) return;
        for (auto dictionary : dictionaries.aitems())
            if (dictionary.isDictionary() && hasRoom()) readDictionary(dictionary);
    }

  private:
    Objects &objects;

    bool hasRoom() const { return objects.viewports.size() < mostViewports; }

    cd_numbers numbers(QPDFObjectHandle array) { return objects.keep.numbers(numbersOf(array)); }

    const char *text(QPDFObjectHandle object) {
        auto text = textOf(object);
        return text.empty() ? nullptr : objects.keep.text(text);
    }

    void readMeasure(QPDFObjectHandle viewport) {
        auto measure = viewport.getKey("/Measure");
        if (!measure.isDictionary() || !measure.getKey("/Subtype").isNameAndEquals("/GEO")) return;
        cd_viewport result = {};
        result.name = text(viewport.getKey("/Name"));
        result.box = numbers(viewport.getKey("/BBox"));
        result.bounds = numbers(measure.getKey("/Bounds"));
        result.ground_points = numbers(measure.getKey("/GPTS"));
        result.box_points = numbers(measure.getKey("/LPTS"));
        readSystem(measure.getKey("/GCS"), result);
        objects.viewports.push_back(result);
    }

    void readSystem(QPDFObjectHandle system, cd_viewport &result) {
        if (!system.isDictionary()) return;
        result.system_type = text(system.getKey("/Type"));
        result.wkt = text(system.getKey("/WKT"));
        if (auto number = system.getKey("/EPSG"); number.isInteger()) result.epsg = number.getIntValueAsInt();
    }

    void readDictionary(QPDFObjectHandle dictionary) {
        cd_viewport result = {};
        result.is_lgi = true;
        result.name = text(dictionary.getKey("/Description"));
        result.matrix = numbers(dictionary.getKey("/CTM"));
        result.neatline = numbers(dictionary.getKey("/Neatline"));
        result.registration = objects.keep.numbers(registrationOf(dictionary.getKey("/Registration")));
        auto &entries = objects.projections.emplace_back();
        addEntries(dictionary.getKey("/Projection"), "", entries);
        result.projection = entries.data();
        result.projection_count = entries.size();
        objects.viewports.push_back(result);
    }

    static std::vector<double> registrationOf(QPDFObjectHandle rows) {
        std::vector<double> result;
        if (!rows.isArray() || rows.getArrayNItems() > mostNumbers / 4) return {};
        for (auto row : rows.aitems()) {
            auto numbers = numbersOf(row);
            if (numbers.size() != 4) return {};
            result.insert(result.end(), numbers.begin(), numbers.end());
        }
        return result;
    }

    void addEntries(QPDFObjectHandle dictionary, const std::string &prefix, std::vector<cd_entry> &entries) {
        if (!dictionary.isDictionary() || prefix.size() > 64) return;
        for (const auto &[key, value] : dictionary.ditems()) {
            auto name = prefix + key.substr(1);
            if (auto text = textOf(value); !text.empty() && entries.size() < 256)
                entries.push_back({objects.keep.text(name), objects.keep.text(text)});
            addEntries(value, name + ".", entries);
        }
    }
};

}  // namespace

void readViewports(QPDFObjectHandle page, Objects &objects) {
    Reader reader(objects);
    reader.readMeasures(page.getKey("/VP"));
    reader.readDictionaries(page.getKey("/LGIDict"));
}
