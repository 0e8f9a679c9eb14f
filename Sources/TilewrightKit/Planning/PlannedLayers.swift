import Pyramid
import Resampling
import Tiling

/// The images of a plan as layers of its pyramid, and how their pixels come.
struct PlannedLayers {
    /// The layers, in the order of the images.
    let layers: [ImageLayer]

    private let sources: [RenderPass.Source]
    /// The zoom that they were planned for.
    private let finest: Int

    /// Plans layers for the finest zoom: files first, for pages are drawn for whatever zoom those need.
    ///
    /// - Parameter finest: the zoom that images are rendered at, if that is known.
    init(_ images: [PlacedImage], options: PyramidOptions, finest known: Int? = nil) throws {
        let maximum = TileMatrix(zoom: options.zooms.upperBound, tileSize: options.tileSize)
        let files = try images.map { image in
            image.drawn == nil
                ? try image.layer(forCell: maximum.cellSize, resampling: options.resampling) : nil
        }
        finest = known ?? PyramidPlan.finestZoom(of: files.compactMap { $0?.layer }, options: options)
        let matrix = TileMatrix(zoom: finest, tileSize: options.tileSize)
        let planned = try zip(images, files).map { image, file in
            if let file { return (file.layer, RenderPass.Source.file(reducedBy: file.factor)) }
            return try image.drawnLayer(on: matrix, PageStyle(isAliased: options.resampling.copiesPixels))
        }
        (layers, sources) = (planned.map(\.0), planned.map(\.1))
    }

    /// How a pyramid of the layers is rendered: if all images are drawn, and their overviews are to be drawn too, each
    /// zoom by itself.
    func passes(
        of pyramid: PyramidPlan, images: [PlacedImage], overviews: PyramidRequest.Overviews
    ) throws -> [RenderPass] {
        guard images.allSatisfy({ $0.isRedrawn(overviews) }) else {
            return [RenderPass(pyramid: pyramid, sources: sources)]
        }
        return try pyramid.levels.filter(\.isWritten).compactMap { level in
            let style = PageStyle(
                zoomsOut: pyramid.options.zooms.upperBound - level.zoom,
                isAliased: pyramid.options.resampling.copiesPixels)
            let planned =
                level.zoom == finest
                ? Array(zip(layers, sources)) : try images.map { try $0.drawnLayer(on: level.matrix, style) }
            return try pyramid.alone(zoom: level.zoom, of: planned.map(\.0)).map {
                RenderPass(pyramid: $0, sources: planned.map(\.1))
            }
        }
    }
}

extension PlacedImage {
    /// The page as a layer of tiles, and what it is drawn onto.
    fileprivate func drawnLayer(
        on matrix: TileMatrix, _ style: PageStyle
    ) throws -> (ImageLayer, RenderPass.Source) {
        guard let drawn else { preconditionFailure("an image that is not drawn has a file of pixels") }
        let planned = try PageLayer(drawn, window: window, mapping: mapping, on: matrix)
        var layer = planned.layer
        layer.neatline = placement.neatline
        return (layer, .drawn(planned.grid, style))
    }

    /// Whether each zoom is drawn anew.
    fileprivate func isRedrawn(_ overviews: PyramidRequest.Overviews) -> Bool {
        guard let drawn else { return false }
        switch overviews {
        case .auto: return drawn.isVector
        case .drawn: return true
        case .halved: return false
        }
    }
}
