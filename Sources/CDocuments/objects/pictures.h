#ifndef TILEWRIGHT_CD_PICTURES_H
#define TILEWRIGHT_CD_PICTURES_H

#include "facts.h"
#include "geometry.h"

#include <vector>

/// An image where it lies on a page, in units of the document.
struct PlacedImage {
    Box box;
    /// What is seen of it.
    Box seen;
    /// Its pixels along the document's x and y.
    double across = 0, along = 0;
};

/// The picture that images make if they cover all of a page: one, or strips of one scan.
Picture pictureOf(const std::vector<PlacedImage> &images, const Box &page, int turns);

#endif
