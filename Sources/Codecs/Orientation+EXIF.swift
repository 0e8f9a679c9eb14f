package import Raster

extension Orientation {
    /// Reads the orientation in an EXIF block, which is a small TIFF file: tag 274 of its first
    /// directory.
    ///
    /// - Returns: nil if there is none or the block is damaged. An image is never refused for its
    ///   metadata.
    package init?(exif: [UInt8]) {
        guard let tiff = EXIFBlock(exif), let directory = tiff.integer(at: 4, size: 4),
            let entry = tiff.entry(274, ofDirectoryAt: directory),
            let size = Self.valueSizes[tiff.integer(at: entry + 2, size: 2) ?? 0],
            tiff.integer(at: entry + 4, size: 4) == 1,
            let value = tiff.integer(at: entry + 8, size: size)
        else { return nil }
        self.init(rawValue: value)
    }

    /// Bytes of a value by its type: 3 is SHORT, as the specification requires; some write LONG, 4.
    private static let valueSizes = [3: 2, 4: 4]
}
