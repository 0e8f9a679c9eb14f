import CCodec
import Platform
import Raster
import Tiling

extension ImageFormat {
    /// WebP files of a still image.
    static let webp = ImageFormat(
        name: "WebP", extensions: ["webp"], library: CC_LIBWEBP,
        fits: { TileFormat(signatureOf: $0) == .webp },
        rows: { try RowSource(webp: $0, options: $1, checkingSize: $2) })
}

extension RowSource {
    /// Opens a WebP file of a still image, lossy or lossless, of 8 bits, and reads its header. The image is
    /// decoded whole before its first row. The failure has a remedy if it is an animation.
    fileprivate convenience init(
        webp image: ImageReference, options: ReadOptions, checkingSize check: SizeCheck
    ) throws {
        var header = cc_webp_header()
        let reader = try RowReader(
            .webp, image, remedy: { header.is_animated ? Self.firstFrame(of: image.path) : nil }
        ) { cc_webp_open($0, &$1, &header, &$2) }
        try check(Int(header.image.width), Int(header.image.height))
        let form = cc_pixel_form(space: CC_SPACE_RGB, samples: header.image.bytes_per_pixel, bits: 8)
        let nodata = NodataLevel(options, largest: 255)
        let colors = try FileColors(
            header.image.color, form: form, title: image.title, keepsColors: options.keepsColors,
            nodata: nodata)
        let summary =
            "WebP, " + (header.is_lossless ? "lossless" : "lossy")
            + (header.image.bytes_per_pixel == 4 ? " with alpha" : "")
        var info = RasterInfo(header.image, summary: summary)
        info.isLossy = !header.is_lossless
        info.secondsPerPixel = 12e-9
        self.init(reader, of: image, info: info, colors: colors, nodata: nodata)
    }

    private static func firstFrame(of path: String) -> String {
        let frame = ShellWord.quoted(ShellWord.stem(of: path) + "-1.webp")
        return "extract its first frame: webpmux -get frame 1 \(ShellWord.quoted(path)) -o \(frame)"
    }
}

/// Encodes tiles as WebP, lossy or lossless.
///
/// Alpha is always exact, and opaque tiles have none. In lossy files chroma is halved both ways,
/// whatever the quality.
package final class WebPTileEncoder: CachingTileEncoder {
    /// Makes an encoder; its memory is allocated with the first tile.
    ///
    /// - Parameter quality: libwebp's quality, 1 to 100, or nil for lossless tiles.
    package init(quality: Int?) {
        precondition((1...100).contains(quality ?? 100), "quality is 1 to 100")
        super.init { size in
            try ImageWriter(.webp, width: size, height: size) {
                cc_webp_writer_create(quality == nil, Int32(quality ?? 0), &$0, &$1)
            }
        }
    }

    /// Bytes that an encoder touches for tiles of `size * size` pixels.
    ///
    /// libwebp does not document this. In builds it took 16 bytes a pixel and 1 MiB for both kinds of files:
    /// for pixels, their predictions, and either all tokens or hash chains, backward references and
    /// histograms.
    package static func bytes(size: Int) -> Int { size * size * 16 + (1 << 20) }
}
