import Georeferencing
import Pyramid
import Publishing
import Tilesets
import Tiling

extension TilesetMetadata {
    /// What a tileset says of itself, from the options and from what was built.
    init(
        output: OutputOptions, names: TileNames, tiles: TileOptions, plan: TilesetPlan,
        limits: [TileMatrixLimits], contents: TilesetContents
    ) {
        let file = plan.images.count == 1 ? plan.images[0].path : output.output
        self.init(
            name: output.labels.name ?? file.fileStem,
            description: output.labels.description ?? "",
            attribution: output.labels.attribution ?? "",
            floor: output.floor,
            format: tiles.format,
            tileSize: tiles.tileSize.rawValue,
            scheme: names.clientScheme,
            template: names.clientTemplate,
            baseURL: output.url,
            bounds: plan.lonLatBounds,
            limits: limits,
            contents: contents)
        fitBounds()
    }
}

extension TilesetPlan {
    /// The box around all footprints in degrees; the east is beyond 180 across the antimeridian.
    var lonLatBounds: BoundingBox {
        let boxes = pyramid.layers.map(\.mapping.lonLatBounds)
        return boxes.dropFirst().reduce(boxes[0]) { box, other in
            BoundingBox(
                minX: min(box.minX, other.minX), minY: min(box.minY, other.minY),
                maxX: max(box.maxX, other.maxX), maxY: max(box.maxY, other.maxY))
        }
    }
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
