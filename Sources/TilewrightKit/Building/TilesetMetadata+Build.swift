import Platform
import Georeferencing
import Pyramid
import Publishing
import Tilesets
import Tiling

extension TilesetMetadata {
    /// What a tileset says of itself, from the request and from what was built.
    init(
        output: OutputRequest, names: TileNames, plan: TilesetPlan,
        limits: [TileRange], contents: TilesetContents
    ) {
        let name = plan.images.count == 1 ? plan.images[0].request.stem(", page ") : output.path.fileStem
        self.init(
            name: output.labels.name ?? name,
            description: output.labels.description ?? "",
            attribution: output.labels.attribution ?? "",
            floor: output.floor,
            format: plan.request.encoding.format,
            tileSize: plan.request.tileSize.rawValue,
            scheme: names.clientScheme,
            template: names.clientTemplate,
            baseURL: output.url,
            bounds: plan.bounds,
            limits: limits,
            contents: contents)
        fitBounds()
    }
}
