public import Codecs
import Palettes
package import Platform
import Raster
public import Tiling

/// The file type of tiles, and the effort to make them small.
public struct TileEncoding: Hashable, Codable, Sendable {
    /// The file type.
    public var format: TileFormat
    /// The quality of JPEG and lossy WebP, 1 to 100; nil for 85.
    public var quality: Int?
    /// Whether WebP is lossless.
    public var lossless = false
    /// The effort to make PNG small; nil for `standard`.
    public var pngLevel: PNGLevel?
    /// The effort to make JPEG small; nil for `standard`.
    public var jpegLevel: JPEGLevel?
    /// The number of colours, 2 to 256, to which all PNG tiles are reduced; nil for all colours.
    public var palette: Int?

    /// Asks for tiles of a type.
    public init(_ format: TileFormat = .png, quality: Int? = nil) {
        self.format = format
        self.quality = quality
    }

    /// Whether all tiles hold their pixels exactly.
    package var isLossless: Bool { format == .png || lossless }

    /// The quality of tiles that are not lossless.
    package var effectiveQuality: Int { quality ?? 85 }

    /// The effort to make PNG small.
    package var effectivePNGLevel: PNGLevel { pngLevel ?? .standard }

    /// The effort to make JPEG small.
    package var effectiveJPEGLevel: JPEGLevel { jpegLevel ?? .standard }

    /// Refuses options that do not apply to the file type, and numbers out of range.
    ///
    /// - Throws: `.usage`.
    package func check() throws(Failure) {
        try checkQuality()
        try checkPalette()
        if lossless, format != .webp {
            throw Failure(
                .usage,
                "--lossless does not apply to \(format.title)"
                    + (format == .png ? ", which is always lossless" : "; see --format png and webp"))
        }
        try checkLevels()
    }

    private func checkLevels() throws(Failure) {
        if format == .auto { return }
        let own: [TileFormat: String] = [.png: "--png-level", .jpeg: "--jpeg-level"]
        let given = [pngLevel.map { _ in "--png-level" }, jpegLevel.map { _ in "--jpeg-level" }]
        if let option = given.compactMap(\.self).first(where: { $0 != own[format] }) {
            throw Failure(
                .usage, "\(option) does not apply to \(format.title); see \(own[format] ?? "--quality")")
        }
    }

    private func checkQuality() throws(Failure) {
        guard let quality else { return }
        if format == .png {
            throw Failure(
                .usage, "--quality does not apply to PNG, which is lossless; see --png-level")
        }
        if lossless { throw Failure(.usage, "--quality cannot be combined with --lossless") }
        guard 1...100 ~= quality else {
            throw Failure(.usage, "--quality \(quality) is not between 1 and 100")
        }
    }

    private func checkPalette() throws(Failure) {
        guard let palette else { return }
        guard format == .png else {
            throw Failure(.usage, "--palette applies only to PNG, not to \(format.title)")
        }
        guard 2...256 ~= palette else {
            throw Failure(.usage, "--palette \(palette) is not between 2 and 256")
        }
    }

    /// Makes the encoder of a job.
    ///
    /// - Parameter palette: the colours that pixels are reduced to; nil for all.
    func makeEncoder(palette: Palette?) -> any TileEncoder {
        guard let palette else { return makeEncoder() }
        return PaletteTileEncoder(palette, before: makeEncoder())
    }

    private func makeEncoder() -> any TileEncoder {
        switch format {
        case .png: PNGTileEncoder(level: effectivePNGLevel)
        case .jpeg: JPEGTileEncoder(quality: effectiveQuality, level: effectiveJPEGLevel)
        case .webp: WebPTileEncoder(quality: lossless ? nil : effectiveQuality)
        case .auto:
            AutoTileEncoder(
                opaque: JPEGTileEncoder(quality: effectiveQuality, level: effectiveJPEGLevel),
                translucent: PNGTileEncoder(level: effectivePNGLevel))
        }
    }
}

extension TileFormat {
    fileprivate var title: String {
        switch self {
        case .png: "PNG"
        case .jpeg: "JPEG"
        case .webp: "WebP"
        case .auto: "--format auto"
        }
    }
}

extension TileEncoding {
    /// Bytes that the encoder of a job takes, for tiles of `tileSize * tileSize` pixels.
    ///
    /// Colours of a palette are counted before anything is encoded, so that the larger of the two needs is
    /// the result.
    func encoderBytes(tileSize: Int) -> Int {
        let encoder = fileBytes(tileSize)
        if palette == nil { return encoder }
        return max(ColorHistogram.bytes, PaletteTileEncoder.bytes(size: tileSize) + encoder)
    }

    private func fileBytes(_ size: Int) -> Int {
        let png = PNGTileEncoder.bytes(level: effectivePNGLevel, size: size)
        let jpeg = JPEGTileEncoder.bytes(level: effectiveJPEGLevel, size: size)
        return switch format {
        case .png: png
        case .jpeg: jpeg
        case .webp: WebPTileEncoder.bytes(size: size)
        case .auto: jpeg + png
        }
    }
}
