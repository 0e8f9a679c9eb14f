import Codecs
import Palettes

extension TileEncoding {
    /// Bytes that the encoder of a job takes, for tiles of `tileSize * tileSize` pixels.
    ///
    /// Colours of a palette are counted before anything is encoded: what takes more of the two counts.
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
