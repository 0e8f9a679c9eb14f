#include "painting.h"

#include <string>

// A painted sheet may miss the page's edge by this number of the document's units.
static const double hair = 0.05;
// The limit for strips of a scan.
static const size_t mostImages = 20000;

std::optional<Box> Path::rectangle() const {
    auto around = corners;
    auto isSame = [](double one, double other) { return std::fabs(one - other) <= hair / 2; };
    if (around.size() == 5 && isSame(around[0].first, around[4].first)
        && isSame(around[0].second, around[4].second))
        around.pop_back();
    if (hasOther || around.size() != 4) return {};
    // From each corner to the next, x and y change in turn.
    bool changesX = isSame(around[0].second, around[1].second);
    for (size_t index = 0; index < 4; index++, changesX = !changesX) {
        auto from = around[index], to = around[(index + 1) % 4];
        if (!(changesX ? isSame(from.second, to.second) : isSame(from.first, to.first))) return {};
    }
    auto xs = std::minmax(around[0].first, around[2].first);
    auto ys = std::minmax(around[0].second, around[2].second);
    return Box{xs.first, ys.first, xs.second, ys.second};
}

void Painting::fill() {
    auto box = path.rectangle();
    bool coversAll = box && box->covers(page, hair) && state.isClipKnown && state.clip.covers(page, hair);
    if (images.empty() && coversAll && state.isOpaque) sheet = state.color;
    paint();
}

void Painting::image(double columns, double rows) {
    const Matrix &m = state.matrix;
    if (!m.keepsAxes() || !state.isClipKnown || !(columns > 0 && rows > 0) || images.size() >= mostImages) {
        paint();
        return;
    }
    Box box = Box{0, 0, 1, 1}.mapped(m);
    if (!m.isUpright()) std::swap(columns, rows);
    images.push_back({box, box.intersected(state.clip), columns, rows});
}

void Painting::endPath() {
    if (path.isClip) {
        if (auto box = path.rectangle())
            state.clip = state.clip.intersected(*box);
        else
            state.isClipKnown = false;
    }
    path = {};
}

// Pictures

// The share of a page that may stay free around a picture, or between its strips.
static const double mostFree = 0.01;
// The most by which resolutions of strips may differ, since each is rounded separately.
static const double mostDifference = 0.002;

static bool isAlike(double one, double other) { return std::fabs(one - other) <= mostDifference * other; }

Picture Painting::picture(int turns) const {
    if (images.empty()) return {};
    double perX = images[0].across / (images[0].box.right - images[0].box.left);
    double perY = images[0].along / (images[0].box.top - images[0].box.bottom);
    Box all = images[0].box;
    double area = 0, seen = 0;
    for (const auto &image : images) {
        double width = image.box.right - image.box.left, height = image.box.top - image.box.bottom;
        if (!isAlike(image.across / width, perX) || !isAlike(image.along / height, perY)) return {};
        all = all.united(image.box);
        area += image.box.area();
        seen += image.seen.intersected(page).area();
    }
    bool isWhole = std::fabs(area - all.area()) <= mostFree * all.area();
    if (!isWhole || seen < (1 - mostFree) * page.area() || seen > (1 + mostFree) * page.area()) return {};
    auto across = static_cast<int64_t>(std::llround(perX * (all.right - all.left)));
    auto along = static_cast<int64_t>(std::llround(perY * (all.top - all.bottom)));
    if (turns % 2) return {along, across, perY};
    return {across, along, perX};
}

// Colors

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

std::optional<std::vector<double>> numbersOf(const std::vector<QPDFObjectHandle> &operands) {
    std::vector<double> values;
    for (auto operand : operands) {
        if (!operand.isNumber()) return {};
        values.push_back(operand.getNumericValue());
    }
    return values;
}

std::optional<Color> colorOf(const std::vector<QPDFObjectHandle> &operands, int components) {
    auto known = numbersOf(operands);
    if (!known || operands.size() != static_cast<size_t>(components)) return {};
    const auto &values = *known;
    if (components == 1) return Color{sample(values[0]), sample(values[0]), sample(values[0])};
    if (components == 3) return Color{sample(values[0]), sample(values[1]), sample(values[2])};
    // For CMYK, "no ink" is the only colour that is the same in all conversions.
    bool isBlank =
        components == 4 && std::all_of(values.begin(), values.end(), [](double v) { return v == 0; });
    return isBlank ? std::optional(Color{255, 255, 255}) : std::nullopt;
}
