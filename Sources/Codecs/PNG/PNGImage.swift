/// Whole images as PNG files.
package enum PNGImage {
    /// Encodes an image in the smallest form that holds its pixels exactly.
    ///
    /// - Parameters:
    ///   - rgba: straight alpha, rows without gaps.
    ///   - width: columns.
    ///   - height: rows.
    package static func encode(rgba: [UInt8], width: Int, height: Int) throws -> [UInt8] {
        var writer = try PNGWriter(level: .standard, width: width, height: height)
        return try rgba.withUnsafeBufferPointer { try writer.encode($0) }
    }
}
