import Codecs
import Georeferencing
import Raster
import Rendering
package import Tilesets
import Tiling

/// The inputs and settings that decide the tiles of a build: two builds with the same fingerprint make the
/// same tiles.
///
/// Each input or setting has its own field. Texts for people, such as names, warnings and the wording of a
/// position, do not count. Nor does the way in which an equal request is written.
package struct JobFingerprint {
    /// The version of decoding, rendering and encoding. Raise it when a change of the program changes the
    /// pixels that a request gets, or when the settings of an encoder change: all tilesets are then built
    /// again. If a change affects only some requests, give these requests a field of their own instead. The
    /// tests of golden pixels show which pixels change.
    package static let rendering = 2

    /// A line for each field, `name value`.
    let fields: [String]

    /// The hash of all fields.
    package var hash: ContentHash { ContentHash(of: fields.joined(separator: "\n")) }

    /// Describes a build. Reads each image's file once, and the cutline, to hash them.
    ///
    /// - Parameter known: the hashes of files that are hashed already.
    package init(_ plan: TilesetPlan, known: [String: Result<String, any Error>] = [:]) throws {
        try self.init(plan.onDemand) { try known[$0]?.get() ?? ContentHash(ofFile: $0).hex }
    }

    /// Describes a build, given a way to hash its files.
    init(_ plan: TilesOnDemand, hash: (_ path: String) throws -> String) throws {
        let images = try zip(plan.images, plan.reductionFactors).map { image, factor in
            try Self.fields(of: image, reducedBy: factor, hash)
        }
        let mosaic = images.count > 1 ? ["seams closed"] : []
        fields =
            ["rendering \(Self.rendering)"] + mosaic + images.flatMap(\.self) + Self.fields(of: plan)
            + Self.fields(of: plan.request.encoding)
            // No field without a cutline: older tilesets stay valid.
            + (try plan.request.cutline.map { ["cutline \(try hash($0))"] } ?? [])
    }

    static func fields(
        of image: PlacedImage, reducedBy factor: Int, _ hash: (_ path: String) throws -> String
    ) throws -> [String] {
        let others = image.drawn?.otherFiles ?? []
        let hashes = try (ImageFile.paths(of: image.request.reference) + others).map(hash)
        let options = image.readOptions
        let window = image.window
        let range = image.fileInfo.sampleRange ?? options.range?.values
        // No field without paper: older tilesets stay valid.
        let paper = image.request.paper.map { ["paper \($0.channels) \($0.tolerance)"] } ?? []
        let page = image.request.pageNumber
        let earth = image.mapping.earth == nil ? [] : ["rim of the Earth"]
        let decoding = image.fileInfo.decoding.map { ["decoding \($0)"] } ?? []
        // Installing or removing a datum grid moves the image.
        let grids = image.mapping.datumGrids
        let shift = grids.isEmpty ? [] : ["shifted by \(grids.joined(separator: " "))"]
        let drawing = image.drawn.map { Self.fields(of: $0) } ?? []
        return ["image \(hashes.joined(separator: " "))"] + (page == 1 ? [] : ["page \(page)"]) + [
            "window \(window.columns) \(window.rows)",
            "reduction \(factor)",
            "bands \(text(options.bands?.map(String.init).joined(separator: ",")))",
            "range \(text(range.map { "\($0.lowerBound) \($0.upperBound)" }))",
            "nodata \(text(options.nodata.map { "\($0)" }))",
            "nodata colour \(text(image.nodata.map { "\($0.channels) \($0.tolerance)" }))",
            "colours \(options.keepsColors ? "kept" : "converted")",
        ] + paper + image.placement.georeference.identity.map { "position \($0)" } + earth
            + shift + decoding + drawing
    }

    private static func fields(of drawn: PageImage) -> [String] {
        let drawing = drawn.drawing
        return [
            "drawn by \(drawing.libraries)", "thin areas as lines", "resolution \(drawn.resolution)",
            "layers \(text((drawn.cad?.request.layers ?? drawing.file.layers)?.joined(separator: "\u{0}")))",
        ] + (drawn.cad.map(fields(of:)) ?? [])
    }

    private static func fields(of drawing: CADDrawing) -> [String] {
        let page = drawing.page
        return [
            "page by \(drawing.libraries)", "layout \(page.layout)", "scale \(page.scale)",
            "background \(drawing.request.isOnDark ? "dark" : "light")",
            "missing fonts \(page.missingFonts.joined(separator: "\u{0}"))",
        ]
    }

    private static func fields(of plan: TilesOnDemand) -> [String] {
        let options = plan.pyramid.options
        let background = options.background.map { "\($0.red) \($0.green) \($0.blue)" }
        return [
            "zooms \(options.zooms)",
            "tile size \(options.tileSize)",
            "kernels \(options.resampling.rawValue) \(options.overviewResampling.rawValue)",
            "empty \(options.writesEmptyTiles ? "written" : "left out")",
            "background \(text(background))",
        ] + (plan.isRedrawn ? ["overviews drawn"] : [])
    }

    /// The settings that decide the bytes of a tile, given its pixels. Options that do not apply to the file
    /// type are left out; options that were not given have their defaults.
    private static func fields(of encoding: TileEncoding) -> [String] {
        let quality = "quality \(encoding.effectiveQuality)"
        let level = "level \(encoding.effectivePNGLevel.rawValue)"
        let jpegLevel = "JPEG level \(encoding.effectiveJPEGLevel.rawValue)"
        return switch encoding.format {
        case .png: ["png", level, "palette \(text(encoding.palette.map(String.init)))"]
        case .jpeg: ["jpeg", quality, jpegLevel]
        case .webp: ["webp", encoding.lossless ? "lossless" : quality]
        case .auto: ["auto", quality, level, jpegLevel]
        }
    }

    private static func text(_ value: String?) -> String { value ?? "-" }
}

extension JobFingerprint {
    /// The fingerprint of a copy: two copies of the same tiles share it.
    static func ofCopy(_ contents: TilesetContents) -> ContentHash {
        ContentHash(of: "copy \(contents.tileCount) \(contents.digest)")
    }
}

/// Hashes files in the background.
final class BackgroundHashing: Sendable {
    /// The hash of each file in hexadecimal digits, or the error if it cannot be read.
    typealias Hashes = [String: Result<String, any Error>]

    private let task: Task<Hashes, Never>

    /// Begins to read the files, one after the other.
    init(of paths: [String]) {
        task = Task.detached {
            var hashes = Hashes()
            for path in paths where !Task.isCancelled {
                hashes[path] = Result { try ContentHash(ofFile: path).hex }
            }
            return hashes
        }
    }

    deinit { task.cancel() }

    /// Waits for all hashes.
    var hashes: Hashes { get async { await task.value } }
}
