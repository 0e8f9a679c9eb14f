import Georeferencing
import Publishing
import Tilesets
import Tiling

extension TilesetMetadata {
    /// What a tileset says of itself, from the options and from what was built.
    init(
        output: OutputOptions, names: TileNames, tiles: TileOptions, image: PlacedImage,
        path: String, limits: [TileMatrixLimits]
    ) {
        self.init(
            name: output.name ?? path.fileStem,
            description: output.description ?? "",
            attribution: output.attribution ?? "",
            floor: output.floor,
            format: tiles.format.fileExtension,
            tileSize: tiles.tileSize.rawValue,
            scheme: names.clientScheme,
            template: names.clientTemplate,
            baseURL: output.url,
            bounds: image.mapping.lonLatBounds,
            limits: limits)
    }

    /// The files beside the tiles.
    var sideFiles: [SideFile] { [MetadataJSON(self).file, TileJSON(self).file] }
}

extension ImageMapping {
    /// The footprint's box in degrees; the east is beyond 180 across the antimeridian.
    var lonLatBounds: BoundingBox {
        guard let box = BoundingBox(around: outline.map(WebMercator.lonLat)) else {
            preconditionFailure("a mapping has an outline")
        }
        return box
    }
}
