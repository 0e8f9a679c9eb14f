package import Tiling

/// The image under a plot: upright, as its control points are given.
package struct PlottedImage {
    /// The pixels, as the file stores them.
    let pixels: ReducedImage
    /// Columns of the seen image.
    let width: Int
    /// Rows of the seen image.
    let height: Int
    /// The part of the seen image that counts; nil for all of it.
    let crop: PixelWindow?

    private let storedFromView: AffineTransform
    private let reduction: Int

    /// Describes an image.
    ///
    /// - Parameters:
    ///   - pixels: the file's pixels.
    ///   - reduction: the number of the file's pixels, along an edge, that were read as one.
    ///   - storedFromView: the transform from points of the seen image to points of the stored image.
    ///   - width: columns of the seen image.
    ///   - height: rows of the seen image.
    ///   - crop: the part of the seen image that counts; nil for all of it.
    package init(
        _ pixels: ReducedImage, reduction: Int, storedFromView: AffineTransform, width: Int,
        height: Int, crop: PixelWindow?
    ) {
        (self.pixels, self.reduction, self.storedFromView) = (pixels, reduction, storedFromView)
        (self.width, self.height, self.crop) = (width, height, crop)
    }

    /// The longer side of a plot's image is at most this long, in pixels: as sharp as a large screen.
    package static let longestSide = 2000

    /// The longer side is at least this long: small images are enlarged to make room for marks.
    private static let shortestSide = 1000

    /// Pixels of the plot per pixel of the seen image.
    var scale: Double {
        let factor = pixels.box * reduction
        let longer = max(width, height)
        return factor > 1
            ? 1 / Double(factor) : Double(max(1, (PlottedImage.shortestSide + longer - 1) / longer))
    }

    /// The pale colour of a pixel of the plot; nil beyond the image's edge.
    func ink(_ column: Int, _ row: Int) -> Ink? {
        let seen = Point(x: (Double(column) + 0.5) / scale, y: (Double(row) + 0.5) / scale)
        guard seen.x < Double(width), seen.y < Double(height) else { return nil }
        let stored = storedFromView(seen)
        let factor = Double(pixels.box * reduction)
        let (x, y) = (Int(stored.x / factor), Int(stored.y / factor))
        let index =
            3
            * (min(max(y, 0), pixels.height - 1) * pixels.width + min(max(x, 0), pixels.width - 1))
        let isKept = crop?.contains(seen) ?? true
        return Ink(pixels.rgb[index..<index + 3], strength: isKept ? 0.45 : 0.15)
    }
}

extension PixelWindow {
    fileprivate func contains(_ point: Point) -> Bool {
        columns.contains(Int(point.x)) && rows.contains(Int(point.y))
    }
}

extension Ink {
    /// Lays a colour over white paper: even black becomes a light gray, on which marks are visible.
    fileprivate init(_ rgb: ArraySlice<UInt8>, strength: Double) {
        let pale = rgb.map { UInt8((255 - strength * Double(255 - $0)).rounded()) }
        self.init(red: pale[0], green: pale[1], blue: pale[2])
    }
}
