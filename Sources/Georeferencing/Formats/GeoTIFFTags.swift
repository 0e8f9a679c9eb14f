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

    /// Finds the tags among those of a file, by their numbers in TIFF; nil if the file has none of
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
