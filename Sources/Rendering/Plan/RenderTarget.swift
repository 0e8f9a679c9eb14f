import Georeferencing
import Raster
import Tiling

/// The target that images are rendered onto: the pixels of a grid, and the pixels that each image touches.
struct RenderTarget: Sendable {
    /// The images, each over the ones before it.
    let layers: [ImageLayer]
    /// The grid.
    let grid: PixelGrid
    /// The pixels of the grid that exist.
    let window: PixelWindow
    /// The pixels that are rendered.
    let part: LevelPart
    /// The cells of the grid in which each image is drawn: the cells that its footprint touches or, if there
    /// are several images, those that its kernel reaches.
    let coverages: [CellCoverage]
    /// The kernel of layers that have none of their own.
    let method: ResamplingMethod
    /// Whether there are several images, even if only some of them are layers here.
    let isMosaic: Bool
    /// The precision of the weights of `area` if rows and columns are not resampled separately.
    let footprints: FootprintPrecision

    /// The kernel of a layer.
    func method(ofLayer index: Int) -> ResamplingMethod { layers[index].method ?? method }

    /// Whether rows and columns of a layer are resampled separately.
    func isSeparable(_ index: Int) -> Bool {
        guard case .separable = layers[index].mapping.shape else { return false }
        return grid.isUpright && !method(ofLayer: index).copiesPixels
    }

    /// The weights of a layer for all pixels to be rendered that its footprint touches; nil if rows and
    /// columns are not resampled separately.
    func weights(ofLayer index: Int) -> SeparableWeights? {
        let (layer, method) = (layers[index], method(ofLayer: index))
        guard isSeparable(index), case .separable(let column, let row) = layer.mapping.shape
        else { return nil }
        let pixels = pixels(ofLayer: index)
        let everywhere = -Double.infinity...Double.infinity
        let isTurn = layer.mapping.columnsPerTurn != nil
        return SeparableWeights(
            columns: AxisWeights(
                pixels: pixels.columns, method: method,
                within: isTurn ? everywhere : layer.mapping.columns
            ) { column(grid.mercator(ofPixel: Point(x: $0, y: 0)).x) },
            rows: AxisWeights(
                pixels: pixels.rows, method: method, within: rowsInWorld(of: layer.mapping, row)
            ) { row(grid.mercator(ofPixel: Point(x: 0, y: $0)).y) },
            sourceWidth: layer.info.width)
    }

    /// The rows of an image, as far as a view shows them: if the world's northern or southern edge cuts a
    /// pixel, the part inside. Tiles end there anyway.
    private func rowsInWorld(of mapping: ImageMapping, _ row: AxisMapping) -> ClosedRange<Double> {
        guard grid.columnsPerTurn == nil else { return mapping.rows }
        let edges = [row(WebMercator.halfWorld), row(-WebMercator.halfWorld)]
        return mapping.rows.clamped(to: min(edges[0], edges[1])...max(edges[0], edges[1]))
    }

    /// The pixels for which a layer needs weights. If there are several layers, these are all columns, even
    /// if only a part is rendered: how a layer's edge is joined with another depends on all of them.
    private func pixels(ofLayer index: Int) -> PixelWindow {
        let touched = coverages[index].window.intersection(window)
        let rendered = touched.intersection(part.hull)
        if !isMosaic || rendered.isEmpty { return rendered }
        return PixelWindow(columns: touched.columns, rows: rendered.rows)
    }

    /// The positions of a layer's pixels under the pixels of the grid.
    func mappingGrid(ofLayer index: Int) -> MappingGrid {
        MappingGrid(
            layers[index], onto: grid, method: method(ofLayer: index), footprints: footprints)
    }

    /// The parts of an image that rows to be rendered need, in the order of the rows. None if it is not known
    /// beforehand.
    func sourceWindows(ofLayer layer: Int, under rows: [Range<Int>]) -> [PixelWindow] {
        let need = RequiredRows(self, layer: layer)
        return rows.flatMap { $0.clamped(to: part.rows).cut(every: CellCoverage.cellSize) }.flatMap { rows in
            part.columns.flatMap { columns in
                need.sourceWindows(
                    for: PixelWindow(
                        columns: coverages[layer].pixels(inRows: rows, of: columns), rows: rows),
                    of: layers[layer].info.window)
            }
        }
    }

    /// The rows of images that some rows to be rendered need.
    func sources(of rows: Range<Int>, _ needs: [RequiredRows]) -> [LayerRows] {
        layers.indices.compactMap { layer in
            let needed = rows.cut(every: CellCoverage.cellSize).flatMap { rows in
                part.columns.map { columns in
                    let touched = coverages[layer].pixels(inRows: rows, of: columns)
                    return needs[layer].sourceRows(
                        for: PixelWindow(columns: touched, rows: rows),
                        sourceHeight: layers[layer].info.height)
                }
            }.filter { !$0.isEmpty }
            guard let first = needed.first else { return nil }
            return LayerRows(
                layer: layer, rows: needed.dropFirst().reduce(first) { $0.hull(with: $1) })
        }
    }
}

extension PyramidPlan {
    /// The target of the images: the finest level.
    var target: RenderTarget {
        let finest = levels[0]
        return RenderTarget(
            layers: layers, grid: finest.grid, window: finest.window, part: finest.part,
            coverages: reachedCells, method: options.resampling, isMosaic: whole.isMosaic,
            footprints: hasManyShapes ? .scanned : .exact)
    }

    /// The cells in which each layer is drawn. If a sheet ends at an edge of a cell and another sheet
    /// continues in the next cell, kernels there reach the first sheet, too.
    private var reachedCells: [CellCoverage] {
        let finest = levels[0]
        guard whole.isMosaic else { return finest.coverages }
        let cellSize = finest.grid.narrowestCell(of: finest.window)
        return zip(layers, finest.coverages).map { layer, coverage in
            // A zoom of finished tiles meets other zooms edge to edge.
            if layer.isZoom { return coverage }
            let support = Double(Kernel(layer.method ?? options.resampling)?.support ?? 1)
            // Half as far again, for mappings whose pixels vary in size, and a pixel.
            return coverage.reaching(1.5 * support * max(1, layer.mapping.mercatorCellSize / cellSize) + 1)
        }
    }

    /// Whether the shape of pixels varies from cell to cell: in a tilted view, and along the limb of the
    /// Earth.
    private var hasManyShapes: Bool { isView || layers.contains { $0.mapping.earth != nil } }
}

/// The rows of a layer's image that the pixels of the finest level need. They are exact: computed with the
/// weights or the grid that will be used for rendering.
enum RequiredRows {
    case weights(SeparableWeights)
    case grid(MappingGrid)
    /// A view reads the image by blocks: no row has to be read beforehand.
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

    /// The weights, if rows and columns are resampled separately.
    var weights: SeparableWeights? {
        if case .weights(let weights) = self { weights } else { nil }
    }

    /// The columns of the layer's image that some columns of the finest level need. All columns if there is
    /// only a grid, if the image leads around the world, or if it can only be read from the top.
    func sourceColumns(for columns: Range<Int>, of layer: ImageLayer) -> Range<Int> {
        let all = 0..<layer.info.width
        guard let weights = weights?.columns, layer.mapping.columnsPerTurn == nil,
            layer.blockSize != nil
        else { return all }
        let needed = weights.sourceReach(of: weights.pixels.clamped(to: columns)).clamped(to: all)
        // The cells are an estimate: perhaps no column is needed. Then one is read, as a band cannot have 0.
        return needed.isEmpty ? 0..<1 : needed
    }

    /// The existing parts of an image that a window of the finest level needs; none if they are unknown.
    func sourceWindows(for window: PixelWindow, of image: PixelWindow) -> [PixelWindow] {
        if window.isEmpty { return [] }
        let parts: [PixelWindow] =
            switch self {
            case .weights(let weights):
                [
                    PixelWindow(
                        columns: weights.columns.sourceReach(of: window.columns),
                        rows: sourceRows(for: window, sourceHeight: image.height))
                ]
            case .grid(let grid): grid.parts(of: window).compactMap(grid.sourceWindow(of:))
            case .blocks: []
            }
        return parts.map { $0.intersection(image) }.filter { !$0.isEmpty }
    }

    /// The existing rows for a window of the finest level; empty if it touches none. All rows if the image is
    /// read by blocks.
    func sourceRows(for window: PixelWindow, sourceHeight: Int) -> Range<Int> {
        if window.isEmpty { return 0..<0 }
        let needed: [Range<Int>] =
            switch self {
            case .weights(let weights):
                window.rows.map { weights.rows.sourcePixels(of: $0) }
            case .grid(let grid):
                grid.parts(of: window).compactMap(grid.sourceRows(of:))
            case .blocks: [0..<sourceHeight]
            }
        let inside = needed.map { $0.clamped(to: 0..<sourceHeight) }.filter { !$0.isEmpty }
        return inside.dropFirst().reduce(inside.first ?? 0..<0) { $0.hull(with: $1) }
    }
}
