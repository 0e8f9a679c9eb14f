import Diagnostics
import Pyramid
public import Tiling

extension TilesetPlan {
    /// One tile, rendered into memory: byte for byte the tile that a build of the plan writes.
    ///
    /// Tiles of the maximum zoom cost what they cover; each zoom below costs four times as much, since
    /// tiles are halved from finer ones. Of a tiled TIFF only the blocks under the tile are decoded, of
    /// other files no rows below those that the tile covers.
    ///
    /// - Returns: the bytes of an image file; nil if there is no such tile: beyond the plan's zooms, where
    ///   no image lies, or wholly transparent and not asked for.
    /// - Throws: a `Failure` of kind `usage` if the tiles have a palette, which needs all of them; what a
    ///   build throws; `CancellationError` if the task was cancelled.
    public func tile(at coordinate: TileCoordinate) async throws -> [UInt8]? {
        try await tiles(of: .tile(coordinate)).first?.bytes
    }

    /// The tiles of a rectangle, rendered into memory: byte for byte those that a build of the plan
    /// writes, in its order, without those that it leaves out.
    ///
    /// - Parameter limits: the zoom and the rectangle.
    /// - Throws: as `tile(at:)`.
    public func tiles(in limits: TileMatrixLimits) async throws -> [EncodedTile] {
        try await tiles(of: TileWindow(limits))
    }

    private func tiles(of window: TileWindow) async throws -> [EncodedTile] {
        if request.encoding.palette != nil {
            throw Failure(
                .usage, "one tile cannot have the palette of all tiles, which is not known",
                remedy: "build the tileset, or leave --palette out")
        }
        guard let part = pyramid.confined(to: window) else { return [] }
        var sink = TileList()
        let builder = PyramidBuilder(
            plan: part, resources: builder.resources, kernels: try .wanted())
        _ = try await builder.build(
            from: { try open($0) }, to: &sink,
            makeEncoder: { request.encoding.makeEncoder(palette: nil) }, progress: { _ in })
        return sink.tiles
    }
}

/// Keeps tiles in memory.
private struct TileList: TileSink {
    private(set) var tiles: [EncodedTile] = []

    var staged: Set<TileCoordinate> { [] }

    mutating func write(_ tile: EncodedTile) { tiles.append(tile) }
}
