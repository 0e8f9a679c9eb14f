import Georeferencing
import Platform
import Raster
import Tiling

/// The warnings about a position.
struct PlacementWarnings {
    /// The position.
    let position: Position
    /// The position, applied to the image.
    let placement: Placement
    /// The image's middle pixel.
    let pixel: GroundPixel
    /// The request for the image.
    let request: ImageRequest
    /// The whole image, as stored.
    let info: RasterInfo

    /// The warnings, a line each.
    var all: [Warning] {
        func named(_ name: String, _ text: String?) -> [Warning] { text.map { [Warning(name, $0)] } ?? [] }
        return named("orientation", orientation) + fitted + shape + named("mirrored", mirror)
            + named("datum-shift", datumShift) + named("not-spherical", ellipsoid)
            + named("positions-differ", disagreement)
    }

    private var orientation: String? {
        guard placement.view.ignoresOrientation else { return nil }
        return "\(request.title) has an orientation tag, which is ignored, since the position comes from "
            + "\(position.summary); if this position is for the upright image, add --orient yes"
    }

    private var fitted: [Warning] {
        guard let fit = placement.fit else { return [] }
        var warnings = strayPoints(fit)
        if let error = fit.error {
            warnings.append(Warning("point-error", "\(error.message); \(error.remedy)"))
        } else if fit.isMirrored {
            warnings.append(
                Warning(
                    "mirrored",
                    "the control points mirror the image: are two of them swapped, or longitude "
                        + "and latitude?"))
        }
        return warnings
    }

    /// Warns of points outside the image. Points may be on the sheet's edge, and clicks a little beyond.
    private func strayPoints(_ fit: ControlPointFit) -> [Warning] {
        let view = placement.view
        let points = fit.residuals.map(\.point.pixel)
        let (width, height) = (Double(view.width), Double(view.height))
        let stray = points.filter { min($0.x, $0.y, width - $0.x, height - $0.y) < -1 }
        if stray.isEmpty { return [] }
        return [
            Warning(
                "points-outside",
                "\(stray.count) of \(points.count) control points \(stray.count == 1 ? "is" : "are") "
                    + "outside \(request.title), which is \(view.width) x \(view.height): were they set on "
                    + "another version of the image?")
        ]
    }

    /// The warning about a mirrored image. Files may have rows that run north, but plans that read from right
    /// to left are rare.
    private var mirror: String? {
        guard case .affine(let transform) = placement.viewGeoreference.pixelToCRS,
            transform.determinant > 0
        else { return nil }
        switch position {
        case .worldFile:
            return "the \(position.summary) mirrors the image: is the sign of its fourth number right?"
        case .stored(let file) where file.georeference != nil:
            return "the image is mirrored by \(position.summary): do the rows really run north?"
        default: return nil
        }
    }

    /// Web Mercator uses the formulas of a sphere. A system with its name but the formulas of the ellipsoid,
    /// as in WKT without its extension, nearly always means Web Mercator. On the ground, the two differ by up
    /// to 21 km.
    private var ellipsoid: String? {
        let crs = placement.georeference.crs
        let name = crs.name.lowercased()
        let claims = ["google", "web mercator", "web_mercator", "pseudo-mercator", "popular visualisation"]
        guard claims.contains(where: name.contains), crs.isEllipsoidalMercator else { return nil }
        return
            "\(crs.name) is named like Web Mercator but defined on an ellipsoid, not a sphere, which moves "
            + "the image by up to 21 km: if Web Mercator is meant, add --crs EPSG:3857"
    }

    /// The warning about a datum shift with an error above half a metre, which matters for a floor plan.
    private var datumShift: String? {
        guard let accuracy = placement.mapping.datumAccuracy, accuracy > 0.5 else { return nil }
        let amount =
            accuracy.isFinite
            ? "accurate only to \(accuracy.text(decimals: 1)) m" : "of unknown accuracy"
        let shift = "the shift from \(placement.georeference.crs.name) to WGS 84 is \(amount); "
        guard let better = placement.mapping.betterShift else {
            return shift + "PROJ knows no grid for this area that would make it clearly better"
        }
        let commands = better.missingGrids.map { "projsync --file \($0)" }.joined(separator: " && ")
        return shift
            + "'\(commands)' gets \(better.missingGrids.count == 1 ? "a grid that makes" : "grids that make") "
            + "it accurate to \(better.accuracy.text(decimals: 1)) m"
    }
}

extension PlacementWarnings {
    /// The tolerance in pixels, since programs round the numbers in files.
    private static let rounding = 1.0

    /// The warning if several files have positions that disagree.
    private var disagreement: String? {
        guard request.position.source == .files,
            let files = try? PositionFiles(
                of: request, info: info, crs: try? request.position.crs.map { try CRS($0) },
                keepsPoints: request.position.transform != nil)
        else { return nil }
        for other in files.positions().dropFirst() {
            // A position that puts the image off the map does not count.
            guard
                let place = try? Placement(
                    other, of: info, crop: request.crop, request: request.position)
            else { continue }
            let distance = placement.distance(to: place)
            if distance <= Self.rounding + max(placement.uncertainty, place.uncertainty) { continue }
            let amount = distance.isFinite ? "up to \(distance.text(decimals: 1)) pixels" : "far"
            return
                "\(position.summary) and \(other.summary) put corners of \(request.title) \(amount) apart; "
                + "the first one is used: remove the wrong one"
        }
        return nil
    }
}

extension Placement {
    /// The error of a fit at the corners, as a multiple of its error at the points.
    private static let extrapolation = 3.0

    /// The uncertainty of the corners in pixels: 0 if nothing was fitted.
    fileprivate var uncertainty: Double {
        let misses = fit?.residuals.map(\.miss.pixels) ?? []
        return Self.extrapolation * (misses.max() ?? 0)
    }
}

/// Warnings about alpha and nodata, from a sample of pixels: parts all over the image if it can be read in
/// parts, else its first rows. The sample takes milliseconds.
struct PixelWarnings {
    /// The warnings.
    private(set) var all: [Warning] = []

    private let title: String
    private let format: PixelFormat

    /// Samples an image if needed. Its first rows may be consumed. An image on another machine is not
    /// sampled: for one tile, that would take more requests than the tile.
    ///
    /// - Parameter nodata: the colour that becomes transparent.
    init(_ file: any RasterSource, nodata: ColorKey?, request: ImageRequest) {
        (title, format) = (request.title, file.info.pixelFormat)
        let seeksAlpha = format == .rgba8 && (file.info.fileBands ?? 0) > 1 && request.bands == nil
        let seeksNoise = nodata != nil && file.info.isLossy
        // A read error is reported when the image is read.
        guard seeksAlpha || seeksNoise, !FarFiles.isAddress(request.path),
            let parts = try? Self.parts(of: file)
        else { return }
        if seeksAlpha, let warning = alphaWarning(parts, bands: file.info.fileBands ?? 4) {
            all.append(warning)
        }
        if seeksNoise, let nodata, let warning = noiseWarning(parts, nodata) { all.append(warning) }
    }

    /// Parts along each axis, and their edge in pixels.
    private static let (partsPerAxis, edge) = (4, 256)
    /// Pixels of the first rows.
    private static let mostPixels = 1 << 22

    /// The pixels of some parts, row by row without gaps.
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
        try pixels.withAddress(read)
        return pixels
    }

    /// Alpha is 0 or 255 except at edges. If most values are neither, with many levels, the band holds a
    /// colour, such as near infrared.
    private func alphaWarning(_ parts: [[UInt8]], bands: Int) -> Warning? {
        var counts = [Int](repeating: 0, count: 256)
        for part in parts {
            for alpha in stride(from: 3, to: part.count, by: 4) { counts[Int(part[alpha])] += 1 }
        }
        let between = counts[1..<255]
        let (some, all) = (between.reduce(0, +), counts.reduce(0, +))
        guard 2 * some > all, between.count(where: { $0 > 0 }) >= 32 else { return nil }
        let colors = bands == 2 ? "1" : "1,2,3"
        return Warning(
            "alpha-like-a-colour",
            "\(title): its alpha looks like a band of colour: \(100 * some / all)% of the pixels are partly "
                + "transparent; '--bands \(colors)' reads only its colours")
    }

    /// The largest change of a colour that may come from a codec: JPEG in good quality changes less.
    private static let mostNoise = 16
    /// The distance up to which a codec changes pixels: within a block.
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
            "\(title): pixels next to the nodata colour differ from it by up to \(most), as in JPEG files, "
                + "and stay visible; '--nodata \(color),\(nodata.tolerance + most)' removes them, too")
    }

    /// The difference of each pixel from a colour, beyond the colour's tolerance.
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
