import Diagnostics
import Pyramid
import Raster
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
        var bytes: [UInt8]?
        try await forEachTile(of: .tile(coordinate)) { bytes = $0.bytes }
        return bytes
    }

    /// The tiles of a rectangle, rendered into memory one after another: byte for byte those that a build
    /// of the plan writes.
    ///
    /// - Parameters:
    ///   - limits: the zoom and the rectangle.
    ///   - body: takes each tile that is not left out, in the order in which a build writes them.
    /// - Throws: as `tile(at:)`, and what `body` throws.
    public func forEachTile(
        in limits: TileMatrixLimits, _ body: (EncodedTile) throws -> Void
    ) async throws {
        try await forEachTile(of: TileWindow(limits), body)
    }

    private func forEachTile(of window: TileWindow, _ body: (EncodedTile) throws -> Void) async throws {
        if request.encoding.palette != nil {
            throw Failure(
                .usage, "one tile cannot have the palette of all tiles, which is not known",
                remedy: "build the tileset, or leave --palette out")
        }
        guard let part = pyramid.confined(to: window) else { return }
        try await withoutActuallyEscaping(body) { body in
            var sink = ClosureSink(body: body)
            let builder = PyramidBuilder(
                plan: part, resources: builder.resources, kernels: try .wanted())
            _ = try await builder.build(
                from: { try open($0) }, to: &sink,
                makeEncoder: { request.encoding.makeEncoder(palette: nil) }, progress: { _ in })
        }
    }
}

/// Hands tiles over.
private struct ClosureSink: TileSink {
    let body: (EncodedTile) throws -> Void

    var staged: Set<TileCoordinate> { [] }

    mutating func write(_ tile: EncodedTile) throws { try body(tile) }
}
