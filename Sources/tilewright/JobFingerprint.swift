import Pyramid
import Tilesets
import Raster
import Codecs

/// What decides the bytes of all tiles: two runs with the same fingerprint write the same tiles.
struct JobFingerprint {
    /// The hash of everything below.
    let hash: ContentHash

    /// Hashes the source's bytes and the options that matter. Reads the source once.
    ///
    /// Where the position comes from does not matter, only what it is: the georeference stands in
    /// with all its numbers.
    init(_ plan: TilesetPlan, options: ImageOptions, tiles: TileOptions) throws {
        let image = plan.image
        let parts = [
            Version.current,
            try ContentHash(ofFile: options.source).hex,
            "\(options.crop, default: "") \(options.nodata, default: "")",
            "\(image.georeference)",
            "\(plan.source.info)",
            "\(plan.pyramid.options)",
            "\(tiles.format) \(tiles.quality ?? 0) \(tiles.pngLevel?.rawValue ?? "")",
        ]
        hash = ContentHash(of: parts.joined(separator: "\n"))
    }
}
