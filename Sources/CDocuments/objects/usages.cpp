#include "usages.h"

#include <map>

namespace {

// More than a document has of anything; what is beyond is left as it is.
const int mostEntries = 65536;

bool isName(QPDFObjectHandle object, const char *name) { return object.isName() && object.getName() == name; }

/// What a layer's usage says of a category; nothing if it does not.
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

/// A layer is shown if all categories that say something of it show it.
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

void readUsages(QPDF &document, cd_objects &objects) {
    auto properties = document.getRoot().getKey("/OCProperties");
    if (!properties.isDictionary()) return;
    auto configuration = properties.getKey("/D");
    auto rules = configuration.isDictionary() ? configuration.getKey("/AS") : configuration;
    if (!isShortArray(rules)) return;
    // Layers of one name are one to whoever chooses them.
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
    for (const auto &[name, isShown] : states) objects.usages.push_back({objects.keep.text(name), isShown});
}
