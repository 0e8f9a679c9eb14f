internal import Georeferencing
internal import Raster
internal import Resampling
internal import Tiling

/// Which rows of a layer's image the pixels of the finest level need: the exact answer of the weights
/// or of the grid that will be used to render them.
enum RequiredRows {
    case weights(SeparableWeights)
    case grid(MappingGrid)
    /// A view reads such an image by blocks: no row has to be there before.
    case blocks

    /// Prepares weights or a grid.
    init(_ target: RenderTarget, layer: Int) {
        if !target.grid.isUpright, target.layers[layer].isTiled {
            self = .blocks
            return
        }
        self =
            target.weights(ofLayer: layer).map { .weights($0) }
            ?? .grid(target.mappingGrid(ofLayer: layer))
    }

    /// The weights, if rows and columns are resampled apart.
    var weights: SeparableWeights? {
        if case .weights(let weights) = self { weights } else { nil }
    }

    /// The columns of the layer's image that some columns of the finest level need; all columns if
    /// only a grid could tell, if the image leads around the world, or if it can only be read from the
    /// top.
    func sourceColumns(for columns: Range<Int>, of layer: ImageLayer) -> Range<Int> {
        let all = 0..<layer.info.width
        guard let weights = weights?.columns, layer.mapping.columnsPerTurn == nil,
            layer.blockSize != nil
        else { return all }
        let needed = weights.sourceReach(of: weights.pixels.clamped(to: columns)).clamped(to: all)
        // Reached cells are estimated, so that none may be needed. No band can have 0 columns: one is read then.
        return needed.isEmpty ? 0..<1 : needed
    }

    /// The rows for a window of the finest level, as far as they exist; empty if none is touched. All of
    /// them if the image is read by blocks.
    func sourceRows(for window: PixelWindow, sourceHeight: Int) -> Range<Int> {
        if window.isEmpty { return 0..<0 }
        let needed: [Range<Int>] =
            switch self {
            case .weights(let weights):
                window.rows.map { weights.rows.sourcePixels(of: $0) }
            case .grid(let grid):
                grid.parts(of: window).compactMap { part in
                    grid.sourceRows(of: part).map { $0.lowerBound..<$0.upperBound + 1 }
                }
            case .blocks: [0..<sourceHeight]
            }
        let inside = needed.map { $0.clamped(to: 0..<sourceHeight) }.filter { !$0.isEmpty }
        return inside.dropFirst().reduce(inside.first ?? 0..<0) { $0.hull(with: $1) }
    }
}
