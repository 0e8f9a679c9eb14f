#include "colors.h"

#include <algorithm>
#include <cmath>

static int componentsOfName(const std::string &name) {
    if (name == "/DeviceGray" || name == "/G" || name == "/CalGray") return 1;
    if (name == "/DeviceRGB" || name == "/RGB" || name == "/CalRGB") return 3;
    if (name == "/DeviceCMYK" || name == "/CMYK") return 4;
    return 0;
}

int componentsOf(QPDFObjectHandle space, QPDFObjectHandle spacesOfResources) {
    if (space.isName()) {
        int known = componentsOfName(space.getName());
        if (known || !spacesOfResources.isDictionary()) return known;
        space = spacesOfResources.getKey(space.getName());
        if (space.isName()) return componentsOfName(space.getName());
    }
    if (!space.isArray() || space.getArrayNItems() < 2 || !space.getArrayItem(0).isName()) return 0;
    auto kind = space.getArrayItem(0).getName();
    if (kind != "/ICCBased") return componentsOfName(kind);
    auto profile = space.getArrayItem(1);
    auto count = profile.isStream() ? profile.getDict().getKey("/N") : QPDFObjectHandle::newNull();
    return count.isInteger() ? count.getIntValueAsInt() : 0;
}

static uint8_t sample(double value) {
    return static_cast<uint8_t>(std::lround(std::clamp(value, 0.0, 1.0) * 255));
}

std::optional<Color> colorOf(const std::vector<QPDFObjectHandle> &operands, int components) {
    if (operands.size() != static_cast<size_t>(components)) return {};
    std::vector<double> values;
    for (auto operand : operands) {
        if (!operand.isNumber()) return {};
        values.push_back(operand.getNumericValue());
    }
    if (components == 1) return Color{sample(values[0]), sample(values[0]), sample(values[0])};
    if (components == 3) return Color{sample(values[0]), sample(values[1]), sample(values[2])};
    // Of inks, no ink is the only one that all mix alike.
    bool isBlank =
        components == 4 && std::all_of(values.begin(), values.end(), [](double v) { return v == 0; });
    return isBlank ? std::optional(Color{255, 255, 255}) : std::nullopt;
}
