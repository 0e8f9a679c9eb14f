import Georeferencing
import Raster
import Synchronization
import Tiling

/// Opens a layer's image when it is needed, reads its rows into memory, and closes it.
final class LayerReader: @unchecked Sendable {
    // Unchecked, because the compiler cannot see the order that the builder guarantees: rows are decoded
    // before anything else, by several tasks only if the image allows it; the layer is closed when no task
    // uses it any more.

    /// Rows per task: enough to make the task cheap, few enough to let a stage start early.
    static let rowsPerTask = 128

    /// The way the image's pixels are read into memory.
    enum Access: Hashable, Sendable {
        /// Into a ring of rows, from the top.
        /// The rows above the first needed row are skipped.
        case rows(capacity: Int, first: Int, scratchDirectory: String?)
        /// Block by block, on demand; `cacheBytes` of them are kept.
        case blocks(cacheBytes: Int)
    }

    private struct Open {
        let source: any RasterSource
        let pixels: SourceBand
        let weights: SeparableWeights?
    }

    private let layer: ImageLayer
    private let access: Access
    private let columns: Range<Int>
    private let pool: BlockPool
    private let makeSource: @Sendable () throws -> any RasterSource
    private let makeWeights: @Sendable () -> SeparableWeights?
    private let expected: @Sendable () -> [PixelWindow]
    private var open: Open?
    /// Locked while the first of the decoding tasks opens the image.
    private let opening = Mutex(())

    /// - Parameters:
    ///   - columns: the columns of the image that are read: all, unless it can be read by windows.
    ///   - expected: the parts of the image that are read, in about this order.
    init(
        _ layer: ImageLayer, access: Access, columns: Range<Int>, pool: BlockPool,
        source: @escaping @Sendable () throws -> any RasterSource,
        weights: @escaping @Sendable () -> SeparableWeights?,
        expected: @escaping @Sendable () -> [PixelWindow]
    ) {
        self.layer = layer
        self.access = access
        self.columns = columns
        self.pool = pool
        makeSource = source
        makeWeights = weights
        self.expected = expected
    }

    /// The image's pixels, with their weights if rows and columns are resampled separately; nil while it is
    /// not open.
    ///
    /// It is open whenever its pixels are needed. But it may be closed while its footprint is rendered: some
    /// projections are not inverted exactly far from their centre, so that pixels of the footprint there have
    /// no source in the image.
    var content: (pixels: SourceBand, weights: SeparableWeights?)? {
        open.map { ($0.pixels, $0.weights) }
    }

    private func openSource() throws -> Open {
        let source = try makeSource()
        source.windows?.expect(expected)
        var pixels = SourceBand(
            try storage(of: source), format: layer.info.pixelFormat, width: layer.info.width,
            height: layer.info.height)
        pixels.columnsPerTurn = layer.mapping.columnsPerTurn
        pixels.ground = layer.mapping.earth.map {
            GroundPixels(rings: $0.pixels, width: layer.info.width, height: layer.info.height)
        }
        let weights = makeWeights()
        // Weights handle the edges themselves.
        if weights == nil { pixels.edges = (layer.mapping.columns, layer.mapping.rows) }
        return Open(source: source, pixels: pixels, weights: weights)
    }

    /// Opens the image if it is not open, and decodes a run of rows: the next rows, unless the image is read
    /// by windows.
    func decode(_ rows: Range<Int>) throws {
        try opening.withLock { _ in
            if open == nil { open = try openSource() }
        }
        guard let open, case .rows(let band) = open.pixels.storage else { return }
        if let windows = open.source.windows { return try band.read(rows, from: windows) }
        let first = min(max(rows.lowerBound, firstRow), rows.upperBound)
        if rows.lowerBound < first { try open.source.skipRows(first - rows.lowerBound) }
        try band.read(first..<rows.upperBound, from: open.source)
    }

    /// Closes the image and frees its rows.
    func close() {
        open = nil
    }

    /// The first needed row of an image that is read from the top.
    private var firstRow: Int { if case .rows(_, let first, _) = access { first } else { 0 } }

    private func storage(of source: any RasterSource) throws -> SourceBand.Storage {
        switch access {
        case .rows(let capacity, _, let scratchDirectory):
            return .rows(
                try SourceRows(
                    columns: columns, format: layer.info.pixelFormat, capacity: capacity,
                    height: layer.info.height, scratchDirectory: scratchDirectory))
        case .blocks(let cacheBytes):
            guard let windows = source.windows else {
                preconditionFailure("an image that was planned in blocks has none")
            }
            return .blocks(BlockCache(windows, info: layer.info, limit: cacheBytes, pool: pool))
        }
    }
}
