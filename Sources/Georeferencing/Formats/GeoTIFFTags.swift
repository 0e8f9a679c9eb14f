import Platform
import Tiling

/// The tags of a TIFF file that say where it lies, as they stand in the file (OGC 19-008r4).
package struct GeoTIFFTags: Hashable, Sendable {
    /// ModelPixelScaleTag, 33550: the size of a pixel in x, y and z.
    package var pixelScale: [Double]
    /// ModelTiepointTag, 33922: column, row, level and x, y, z of each point.
    package var tiepoints: [Double]
    /// ModelTransformationTag, 34264: a matrix of four by four, row by row.
    package var transformation: [Double]
    /// GeoKeyDirectoryTag, 34735: numbers in fours.
    package var keyDirectory: [UInt16]
    /// GeoDoubleParamsTag, 34736: what keys refer to.
    package var doubleParameters: [Double]
    /// GeoAsciiParamsTag, 34737: likewise, each ended by `|`.
    package var asciiParameters: String

    /// Makes tags; what a file lacks is empty.
    package init(
        pixelScale: [Double] = [], tiepoints: [Double] = [], transformation: [Double] = [],
        keyDirectory: [UInt16] = [], doubleParameters: [Double] = [], asciiParameters: String = ""
    ) {
        self.pixelScale = pixelScale
        self.tiepoints = tiepoints
        self.transformation = transformation
        self.keyDirectory = keyDirectory
        self.doubleParameters = doubleParameters
        self.asciiParameters = asciiParameters
    }

    /// Finds the tags among all tags of a file, by their numbers in TIFF; nil if the file has none of
    /// them. A number of the directory that has more than 16 bits becomes 0.
    ///
    /// - Parameters:
    ///   - numbers: the values of a tag that holds numbers, empty if it is missing.
    ///   - text: the text of a tag up to its NUL, empty if it is missing.
    package init?(numbers: (_ tag: Int) -> [Double], text: (_ tag: Int) -> String) {
        self.init(
            pixelScale: numbers(33550), tiepoints: numbers(33922), transformation: numbers(34264),
            keyDirectory: numbers(34735).map { UInt16(exactly: $0) ?? 0 },
            doubleParameters: numbers(34736), asciiParameters: text(34737))
        if self == GeoTIFFTags() { return nil }
    }
}

extension GeoTIFFTags {
    /// The stored position that the tags hold; nil if they hold none. A single tiepoint without a scale,
    /// which some programs write into every TIFF, is not a position.
    ///
    /// - Throws: a `Failure` of kind `badInput` for numbers that place nothing.
    package func positionForm() throws -> StoredPosition.Form? {
        let tags = [pixelScale, tiepoints, transformation].joined()
        guard tags.allSatisfy(\.isFinite) else {
            throw Failure(.badInput, "its GeoTIFF tags hold a value that is not a number")
        }
        if let transform = scaled ?? matrix {
            guard transform.determinant.isNormal else { throw ExactMapping.flattened }
            return .affine(
                AffineTransform.translation(x: -shift, y: -shift).followed(by: transform))
        }
        return tiepoints.count > 6 ? .points(mapPoints) : nil
    }

    /// By ModelPixelScale and the first tiepoint: rows run south. A negative size in y is not taken by
    /// its word, which would turn the image upside down: GDAL does not either, and the programs that
    /// wrote such files meant an upright image.
    private var scaled: AffineTransform? {
        guard pixelScale.count >= 2, tiepoints.count >= 6, pixelScale[0] != 0, pixelScale[1] != 0
        else { return nil }
        let (x, y) = (pixelScale[0], -abs(pixelScale[1]))
        return AffineTransform(
            a: x, b: 0, c: tiepoints[3] - tiepoints[0] * x,
            d: 0, e: y, f: tiepoints[4] - tiepoints[1] * y)
    }

    private var matrix: AffineTransform? {
        guard transformation.count == 16 else { return nil }
        let m = transformation
        return AffineTransform(a: m[0], b: m[1], c: m[3], d: m[4], e: m[5], f: m[7])
    }

    private var mapPoints: [MapPoint] {
        stride(from: 0, to: tiepoints.count / 6 * 6, by: 6).map { start in
            MapPoint(
                pixel: Point(x: tiepoints[start] + shift, y: tiepoints[start + 1] + shift),
                map: Point(x: tiepoints[start + 3], y: tiepoints[start + 4]),
                name: "tiepoint \(start / 6 + 1)")
        }
    }

    /// Where the tags' column and row 0 lie in pixels from the corner: on the corner itself, or, with
    /// RasterPixelIsPoint, in the centre of the first pixel.
    private var shift: Double { shortKey(1025) == 2 ? 0.5 : 0 }

    /// A key whose value stands in the directory itself.
    private func shortKey(_ key: UInt16) -> UInt16? {
        stride(from: 4, to: max(4, keyDirectory.count - 3), by: 4)
            .first { keyDirectory[$0] == key && keyDirectory[$0 + 1] == 0 }
            .map { keyDirectory[$0 + 3] }
    }
}
