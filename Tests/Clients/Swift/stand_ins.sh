#!/bin/sh
# Compiles the stand-ins for Apple's and Google's modules, and the library against them, into a folder.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$here/../../..
cd "$1"
module() {
    name=$1
    shift
    swiftc -swift-version 6 -emit-library -emit-module -parse-as-library -I . -L . -module-name "$name" "$@" -o "lib$name.so"
}
module ImageIO "$here/ImageIO.swift"
echo '@_exported import ImageIO' > CoreGraphics.swift
module CoreGraphics CoreGraphics.swift -lImageIO
module GoogleMaps "$here/GoogleMaps.swift" -lImageIO
module UIKit "$here/UIKit.swift" -lGoogleMaps -lImageIO
module SwiftUI "$here/SwiftUI.swift" -lUIKit -lGoogleMaps -lImageIO
module MapKit "$here/MapKit.swift" -lImageIO
module TilewrightTiles -enable-upcoming-feature InternalImportsByDefault \
    -enable-upcoming-feature NonisolatedNonsendingByDefault -enable-upcoming-feature MemberImportVisibility \
    -I "$root/Sources/SystemLibraries/CTileArchives" "$root"/Sources/TilewrightTiles/*.swift \
    -lImageIO -lCoreGraphics -lGoogleMaps -lUIKit -lSwiftUI -lMapKit
