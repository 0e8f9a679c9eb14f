import Platform
package import Tiling

/// A request for the pixels of a window.
///
/// Pages are measured in points, 72 per inch, from the top left corner of the visible page, x to the right
/// and y down. Pixels are those of a grid, which is the same for all windows of a drawing.
package struct DrawRequest: Hashable, Sendable {
    /// From points of the page to pixels of the grid.
    package var matrix: AffineTransform
    /// An approximation of `matrix` that is the same for all windows of the grid. The renderer records the
    /// page's drawing with it, and replays the recording for a window with the difference of the two.
    package var base: AffineTransform
    /// The requested pixels, in the grid.
    package var window: PixelWindow
    /// The part of the page to draw, in points; everything outside is transparent.
    package var clip: BoundingBox
    /// The least width of a line, in pixels: thinner lines are drawn with this width, but paler in
    /// proportion.
    package var thinnestLine: Double
    /// The least share of its opacity that a thin line keeps, from 0 to 1.
    package var palestLine: Double
    /// Whether other windows have the same base, so that recording the page's drawing pays off.
    package var isOneOfMany: Bool
    /// Whether shapes are drawn without antialiasing.
    package var isAliased: Bool

    /// The bytes of a request.
    static let size = 2 * 6 * 8 + 4 * 4 + 6 * 8 + 4
    /// The maximum number of pixels of a window: 4096 x 4096.
    package static let mostPixels = 1 << 24

    /// Makes a request for a window.
    ///
    /// - Parameter base: the base; nil for `matrix`.
    package init(
        _ window: PixelWindow, by matrix: AffineTransform, base: AffineTransform? = nil, clip: BoundingBox,
        thinnestLine: Double, palestLine: Double, isOneOfMany: Bool, isAliased: Bool
    ) {
        (self.window, self.matrix, self.base, self.clip) = (window, matrix, base ?? matrix, clip)
        (self.thinnestLine, self.palestLine) = (thinnestLine, palestLine)
        (self.isOneOfMany, self.isAliased) = (isOneOfMany, isAliased)
    }

    /// Identifies a recording of the page's drawing, which windows with the same values share.
    package struct Recording: Hashable, Sendable {
        let base: AffineTransform
        let thinnestLine: Double
        let palestLine: Double
        let isAliased: Bool
    }

    /// The recording for this window and others.
    package var recording: Recording {
        Recording(base: base, thinnestLine: thinnestLine, palestLine: palestLine, isAliased: isAliased)
    }

    /// The request as a frame.
    package var frame: Frame {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.size)
        for value in matrix.numbers + base.numbers { bytes.append(littleEndian: value.bitPattern) }
        for value in [window.columns.lowerBound, window.rows.lowerBound, window.width, window.height] {
            bytes.append(littleEndian: Int32(clamping: value))
        }
        for value in [clip.minX, clip.minY, clip.maxX, clip.maxY, thinnestLine, palestLine] {
            bytes.append(littleEndian: value.bitPattern)
        }
        bytes.append(littleEndian: UInt32(isOneOfMany ? 1 : 0) | UInt32(isAliased ? 2 : 0))
        return Frame(.draw, bytes)
    }

    /// Parses the bytes of a frame; nil if they are not a valid request.
    package init?(_ payload: [UInt8]) {
        guard payload.count == Self.size else { return nil }
        var reader = ByteReader(payload[...])
        guard let matrix = reader.transform(), let base = reader.transform() else { return nil }
        let places = (0..<4).compactMap { _ in reader.uint32().map { Int(Int32(bitPattern: $0)) } }
        let edges = (0..<6).compactMap { _ in reader.finiteDouble() }
        guard places.count == 4, edges.count == 6, let flags = reader.uint32(), flags < 4,
            1...Self.mostPixels ~= places[2], 1...Self.mostPixels ~= places[3],
            places[2] * places[3] <= Self.mostPixels
        else { return nil }
        (self.matrix, self.base) = (matrix, base)
        window = PixelWindow(
            columns: places[0]..<places[0] + places[2], rows: places[1]..<places[1] + places[3])
        clip = BoundingBox(minX: edges[0], minY: edges[1], maxX: edges[2], maxY: edges[3])
        (thinnestLine, palestLine) = (edges[4], edges[5])
        (isOneOfMany, isAliased) = (flags & 1 != 0, flags & 2 != 0)
        // The limits of these values.
        guard 0...64 ~= thinnestLine, 0...1 ~= palestLine
        else { return nil }
    }
}

extension ByteReader {
    /// The next transform; nil if there are too few bytes, or if it has no inverse, so that later divisions
    /// are safe.
    fileprivate mutating func transform() -> AffineTransform? {
        let numbers = (0..<6).compactMap { _ in finiteDouble() }
        guard numbers.count == 6 else { return nil }
        let transform = AffineTransform(
            a: numbers[0], b: numbers[1], c: numbers[2], d: numbers[3], e: numbers[4], f: numbers[5])
        return transform.inverse == nil ? nil : transform
    }
}

/// The pixels of a window in a response: 8 bits each of blue, green, red and alpha, as in cairo's ARGB32 on a
/// little-endian machine. Colours are multiplied by alpha, and rows have no gaps.
package struct PagePixels: Hashable, Sendable {
    /// The pixels that are sent.
    package enum Form: UInt32, Sendable {
        /// Nothing: all pixels are transparent.
        case transparent = 0
        /// One pixel: all pixels are equal to it.
        case uniform = 1
        /// All pixels.
        case all = 2
    }

    /// Bytes before the pixels, which contain the form.
    package static let headerSize = 4
    /// Bytes of a pixel.
    package static let bytesPerPixel = 4

    /// The pixels that are sent.
    package var form: Form
    /// The payload of the frame; the pixels begin after `headerSize` bytes.
    package var payload: [UInt8]

    /// Parses the bytes of a frame; nil if they are not the given number of pixels.
    package init?(_ payload: [UInt8], pixels: Int) {
        var reader = ByteReader(payload[...])
        guard let form = reader.uint32().flatMap(Form.init) else { return nil }
        let count =
            switch form {
            case .transparent: 0
            case .uniform: 1
            case .all: pixels
            }
        guard payload.count == Self.headerSize + count * Self.bytesPerPixel else { return nil }
        (self.form, self.payload) = (form, payload)
    }

    /// The bytes before the pixels.
    package static func header(_ form: Form) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(littleEndian: form.rawValue)
        return bytes
    }
}
