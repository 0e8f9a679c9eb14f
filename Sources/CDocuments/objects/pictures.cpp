#include "pictures.h"

// What of a page may stay free around a picture, or between its strips.
static const double mostFree = 0.01;
// Resolutions of strips that were rounded by themselves.
static const double mostDifference = 0.002;

static bool isAlike(double one, double other) { return std::fabs(one - other) <= mostDifference * other; }

Picture pictureOf(const std::vector<PlacedImage> &images, const Box &page, int turns) {
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
