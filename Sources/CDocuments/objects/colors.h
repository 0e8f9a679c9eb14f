#ifndef TILEWRIGHT_CD_COLORS_H
#define TILEWRIGHT_CD_COLORS_H

#include <array>
#include <cstdint>
#include <optional>
#include <qpdf/QPDFObjectHandle.hh>
#include <vector>

using Color = std::array<uint8_t, 3>;

/// How many components the colors of a space have, if these are gray, red, green and blue, or inks; else 0.
int componentsOf(QPDFObjectHandle space, QPDFObjectHandle spacesOfResources);

/// The color of so many components, if it is known without a conversion of inks.
std::optional<Color> colorOf(const std::vector<QPDFObjectHandle> &operands, int components);

#endif
