#include "objects.h"

#include <algorithm>
#include <map>
#include <set>

// Images, masks and fonts

namespace {

/// Walks through resources, and through the resources of the objects that they name.
class Walk {
  public:
    explicit Walk(Objects &objects) : objects(objects) {}

    void visit(QPDFObjectHandle resources) {
        // No document nests forms deeper; isNew ends loops.
        if (!resources.isDictionary() || depth > 32) return;
        depth++;
        each(resources, "/XObject", [&](QPDFObjectHandle object) { visitObject(object); });
        each(resources, "/Pattern", [&](QPDFObjectHandle object) { visitStream(object); });
        each(resources, "/ExtGState", [&](QPDFObjectHandle state) { visitState(state); });
        each(resources, "/Font", [&](QPDFObjectHandle font) { visitFont(font); });
        depth--;
    }

    void visitAnnotations(QPDFObjectHandle annotations) {
        if (!annotations.isArray()) return;
        for (auto annotation : annotations.aitems())
            if (annotation.isDictionary()) visitAppearance(annotation.getKey("/AP"));
    }

    std::set<std::string> missingFonts;

  private:
    Objects &objects;
    std::set<QPDFObjGen> visited;
    int depth = 0;

    template <class Body> void each(QPDFObjectHandle resources, const char *kind, Body body) {
        auto named = resources.getKey(kind);
        if (!named.isDictionary()) return;
        for (const auto &[name, object] : named.ditems())
            if (isNew(object)) body(object);
    }

    bool isNew(QPDFObjectHandle object) {
        return !object.isIndirect() || visited.insert(object.getObjGen()).second;
    }

    void visitObject(QPDFObjectHandle object) {
        if (!object.isStream()) return;
        if (object.isImage(false)) {
            auto dictionary = object.getDict();
            for (auto key : {"/Width", "/Height"})
                if (auto size = dictionary.getKey(key); size.isInteger())
                    objects.largest_image = std::max<int64_t>(objects.largest_image, size.getIntValue());
        } else {
            visitStream(object);
        }
    }

    void visitStream(QPDFObjectHandle object) {
        if (object.isStream()) visit(object.getDict().getKey("/Resources"));
    }

    void visitState(QPDFObjectHandle state) {
        if (!state.isDictionary()) return;
        auto mask = state.getKey("/SMask");
        if (!mask.isDictionary()) return;
        if (!mask.getKey("/S").isNameAndEquals("/Alpha") || !mask.getKey("/TR").isNull())
            objects.has_masks_of_light = true;
        visitStream(mask.getKey("/G"));
    }

    void visitAppearance(QPDFObjectHandle appearance) {
        if (!appearance.isDictionary()) return;
        auto normal = appearance.getKey("/N");
        if (isNew(normal)) visitStream(normal);
        if (!normal.isStream() && normal.isDictionary())
            for (const auto &[name, object] : normal.ditems())
                if (isNew(object)) visitStream(object);
    }

    void visitFont(QPDFObjectHandle font) {
        if (!font.isDictionary()) return;
        if (font.getKey("/Subtype").isNameAndEquals("/Type3")) {
            visit(font.getKey("/Resources"));
            return;
        }
        auto descendants = font.getKey("/DescendantFonts");
        auto described =
            descendants.isArray() && descendants.getArrayNItems() > 0 ? descendants.getArrayItem(0) : font;
        if (!described.isDictionary() || isEmbedded(described.getKey("/FontDescriptor"))) return;
        if (auto name = font.getKey("/BaseFont"); name.isName())
            missingFonts.insert(name.getName().substr(1));
    }

    static bool isEmbedded(QPDFObjectHandle descriptor) {
        if (!descriptor.isDictionary()) return false;
        return descriptor.hasKey("/FontFile") || descriptor.hasKey("/FontFile2")
            || descriptor.hasKey("/FontFile3");
    }
};

}  // namespace

void readResources(QPDFPageObjectHelper &page, Objects &objects) {
    Walk walk(objects);
    walk.visit(page.getAttribute("/Resources", false));
    walk.visitAnnotations(page.getObjectHandle().getKey("/Annots"));
    for (const auto &name : walk.missingFonts) objects.missingFonts.push_back(objects.keep.text(name));
}

// Layers

namespace {

// A limit for the entries of an array; longer arrays are ignored.
const int mostEntries = 65536;

bool isName(QPDFObjectHandle object, const char *name) { return object.isName() && object.getName() == name; }

/// Whether a layer's usage for a category shows the layer; nothing if the usage lacks the category.
std::optional<bool> stateIn(QPDFObjectHandle layer, const std::string &category) {
    static const std::map<std::string, std::string> keys = {
        {"/View", "/ViewState"}, {"/Print", "/PrintState"}, {"/Export", "/ExportState"}};
    auto key = keys.find(category);
    if (key == keys.end() || !layer.isDictionary()) return {};
    auto usage = layer.getKey("/Usage");
    auto entry = usage.isDictionary() ? usage.getKey(category) : usage;
    if (!entry.isDictionary()) return {};
    auto state = entry.getKey(key->second);
    if (isName(state, "/ON")) return true;
    if (isName(state, "/OFF")) return false;
    return {};
}

/// A layer is shown if all categories in its usage show it.
std::optional<bool> stateOf(QPDFObjectHandle layer, QPDFObjectHandle categories) {
    std::optional<bool> shown;
    for (auto category : categories.aitems())
        if (category.isName())
            if (auto state = stateIn(layer, category.getName())) shown = shown.value_or(true) && *state;
    return shown;
}

bool isShortArray(QPDFObjectHandle object) {
    return object.isArray() && object.getArrayNItems() <= mostEntries;
}

}  // namespace

void readUsages(QPDF &document, Objects &objects) {
    auto properties = document.getRoot().getKey("/OCProperties");
    if (!properties.isDictionary()) return;
    auto configuration = properties.getKey("/D");
    auto rules = configuration.isDictionary() ? configuration.getKey("/AS") : configuration;
    if (!isShortArray(rules)) return;
    // Layers with the same name are treated as one.
    std::map<std::string, bool> states;
    for (auto rule : rules.aitems()) {
        if (!rule.isDictionary() || !isName(rule.getKey("/Event"), "/View")) continue;
        auto layers = rule.getKey("/OCGs"), categories = rule.getKey("/Category");
        if (!isShortArray(layers) || !isShortArray(categories)) continue;
        for (auto layer : layers.aitems()) {
            auto state = stateOf(layer, categories);
            auto name = layer.isDictionary() ? layer.getKey("/Name") : layer;
            if (!state || !name.isString()) continue;
            auto known = states.emplace(name.getUTF8Value(), *state);
            known.first->second |= *state;
        }
    }
    for (const auto &[name, isShown] : states) objects.layers.push_back({objects.keep.text(name), isShown});
    objects.usages = objects.layers.data();
    objects.usage_count = objects.layers.size();
}
