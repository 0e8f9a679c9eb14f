import Platform
import Publishing
import Tilesets
import Tiling

/// An image with a position, of which a build would make tiles.
struct ImageSource: TileSource {
    private let image: ImageRequest
    private let request: PyramidRequest
    private let resources: BuildResources
    private let queue: RenderQueue.Share

    /// Names an image.
    init(
        _ image: ImageRequest, request: PyramidRequest, resources: BuildResources, queue: RenderQueue.Share
    ) {
        (self.image, self.request) = (image, request)
        (self.resources, self.queue) = (resources, queue)
    }

    var title: String { "\(image.title), rendered on demand" }

    func open(after last: ServedContent?) throws -> ServedContent {
        let inputs = try BuildInputs([image], others: request.files)
        // Another file may come to say where the image lies.
        let watch = FileWatch(inputs.paths, folders: [image.path.parentDirectory])
        let placed = try PlacedImages([image], resources: resources)
        let source = try TilesOnDemand(images: placed.all, request: request, resources: resources)
        return ServedContent(
            RenderedTiles(source, queue: queue),
            metadata: TilesetMetadata(of: source, name: image.stem(", page ")),
            watch: watch)
    }
}

extension TilesetMetadata {
    /// What a tileset would say of itself that nobody has built.
    init(
        of source: TilesOnDemand, name: String, labels: TilesetLabels = TilesetLabels(), floor: String? = nil
    ) {
        self.init(
            name: labels.name ?? name, description: labels.description ?? "",
            attribution: labels.attribution ?? "", floor: floor, format: source.request.encoding.format,
            tileSize: source.request.tileSize.rawValue, scheme: .xyz, template: "", baseURL: nil,
            bounds: source.bounds, limits: source.limits, contents: nil)
        fitBounds()
    }
}
