import Codecs
import Platform
import Pyramid
import Raster
import Tiling

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// What a build will take.
public struct BuildEstimate: Hashable, Sendable, Encodable {
    /// Tiles at most: which are wholly transparent is not known yet.
    public let tiles: Int
    /// Bytes of all tiles: what is likely.
    public let bytes: Int
    /// Bytes that there are at least and at most, in nineteen cases of twenty.
    public let spread: [Int]
    /// Bytes that the process has in memory at its peak, itself and its libraries included; see `ProgramMemory`.
    public let memory: Int
    /// Bytes of scratch files.
    public let scratch: Int
    /// Wall time in seconds.
    public let seconds: Double
    /// Bytes of the tiles of each zoom, from the lowest; empty if no tiles were tried.
    public let zoomBytes: [Int]

    private enum CodingKeys: CodingKey { case tiles, bytes, spread, memory, scratch, seconds }
}

extension TilesetPlan {
    /// What the build will take, from what other builds took: the bytes may be wrong by a factor of ten. It costs
    /// nothing.
    public var roughEstimate: BuildEstimate {
        let bytes = Estimator.bytes(self)
        return estimate(
            bytes: bytes, spread: [bytes / 10, bytes * 10], zoomBytes: [], seconds: Estimator.seconds(self))
    }

    /// What the build will take, from some of its tiles, which are made and thrown away.
    ///
    /// The same plan has the same bytes and memory each time; seconds are measured on this machine. Decodes each image
    /// once; beside that it costs a tenth of the build, about, and less than a second.
    ///
    /// - Throws: what a build throws; `CancellationError`.
    public func sampledEstimate() async throws -> BuildEstimate {
        let sampled = try await SampledEstimate(self)
        let bytes = sampled.zooms.reduce(0) { $0 + $1.bytes }
        // What is not by chance: zooms are rendered by themselves, and not halved from finer ones.
        let doubt = 2 * sampled.zooms.reduce(0) { $0 + $1.variance }.squareRoot() + 0.1 * bytes
        return estimate(
            bytes: Int(bytes), spread: [Int(max(bytes / 4, bytes - doubt)), Int(bytes + doubt)],
            zoomBytes: sampled.zooms.reversed().map { Int($0.bytes) },
            seconds: EncodingCost.seconds(of: self, sampled))
    }

    private func estimate(bytes: Int, spread: [Int], zoomBytes: [Int], seconds: Double) -> BuildEstimate {
        // Where the rows cannot be planned, a build says so.
        let rows = try? builder
        return BuildEstimate(
            tiles: tileCount, bytes: bytes, spread: spread,
            memory: rows.map { $0.residentBytes + ProgramMemory.bytes(tiles: tileCount) } ?? 0,
            scratch: rows?.scratchBytes ?? 0, seconds: seconds, zoomBytes: zoomBytes)
    }
}

/// The arithmetic of a `BuildEstimate`.
private enum Estimator {
    /// Bytes of a tileset's tiles.
    ///
    /// A flat plan takes about 1.8 times its own bytes per pixel as PNG, because resampling softens
    /// its edges (0.067 and 0.12 bytes per pixel for the benchmark's plan), and as lossless WebP 1.1
    /// times; as JPEG of quality 85 it takes 0.15 bytes per pixel, as WebP 0.04. A photograph takes
    /// 2.2 bytes per pixel as PNG, 1.2 as lossless WebP, and 0.3 as JPEG or WebP of quality 85. Of a
    /// palette, each bit per pixel takes a twentieth of what all colours take.
    static func bytes(_ plan: TilesetPlan) -> Int {
        let pixels = plan.images.reduce(0) { $0 + $1.fileInfo.pixels }
        let mean = plan.images.reduce(0) {
            $0 + rate(of: $1, plan.request.encoding) * $1.fileInfo.pixels / pixels
        }
        // 100 bytes are the least that a PNG takes.
        return Int(mean * Self.pixels(plan)) + 100 * plan.tileCount
    }

    /// Bytes per pixel of the tiles of an image.
    private static func rate(of image: PlacedImage, _ encoding: TileEncoding) -> Double {
        // Of a drawing, as much as of the benchmark's plan.
        if let drawn = image.drawn, drawn.isVector { return encoding.format == .png ? 0.12 : 0.15 }
        let sourceRate =
            Double(InputFile.size(of: image.path)) / Double(image.fileInfo.pageCount) / image.fileInfo.pixels
        let isPhotograph = image.fileInfo.isLossy || sourceRate > 0.8
        switch encoding.format {
        case .jpeg, .auto: return isPhotograph ? 0.3 : 0.15
        case .png:
            return (isPhotograph ? 2.2 : 1.8 * sourceRate) * paletteShare(encoding.palette)
        case .webp where encoding.lossless: return isPhotograph ? 1.2 : 1.1 * sourceRate
        case .webp: return isPhotograph ? 0.3 : 0.04
        }
    }

    private static func paletteShare(_ size: Int?) -> Double {
        size.map { Double(Int.bitWidth - ($0 - 1).leadingZeroBitCount) / 20 } ?? 1
    }

    /// Wall seconds: what the reader says to decode a pixel, half of that if it is read smaller, 16 ns to
    /// render and encode one; of WebP 90, and 120 if it is lossless. For a palette all is decoded and rendered
    /// twice.
    static func seconds(_ plan: TilesetPlan) -> Double {
        let encoding = plan.request.encoding
        let encode = encoding.format != .webp ? 16e-9 : encoding.lossless ? 120e-9 : 90e-9
        let decode = zip(plan.images, plan.reductionFactors).reduce(0) { sum, image in
            sum + image.0.fileInfo.pixels * image.0.fileInfo.secondsPerPixel / (image.1 > 1 ? 2 : 1)
        }
        let passes = encoding.palette == nil ? 1.0 : 2.0
        return passes * max(decode, (decode + pixels(plan) * encode) / Double(plan.resources.effectiveJobs))
    }

    /// Pixels of the zooms that are written.
    private static func pixels(_ plan: TilesetPlan) -> Double {
        plan.pyramid.levels.filter(\.isWritten).reduce(0) {
            $0 + Double($1.window.width) * Double($1.window.height)
        }
    }
}

extension RasterInfo {
    /// How many pixels there are.
    fileprivate var pixels: Double { Double(width) * Double(height) }
}

/// What pixels of tiles cost, in seconds.
enum EncodingCost {
    /// To render and halve a pixel and to write its part of a file, on one core: what remained of the time of builds of
    /// seventeen pictures beside decoding and encoding.
    static let renderSeconds = 14e-9
    /// The same of an image that is turned or bent.
    private static let warpSeconds = 24e-9
    /// To begin and to end.
    private static let fixedSeconds = 0.01

    /// The wall time of a build: decoding goes on beside the rest, on one core.
    static func seconds(of plan: TilesetPlan, _ sampled: SampledEstimate) -> Double {
        let passes = plan.request.encoding.palette == nil ? 1.0 : 2
        let decoding = passes * sampled.decodingSeconds
        let rendering = passes * plan.renderedPixels * (plan.isUpright ? renderSeconds : warpSeconds)
        let encoding = sampled.zooms.reduce(0) { $0 + $1.seconds }
        let jobs = Double(plan.resources.effectiveJobs)
        return fixedSeconds + max(decoding, (decoding + rendering + encoding) / jobs)
    }
}

extension TilesetPlan {
    /// Whether rows and columns of all images are those of the tiles.
    fileprivate var isUpright: Bool {
        pyramid.layers.allSatisfy { if case .separable = $0.mapping.shape { true } else { false } }
    }

    /// Pixels of all zooms, also of those that are only halved.
    fileprivate var renderedPixels: Double {
        pyramid.levels.reduce(0) { $0 + Double($1.window.width) * Double($1.window.height) }
    }
}

extension TileEncoding {
    /// To encode a pixel; a small JPEG file takes ten times as long as another.
    var secondsPerPixel: Double {
        switch format {
        case .png, .auto: 11e-9
        case .jpeg: effectiveJPEGLevel == .small ? 60e-9 : 6e-9
        case .webp: lossless ? 120e-9 : 90e-9
        }
    }
}

/// What a program takes beside what a build plans for: its own pages, those of its libraries, and small things.
///
/// Measured on Linux, with the runtime of Swift as a part of the program: 21.4 to 21.9 MB of files' pages are resident in
/// builds of all kinds, and 30.9 to 32 MB in those that need PROJ. A build of a single tile has 2 MB beside them. Where
/// the runtime stands in libraries of its own, it is some 4 MB more.
enum ProgramMemory {
    /// Bytes of files' pages, without those of PROJ.
    private static let fileBytes = 21_600_000
    /// The same of PROJ and of the libraries that it brings along.
    private static let projBytes = 9_500_000
    /// Bytes of small things, which the runtime and libraries allocate.
    private static let smallBytes = 2 << 20
    /// Bytes for each tile, of lists of what is written: an archive has 60 to 90, a folder up to 150.
    private static let bytesPerTile = 128

    /// Bytes of memory for a build of at most so many tiles, which is planned already: if it needs PROJ, that is loaded.
    ///
    /// The same plan has the same each time.
    static func bytes(tiles: Int) -> Int {
        let proj = isMapped("libproj.", in: "/proc/self/maps") ? projBytes : 0
        return fileBytes + proj + smallBytes + tiles * bytesPerTile
    }

    /// Whether a library's file is mapped, as proc(5) says; false where nothing says it.
    ///
    /// - Parameter name: how the name of the file begins.
    static func isMapped(_ name: String, in path: String) -> Bool {
        guard let file = fopen(path, "r") else { return false }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 8192)
        while fgets(&line, Int32(line.count), file) != nil {
            if strstr(line, "/\(name)") != nil { return true }
        }
        return false
    }
}
