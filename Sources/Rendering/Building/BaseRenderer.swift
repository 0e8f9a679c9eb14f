import Platform
import Tiling

/// Renders pixels of a target from the images, later ones over earlier ones. One per worker.
final class BaseRenderer: FinestRenderer {
    private let target: RenderTarget
    private let readers: [LayerReader]
    private let kernels: Kernels
    private let resampler: SeparableResampler
    /// One per kernel.
    private let warpers: [ResamplingMethod: Warper]
    /// Cuts the pixels along the cutline, if there is one.
    private let cutter: Cutter?
    /// Whether joining alone is exact for layers whose edges meet.
    private let isJoinedExactly: Bool
    /// The buffer for a layer that is laid over another.
    private var overlay: LevelBand?
    /// The grids of the layers that were rendered last.
    private var grids: [Int: MappingGrid] = [:]

    /// The number of grids that are kept before all are dropped: more than there are adjacent sheets.
    private static let keptGrids = 256

    init(
        target: RenderTarget, cut: LevelCut?, readers: [LayerReader], kernels: Kernels,
        footprints: FootprintTables
    ) {
        self.target = target
        cutter = cut.map { Cutter(mask: $0.mask, isHard: target.method.copiesPixels) }
        self.readers = readers
        self.kernels = kernels
        resampler = SeparableResampler(kernels: kernels)
        isJoinedExactly = !target.layers.indices.allSatisfy {
            Kernel(target.method(ofLayer: $0))?.hasNegativeWeights ?? false
        }
        warpers = Dictionary(
            uniqueKeysWithValues: Set(target.layers.indices.map(target.method(ofLayer:))).map {
                ($0, Warper(method: $0, kernels: kernels, footprints: footprints))
            })
    }

    /// Renders the pixels of a window that a footprint touches; the window is in one row of cells.
    func render(_ window: PixelWindow, into band: LevelBand) throws {
        try renderWhole(window, into: band)
        cutter?.cut(window, of: band)
    }

    private func renderWhole(_ window: PixelWindow, into band: LevelBand) throws {
        let parts = target.coverages.map { coverage in
            PixelWindow(
                columns: coverage.pixels(inRows: window.rows, of: window.columns), rows: window.rows)
        }
        let layers = readers.indices.filter { !parts[$0].isEmpty }
        guard layers.count > 1 else {
            for layer in layers { try draw(layer, parts[layer], into: band) }
            return
        }
        for columns in target.coverages.pixels(inRows: window.rows, of: window.columns) {
            band.clear(PixelWindow(columns: columns, rows: window.rows))
        }
        try draw(layers[0], parts[layers[0]], into: band)
        for layer in layers.dropFirst() { try lay(layer, parts[layer], over: band) }
        if isJoinedExactly { return }
        for part in grid(ofLayer: layers[0]).parts(of: window) { mendSeams(of: part, layers, in: band) }
    }

    /// Corrects a part of a cell where the edges of layers meet.
    private func mendSeams(of window: PixelWindow, _ layers: [Int], in band: LevelBand) {
        var sheets: [SheetSeams.Sheet] = []
        for layer in layers {
            let columns = target.coverages[layer].pixels(inRows: window.rows, of: window.columns)
            guard !columns.isEmpty, let (pixels, weights) = readers[layer].content else { continue }
            // Pixels at the limb of a layer are not corrected.
            if target.layers[layer].limb != nil { return }
            let part = PixelWindow(columns: columns, rows: window.rows)
            if let weights {
                sheets.append((part, KernelShares(of: part, by: weights, in: pixels)))
            } else if let kernel = Kernel(target.method(ofLayer: layer)) {
                let positions = grid(ofLayer: layer).positions(of: part)
                sheets.append((part, KernelShares(of: part, at: positions, kernel: kernel, in: pixels)))
            }
        }
        if sheets.count(where: \.shares.areCut) > 1 { SheetSeams.mend(window, sheets, in: band) }
    }

    /// Renders the pixels of the lowest layer.
    private func draw(_ layer: Int, _ window: PixelWindow, into band: LevelBand) throws {
        guard let (pixels, weights) = readers[layer].content else { return band.clear(window) }
        if let weights {
            return try resampler.render(window, from: pixels, weights: weights, into: band)
        }
        let (grid, warper, limb) = (grid(ofLayer: layer), warper(ofLayer: layer), limb(ofLayer: layer))
        for part in grid.parts(of: window) {
            if pixels.knowsColors, let reads = grid.sourceWindow(of: part),
                let color = pixels.uniformColor(of: reads, with: kernels)
            {
                band.fill(part, with: color)
            } else {
                try warper.render(part, at: grid.positions(of: part), from: pixels, into: band)
            }
        }
        limb?.cut(window, of: band)
    }

    /// Renders a layer's pixels over the existing ones.
    private func lay(_ layer: Int, _ window: PixelWindow, over band: LevelBand) throws {
        guard let (pixels, weights) = readers[layer].content else { return }
        let above = try overlay(for: window)
        if let weights {
            try resampler.render(window, from: pixels, weights: weights, into: above)
            for row in window.rows {
                let interior = weights.interior(of: window, row: row, in: pixels)
                band.lay(above, row: row, columns: window.columns, interior: interior)
            }
            return
        }
        let (grid, warper) = (grid(ofLayer: layer), warper(ofLayer: layer))
        for part in grid.parts(of: window) {
            let positions = grid.positions(of: part)
            try warper.render(part, at: positions, from: pixels, into: above)
            limb(ofLayer: layer)?.cut(part, of: above)
            for row in part.rows {
                let interior = warper.interior(
                    of: positions, row: row - part.rows.lowerBound, in: pixels)
                let first = part.columns.lowerBound
                band.lay(
                    above, row: row, columns: part.columns,
                    interior: first + interior.lowerBound..<first + interior.upperBound)
            }
        }
    }

    private func grid(ofLayer layer: Int) -> MappingGrid {
        if let grid = grids[layer] { return grid }
        if grids.count >= Self.keptGrids { grids.removeAll() }
        let grid = target.mappingGrid(ofLayer: layer)
        grids[layer] = grid
        return grid
    }

    private func warper(ofLayer layer: Int) -> Warper {
        warpers[target.method(ofLayer: layer)].unwrapped("each kernel has a warper")
    }

    /// The cutter that makes a layer transparent beyond the limb of the Earth.
    private func limb(ofLayer layer: Int) -> Cutter? {
        target.layers[layer].limb.map {
            Cutter(mask: $0, isHard: target.method(ofLayer: layer).copiesPixels)
        }
    }

    private func overlay(for window: PixelWindow) throws -> LevelBand {
        if let overlay, overlay.hasRoom(for: window) { return overlay.moved(to: window) }
        let band = try LevelBand(window: window, capacity: window.height)
        overlay = band
        return band
    }
}

extension Warper {
    /// Renders a part of a cell.
    fileprivate func render(
        _ part: PixelWindow, at positions: SourcePositions, from pixels: SourceBand,
        into band: LevelBand
    ) throws {
        try render(positions, from: pixels) { row in
            band.pixel(column: part.columns.lowerBound, row: part.rows.lowerBound + row)
        }
    }
}

/// Corrects pixels where sheets meet and kernels have negative weights.
///
/// If an edge cuts such a kernel, the remaining weights do not add up to 1. Sheets that overlap by less than
/// the kernel's reach do not compensate for each other: a faint line would be visible between two opaque
/// sheets. Where sheets together cover the whole kernel, their mixture is divided by the sum of the weights
/// that made it.
///
/// The result for a pixel depends only on the pixel, not on the window.
struct SheetSeams {
    /// A sheet in a window: its kernels' shares, for a part of the columns.
    typealias Sheet = (part: PixelWindow, shares: KernelShares)

    /// The share of a kernel that sheets must cover together. The rest changes a pixel too little to be
    /// visible, and shares that were sampled at different fractions of a pixel add up to 1 only with about
    /// this precision.
    private static let enough = 0.95

    /// The least sum of weights for a division: with less of the kernel, the pixel is cut by the outer edge
    /// of all sheets.
    private static let leastMass = 0.5

    /// Mends a window.
    ///
    /// - Parameter sheets: from the lowest to the uppermost.
    static func mend(_ window: PixelWindow, _ sheets: [Sheet], in band: LevelBand) {
        for row in window.rows {
            for column in window.columns {
                var sum = Mixture()
                for sheet in sheets where sheet.part.columns.contains(column) {
                    sum.lay(sheet.shares.share(column: column, row: row))
                }
                if sum.cutSheets > 1, sum.cover >= enough, sum.mass >= leastMass {
                    band.divide(column: column, row: row, by: sum.mass)
                }
            }
        }
    }

    /// The result of laying opaque sheets over each other in a pixel.
    private struct Mixture {
        var mass = 0.0
        var cover = 0.0
        /// The number of sheets with an edge in the kernel, above the last sheet that covers all of it.
        var cutSheets = 0

        mutating func lay(_ share: KernelShare) {
            if share.cover == 0 { return }
            if share.cover == 1 {
                (mass, cover, cutSheets) = (1, 1, 0)
                return
            }
            mass = share.mass + mass * Self.weight(below: mass, above: share.mass)
            cover = min(1, cover + share.cover)
            cutSheets += 1
        }

        /// The weight of pixels in `cr_join`.
        private static func weight(below: Double, above: Double) -> Double {
            if below == 0 { return 1 }
            let over = 1 - above
            return min(max(over / below, min(over, 1)), max(over, 1))
        }
    }
}

/// The part of a level inside a cutline.
struct LevelCut: Sendable {
    /// The mask over the pixels of the finest level.
    let mask: CutMask
    /// The edge of this level's pixels, in pixels of the finest level.
    let scale: Int

    /// The columns of squares, in one row of squares, that a polygon touches.
    ///
    /// - Parameter size: pixels of this level along a square's edge.
    func columns(inRow row: Int, ofSquares size: Int) -> RangeSet<Int> {
        mask.columns(inRow: row, ofSquares: size * scale)
    }
}

/// Makes pixels transparent according to a mask.
struct Cutter {
    /// The polygons over the pixels.
    let mask: CutMask
    /// Whether pixels stay whole: those whose centre is inside a polygon remain. This suits kernels that copy
    /// pixels, which never mix them.
    let isHard: Bool

    /// Cuts the pixels of a window.
    func cut(_ window: PixelWindow, of band: LevelBand) {
        let edges = mask.edges(inRows: window.rows)
        var run = CutRun(columns: window.columns)
        let isUniform = edges.allSatisfy { $0.passes(window.columns, inRows: window.rows) }
        for row in window.rows {
            if row == window.rows.lowerBound || !isUniform { sum(edges, row: row, in: &run) }
            band.cover(row: row, firstColumn: window.columns.lowerBound, by: run.coverage)
        }
    }

    /// Finds the coverage of each pixel of a row by the polygons.
    private func sum(_ edges: [CutEdge], row: Int, in run: inout CutRun) {
        run.clear()
        for (index, edge) in edges.enumerated() {
            if isHard { edge.addCentres(inRow: row, to: &run) } else { edge.addArea(inRow: row, to: &run) }
            let isLast = index + 1 == edges.count || edges[index + 1].polygon != edge.polygon
            if isLast { run.closePolygon() }
        }
    }
}
