import Platform
import Raster
import Tiling

/// Warnings about alpha and nodata that a look at some pixels gives.
///
/// If an image can be read in parts, the pixels are those of parts all over it, else those of the first rows. That
/// takes milliseconds.
struct PixelWarnings {
    /// The warnings.
    private(set) var all: [Warning] = []

    private let title: String
    private let format: PixelFormat

    /// Looks at an image if there is something to look for. Its rows may have been read then.
    ///
    /// - Parameter nodata: the colour that becomes transparent.
    init(_ file: any RasterSource, nodata: ColorKey?, request: ImageRequest) {
        (title, format) = (request.title, file.info.pixelFormat)
        let seeksAlpha = format == .rgba8 && (file.info.fileBands ?? 0) > 1 && request.bands == nil
        let seeksNoise = nodata != nil && file.info.isLossy
        // What cannot be read is said once the image is.
        guard seeksAlpha || seeksNoise, let parts = try? Self.parts(of: file) else { return }
        if seeksAlpha, let warning = alphaWarning(parts, bands: file.info.fileBands ?? 4) {
            all.append(warning)
        }
        if seeksNoise, let nodata, let warning = noiseWarning(parts, nodata) { all.append(warning) }
    }

    /// Parts along each axis, and their edge in pixels.
    private static let (partsPerAxis, edge) = (4, 256)
    /// Pixels of the first rows.
    private static let mostPixels = 1 << 22

    /// The pixels of some parts, rows without gaps.
    private static func parts(of file: any RasterSource) throws -> [[UInt8]] {
        let info = file.info
        let size = info.pixelFormat.bytesPerPixel
        guard let windows = file.windows else {
            let rows = min(info.height, edge, max(1, mostPixels / info.width))
            let first = try pixels(info.width * rows * size) {
                try file.readRows(rows, into: $0, stride: info.width * size)
            }
            return [first]
        }
        func ranges(_ length: Int) -> [Range<Int>] {
            if length <= partsPerAxis * edge { return [0..<length] }
            return (0..<partsPerAxis).map { part in
                let first = (length - edge) * part / (partsPerAxis - 1)
                return first..<first + edge
            }
        }
        return try ranges(info.height).flatMap { rows in
            try ranges(info.width).map { columns in
                try pixels(columns.count * rows.count * size) {
                    try windows.read(
                        PixelWindow(columns: columns, rows: rows), into: $0, stride: columns.count * size)
                }
            }
        }
    }

    private static func pixels(
        _ count: Int, _ read: (UnsafeMutableRawPointer) throws -> Void
    ) throws -> [UInt8] {
        var pixels = [UInt8](repeating: 0, count: count)
        try pixels.withUnsafeMutableBytes { try read($0.baseAddress.unwrapped("an image has pixels")) }
        return pixels
    }

    /// A picture's alpha is 0 or 255 but for its edges. If most of it is neither, in many levels, the band holds a colour,
    /// such as near infrared.
    private func alphaWarning(_ parts: [[UInt8]], bands: Int) -> Warning? {
        var counts = [Int](repeating: 0, count: 256)
        for part in parts {
            for alpha in stride(from: 3, to: part.count, by: 4) {
                counts[Int(part[alpha])] += 1
            }
        }
        let between = counts[1..<255]
        let (some, all) = (between.reduce(0, +), counts.reduce(0, +))
        guard 2 * some > all, between.count(where: { $0 > 0 }) >= 32 else { return nil }
        let colors = bands == 2 ? "1" : "1,2,3"
        return Warning(
            "alpha-like-a-colour",
            "\(title): its alpha looks like a band of colour: \(100 * some / all)% of the pixels are partly "
                + "transparent; '--bands \(colors)' takes its colours alone")
    }

    /// The largest change of a colour that is taken for a codec's: JPEG in good quality changes less.
    private static let mostNoise = 16
    /// How far from a pixel of the colour its codec changes others: within a block.
    private static let blockEdge = 8

    private func noiseWarning(_ parts: [[UInt8]], _ nodata: ColorKey) -> Warning? {
        var (same, near) = (0, [Int](repeating: 0, count: Self.mostNoise + 1))
        for part in parts {
            let differences = differences(part, from: nodata)
            var last = -Self.blockEdge - 1
            for (index, difference) in differences.enumerated() {
                if difference == 0 {
                    (same, last) = (same + 1, index)
                } else if difference <= Self.mostNoise, index - last <= Self.blockEdge {
                    near[difference] += 1
                }
            }
        }
        let changed = near.reduce(0, +)
        guard same > 0, changed * 100 >= same else { return nil }
        var (sum, most) = (0, 0)
        while sum * 100 < changed * 98 {
            most += 1
            sum += near[most]
        }
        let color = nodata.channels.map(String.init).joined(separator: ",")
        return Warning(
            "nodata-speckled",
            "\(title): pixels beside those of the nodata colour differ from it by up to \(most), as JPEG makes them, "
                + "and stay; '--nodata \(color),\(nodata.tolerance + most)' takes them, too")
    }

    /// By how much each pixel differs from a colour beyond its tolerance.
    private func differences(_ part: [UInt8], from color: ColorKey) -> [Int] {
        let size = format.bytesPerPixel
        let step = size < 3 ? 0 : 1
        let (red, green, blue) = (Int(color.channels[0]), Int(color.channels[1]), Int(color.channels[2]))
        return stride(from: 0, to: part.count, by: size).map { pixel in
            let most = max(
                abs(Int(part[pixel]) - red), abs(Int(part[pixel + step]) - green),
                abs(Int(part[pixel + 2 * step]) - blue))
            return max(0, most - color.tolerance)
        }
    }
}
