import Codecs
import Platform
import Raster
import Rendering
import Tiling

/// The estimated cost of a build.
public struct BuildEstimate: Hashable, Sendable, Encodable {
    /// The maximum number of tiles: it is not yet known which ones are wholly transparent.
    public let tiles: Int
    /// The likely bytes of all tiles.
    public let bytes: Int
    /// The least and the most bytes, in nineteen cases of twenty.
    public let spread: [Int]
    /// The peak memory of the process in bytes, its program and libraries included; see `ProgramMemory`.
    public let memory: Int
    /// Bytes of scratch files.
    public let scratch: Int
    /// Wall time in seconds.
    public let seconds: Double
    /// Bytes of each zoom's tiles, from the lowest zoom; empty if no tiles were tried.
    public let zoomBytes: [Int]

    private enum CodingKeys: CodingKey { case tiles, bytes, spread, memory, scratch, seconds }
}

extension TilesetPlan {
    /// The cost of the build, guessed from the cost of other builds. The bytes may be wrong by a factor of
    /// ten. The guess takes no time.
    public var roughEstimate: BuildEstimate {
        let bytes = roughBytes
        return estimate(bytes: bytes, spread: [bytes / 10, bytes * 10], zoomBytes: [], seconds: roughSeconds)
    }

    /// The cost of the build, measured on some of its tiles, which are made and thrown away.
    ///
    /// The same plan has the same bytes and memory each time; seconds are measured on this machine. Decodes
    /// each image once; the rest takes about a tenth of the build, and less than a second.
    ///
    /// - Throws: what a build throws; `CancellationError`.
    public func sampledEstimate() async throws -> BuildEstimate {
        let sampled = try await SampledEstimate(self)
        let bytes = sampled.zooms.reduce(0) { $0 + $1.bytes }
        // The last part is a systematic error: the tried zooms are rendered directly, not halved from finer
        // ones.
        let doubt = 2 * sampled.zooms.reduce(0) { $0 + $1.variance }.squareRoot() + 0.1 * bytes
        return estimate(
            bytes: Int(bytes), spread: [Int(max(bytes / 4, bytes - doubt)), Int(bytes + doubt)],
            zoomBytes: sampled.zooms.reversed().map { Int($0.bytes) },
            seconds: seconds(sampled))
    }

    private func estimate(bytes: Int, spread: [Int], zoomBytes: [Int], seconds: Double) -> BuildEstimate {
        // If the rows cannot be planned, the build reports the error.
        let rows = try? builder
        return BuildEstimate(
            tiles: tileCount, bytes: bytes, spread: spread,
            memory: rows.map { $0.residentBytes + ProgramMemory.bytes(tiles: tileCount) } ?? 0,
            scratch: rows?.scratchBytes ?? 0, seconds: seconds, zoomBytes: zoomBytes)
    }
}

extension TilesetPlan {
    /// Bytes of a tileset's tiles.
    ///
    /// A flat plan takes about 1.8 times its own bytes per pixel as PNG, because resampling softens its edges
    /// (0.067 and 0.12 bytes per pixel for the benchmark's plan), and 1.1 times as lossless WebP. It takes
    /// 0.15 bytes per pixel as JPEG of quality 85, and 0.04 as WebP. A photograph takes 2.2 bytes per pixel
    /// as PNG, 1.2 as lossless WebP, and 0.3 as JPEG or WebP of quality 85. With a palette, each bit per
    /// pixel takes a twentieth of the bytes of all colours.
    private var roughBytes: Int {
        let pixels = onDemand.images.reduce(0) { $0 + $1.fileInfo.pixels }
        let mean = onDemand.images.reduce(0) {
            $0 + $1.bytesPerPixel(as: onDemand.request.encoding) * $1.fileInfo.pixels / pixels
        }
        // A PNG has at least 100 bytes.
        return Int(mean * pixelCount(of: onDemand.pyramid.levels.filter(\.isWritten))) + 100 * tileCount
    }

    /// Wall time in seconds. To decode a pixel takes the reader's stated time, or half of it if the image is
    /// read smaller. To render and encode a pixel takes 16 ns, or 90 ns as WebP, or 120 ns as lossless WebP.
    /// A palette needs two passes.
    private var roughSeconds: Double {
        let encoding = onDemand.request.encoding
        let rate = encoding.format != .webp ? 16e-9 : encoding.lossless ? 120e-9 : 90e-9
        let encode = rate * pixelCount(of: onDemand.pyramid.levels.filter(\.isWritten))
        let decode = zip(onDemand.images, onDemand.reductionFactors).reduce(0) { sum, image in
            sum + image.0.fileInfo.pixels * image.0.fileInfo.secondsPerPixel / (image.1 > 1 ? 2 : 1)
        }
        let passes = encoding.palette == nil ? 1.0 : 2.0
        return passes * max(decode, (decode + encode) / Double(onDemand.resources.effectiveJobs))
    }

    private func pixelCount(of levels: [PyramidLevel]) -> Double {
        levels.reduce(0) { $0 + Double($1.window.width) * Double($1.window.height) }
    }
}

extension PlacedImage {
    /// Bytes per pixel of the tiles of an image.
    fileprivate func bytesPerPixel(as encoding: TileEncoding) -> Double {
        // A drawing takes as many bytes as the benchmark's plan.
        if let drawn, drawn.isVector { return encoding.format == .png ? 0.12 : 0.15 }
        let sourceRate = Double(InputFile.size(of: path)) / Double(fileInfo.pageCount) / fileInfo.pixels
        let isPhotograph = fileInfo.isLossy || sourceRate > 0.8
        switch encoding.format {
        case .jpeg, .auto: return isPhotograph ? 0.3 : 0.15
        case .png:
            let bits = encoding.palette.map { Int.bitWidth - ($0 - 1).leadingZeroBitCount }
            return (isPhotograph ? 2.2 : 1.8 * sourceRate) * (bits.map { Double($0) / 20 } ?? 1)
        case .webp where encoding.lossless: return isPhotograph ? 1.2 : 1.1 * sourceRate
        case .webp: return isPhotograph ? 0.3 : 0.04
        }
    }
}

extension RasterInfo {
    /// The number of pixels.
    fileprivate var pixels: Double { Double(width) * Double(height) }
}

/// The time for pixels of tiles, in seconds.
enum EncodingCost {
    /// The time to render and halve a pixel and to write its part of a file, on one core. Measured on builds
    /// of seventeen pictures, without the time to decode and encode.
    static let renderSeconds = 14e-9
    /// The same time for an image that is turned or bent.
    fileprivate static let warpSeconds = 24e-9
    /// The time to start and to end.
    fileprivate static let fixedSeconds = 0.01
}

extension TilesetPlan {
    /// The wall time of a build: images are decoded on one core while tiles are rendered.
    private func seconds(_ sampled: SampledEstimate) -> Double {
        let pyramid = onDemand.pyramid
        let isUpright = pyramid.layers.allSatisfy {
            if case .separable = $0.mapping.shape { true } else { false }
        }
        let rate = isUpright ? EncodingCost.renderSeconds : EncodingCost.warpSeconds
        let passes = onDemand.request.encoding.palette == nil ? 1.0 : 2
        let decoding = passes * sampled.decodingSeconds
        // All zooms, even those that are only halved.
        let rendering = passes * rate * pixelCount(of: pyramid.levels)
        let encoding = sampled.zooms.reduce(0) { $0 + $1.seconds }
        let jobs = Double(onDemand.resources.effectiveJobs)
        return EncodingCost.fixedSeconds + max(decoding, (decoding + rendering + encoding) / jobs)
    }
}

extension TileEncoding {
    /// The time to encode a pixel; a small JPEG file takes ten times as long as another.
    var secondsPerPixel: Double {
        switch format {
        case .png, .auto: 11e-9
        case .jpeg: effectiveJPEGLevel == .small ? 60e-9 : 6e-9
        case .webp: lossless ? 120e-9 : 90e-9
        }
    }
}

/// The memory of the program that a build's plan does not include: its own pages, those of its libraries, and
/// small allocations.
///
/// Measured on Linux, with the runtime of Swift linked statically: 21.4 to 21.9 MB of files' pages are
/// resident in builds of all kinds, and 30.9 to 32 MB in those that need PROJ. A build of a single tile has 2
/// MB more. With the runtime in shared libraries, builds have some 4 MB more.
enum ProgramMemory {
    /// Bytes of files' pages, without those of PROJ.
    private static let fileBytes = 21_600_000
    /// Bytes of the pages of PROJ and of the libraries that it needs.
    private static let projBytes = 9_500_000
    /// Bytes of small allocations of the runtime and libraries.
    private static let smallBytes = 2 << 20
    /// Bytes per tile for lists of written tiles: an archive takes 60 to 90, a folder up to 150.
    private static let bytesPerTile = 128

    /// Bytes of memory for a build of at most this many tiles. The build must be planned already, so that
    /// PROJ is loaded if it is needed.
    ///
    /// The same plan always gets the same result.
    static func bytes(tiles: Int) -> Int {
        let proj = isMapped("libproj.", in: "/proc/self/maps") ? projBytes : 0
        return fileBytes + proj + smallBytes + tiles * bytesPerTile
    }

    /// Whether a library's file is mapped, by proc(5); false on systems without it.
    ///
    /// - Parameter name: the beginning of the file's name.
    static func isMapped(_ name: String, in path: String) -> Bool {
        let bytes = (try? InputFile.bytes(of: path, atMost: 1 << 24)) ?? []
        return String(decoding: bytes, as: UTF8.self).contains("/\(name)")
    }
}
