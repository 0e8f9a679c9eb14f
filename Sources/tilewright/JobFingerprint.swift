import Pyramid
import Tilesets
import Raster
import Codecs

/// What decides the bytes of all tiles: two runs with the same fingerprint write the same tiles.
struct JobFingerprint {
    /// The hash of everything below.
    let hash: ContentHash

    /// Hashes the images' bytes and the options that matter. Reads each image once.
    ///
    /// Where the position comes from does not matter, only what it is: the georeference stands in
    /// with all its numbers.
    init(_ plan: TilesetPlan, options: ImageOptions, tiles: TileOptions) throws {
        let images = try zip(plan.images, plan.pyramid.layers).map { image, layer in
            let files = try ImageFile.paths(of: image.path)
            let hashes = try files.map { try ContentHash(ofFile: $0).hex }.joined(separator: " ")
            return "\(hashes) \(image.georeference) \(layer.info) \(image.readOptions) "
                + "\(image.nodata, default: "")"
        }
        let parts =
            images + [
                Version.current,
                "\(options.crop, default: "")",
                "\(plan.pyramid.options)",
                "\(tiles.format) \(tiles.quality ?? 0) \(tiles.pngLevel?.rawValue ?? "") "
                    + "\(tiles.lossless) \(tiles.palette ?? 0)",
            ]
        hash = ContentHash(of: parts.joined(separator: "\n"))
    }
}
