#ifndef TILEWRIGHT_CD_GEOMETRY_H
#define TILEWRIGHT_CD_GEOMETRY_H

#include <algorithm>
#include <cmath>

/// A matrix as PDF writes it: x' = a x + c y + e, y' = b x + d y + f.
struct Matrix {
    double a = 1, b = 0, c = 0, d = 1, e = 0, f = 0;

    /// What this does, and then the other.
    Matrix then(const Matrix &o) const {
        return {a * o.a + b * o.c, a * o.b + b * o.d,       c * o.a + d * o.c,
                c * o.b + d * o.d, e * o.a + f * o.c + o.e, e * o.b + f * o.d + o.f};
    }

    /// Whether lines along the axes stay so, upright or by a quarter of a turn.
    bool keepsAxes() const { return isNone(b, c) || isNone(a, d); }
    bool isUpright() const { return isNone(b, c); }

  private:
    // Of a page's width, a thousandth of a pixel.
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

    /// Whether nothing of the other lies outside, but for a hair.
    bool covers(const Box &o, double hair) const {
        return left <= o.left + hair && bottom <= o.bottom + hair && right >= o.right - hair
            && top >= o.top - hair;
    }

    /// The rectangle around what a matrix makes of this one.
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

#endif
