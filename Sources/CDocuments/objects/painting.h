#ifndef TILEWRIGHT_CD_PAINTING_H
#define TILEWRIGHT_CD_PAINTING_H

#include "objects.h"

#include <algorithm>
#include <cmath>
#include <utility>

/// A matrix as PDF writes it: x' = a x + c y + e, y' = b x + d y + f.
struct Matrix {
    double a = 1, b = 0, c = 0, d = 1, e = 0, f = 0;

    /// This matrix, followed by another one.
    Matrix then(const Matrix &o) const {
        return {a * o.a + b * o.c, a * o.b + b * o.d,       c * o.a + d * o.c,
                c * o.b + d * o.d, e * o.a + f * o.c + o.e, e * o.b + f * o.d + o.f};
    }

    /// Whether lines along the axes stay along the axes, possibly turned by a quarter.
    bool keepsAxes() const { return isNone(b, c) || isNone(a, d); }
    bool isUpright() const { return isNone(b, c); }

  private:
    // The tolerance of 1e-6 is a thousandth of a pixel across a page that is 1000 pixels wide.
    bool isNone(double one, double other) const {
        double most = std::max({std::fabs(a), std::fabs(b), std::fabs(c), std::fabs(d)});
        return std::max(std::fabs(one), std::fabs(other)) <= most * 1e-6;
    }
};

/// A rectangle along the axes.
struct Box {
    double left = 0, bottom = 0, right = 0, top = 0;

    double area() const { return std::max(0.0, right - left) * std::max(0.0, top - bottom); }

    Box intersected(const Box &o) const {
        return {
            std::max(left, o.left), std::max(bottom, o.bottom), std::min(right, o.right),
            std::min(top, o.top)};
    }

    Box united(const Box &o) const {
        return {
            std::min(left, o.left), std::min(bottom, o.bottom), std::max(right, o.right),
            std::max(top, o.top)};
    }

    /// Whether another box is inside, with a tolerance of `hair`.
    bool covers(const Box &o, double hair) const {
        return left <= o.left + hair && bottom <= o.bottom + hair && right >= o.right - hair
            && top >= o.top - hair;
    }

    /// The bounding box of this rectangle after a matrix is applied.
    Box mapped(const Matrix &m) const {
        double xs[] = {left, right}, ys[] = {bottom, top};
        Box result = {HUGE_VAL, HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
        for (double x : xs)
            for (double y : ys) {
                double u = m.a * x + m.c * y + m.e, v = m.b * x + m.d * y + m.f;
                result = result.united({u, v, u, v});
            }
        return result;
    }
};

/// An image on a page, in units of the document.
struct PlacedImage {
    Box box;
    /// Its visible part.
    Box seen;
    /// Its pixels along the document's x and y.
    double across = 0, along = 0;
};

// Colours

using Color = std::array<uint8_t, 3>;

/// The number of components of a colour space, if it is gray, RGB or CMYK; else 0.
int componentsOf(QPDFObjectHandle space, QPDFObjectHandle spacesOfResources);

/// The operands, if all are numbers.
std::optional<std::vector<double>> numbersOf(const std::vector<QPDFObjectHandle> &operands);

/// The colour of these components, if it is known without converting CMYK.
std::optional<Color> colorOf(const std::vector<QPDFObjectHandle> &operands, int components);

// What is painted

/// The graphics state.
struct State {
    Matrix matrix;
    /// The area that may be painted.
    Box clip;
    /// Whether the area is exactly this rectangle.
    bool isClipKnown = true;
    /// For fills: components of the colour space, the colour if it is known, and whether it is opaque.
    int components = 1;
    std::optional<Color> color = Color{0, 0, 0};
    bool isOpaque = true;
    int textMode = 0;
};

/// The current path.
struct Path {
    /// Its corners on the page, only as many as are needed to see that it is not a rectangle.
    std::vector<std::pair<double, double>> corners;
    bool hasOther = false;
    bool isClip = false;

    void add(double x, double y, const Matrix &m) {
        if (corners.size() < 7) corners.push_back({m.a * x + m.c * y + m.e, m.b * x + m.d * y + m.f});
    }

    /// The rectangle along the axes, if the path is exactly that.
    std::optional<Box> rectangle() const;
};

/// The content of a page, as far as it was read.
class Painting {
  public:
    Painting(const Box &page) : page(page) { state.clip = page; }

    const Box page;
    State state;
    Path path;
    std::vector<PlacedImage> images;
    std::optional<Color> sheet;
    /// Whether all properties are known, so that reading can stop.
    bool isOver = false;
    bool isPicture = true;

    /// Notes that something other than an image is painted.
    void paint() { isPicture = false, isOver = true; }
    void fill();
    void image(double columns, double rows);
    void endPath();

    /// The picture of the page's images if they cover the whole page: one image, or strips of one scan.
    Picture picture(int turns) const;
};

#endif
