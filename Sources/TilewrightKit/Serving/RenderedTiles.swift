import Synchronization
import Tiling

/// The tiles of images, rendered when they are asked for, through a queue that other images share.
struct RenderedTiles: Sendable {
    private static let lastNumber = Atomic<Int>(0)

    /// Tells these tiles from those of other images, and of the same images before they changed.
    private let number = Self.lastNumber.add(1, ordering: .relaxed).newValue
    private let source: TilesOnDemand
    /// Where there may be tiles.
    private let limits: [TileRange]
    private let queue: RenderQueue.Share

    /// Takes tiles of a source through a queue.
    init(_ source: TilesOnDemand, queue: RenderQueue.Share) {
        (self.source, self.queue) = (source, queue)
        limits = source.limits
    }

    /// The bytes of a tile; nil if there is none.
    ///
    /// - Throws: as `TilesOnDemand.tile(at:)`; `CancellationError` if nobody waits any more.
    func tile(at coordinate: TileCoordinate) async throws -> [UInt8]? {
        guard coordinate.isInWorld, hasTile(at: coordinate) else { return nil }
        let source = source
        return try await queue.tile(RenderQueue.Key(source: number, tile: coordinate)) {
            try await source.tile(at: coordinate)
        }
    }

    /// Whether there may be a tile: what lies beyond takes no turn.
    private func hasTile(at coordinate: TileCoordinate) -> Bool {
        limits.contains { limits in
            limits.zoom == coordinate.zoom && limits.columns.contains(coordinate.column)
                && limits.rows.contains(coordinate.row)
        }
    }
}
