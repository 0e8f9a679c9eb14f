import Platform
import Pyramid
public import Tiling

extension TilesOnDemand {
    /// One tile, rendered into memory: byte for byte the tile that a build writes.
    ///
    /// Tiles of the maximum zoom cost what they cover; each zoom below costs four times as much, since
    /// tiles are halved from finer ones. Of a tiled TIFF only the blocks under the tile are decoded, of
    /// other files no rows below those that the tile covers.
    ///
    /// - Returns: the bytes of an image file; nil if there is no such tile: beyond the zooms, where no
    ///   image lies, or wholly transparent and not asked for.
    /// - Throws: a `Failure` of kind `usage` if the tiles have a palette, which needs all of them; what a
    ///   build throws; `CancellationError` if the task was cancelled.
    public func tile(at coordinate: TileCoordinate) async throws -> [UInt8]? {
        guard coordinate.isInWorld else { return nil }
        return try await tiles(of: .tile(coordinate)).first?.bytes
    }

    /// The tiles of a rectangle, rendered into memory: byte for byte those that a build writes, in its
    /// order, without those that it leaves out.
    ///
    /// - Parameter limits: the zoom and the rectangle.
    /// - Throws: as `tile(at:)`.
    public func tiles(in limits: TileRange) async throws -> [EncodedTile] {
        try await tiles(of: TileWindow(limits))
    }

    private func tiles(of window: TileWindow) async throws -> [EncodedTile] {
        try request.encoding.checkSingleTiles()
        let parts = passes.compactMap { pass in
            pass.pyramid.confined(to: window).map { RenderPass(pyramid: $0, sources: pass.sources) }
        }
        let builder = try TilesBuilder(self, passes: parts)
        try builder.checkMemory()
        var sink = TileList()
        _ = try await builder.build(
            to: &sink, makeEncoder: { request.encoding.makeEncoder(palette: nil) }, progress: { _ in })
        return sink.tiles
    }

    /// What renders the tiles, or a part of them. A part has no more jobs than it can use, since each of
    /// them takes memory.
    ///
    /// - Parameter kept: the pixels of the first zoom, of zooms below others.
    func builder(
        of pyramid: PyramidPlan, kept: (any KeptPixels.Source)? = nil
    ) throws -> PyramidBuilder {
        let jobs = resources.effectiveJobs
        return try PyramidBuilder(
            plan: pyramid,
            resources: PyramidResources(
                jobs: pyramid.isConfined ? min(jobs, pyramid.mostJobs) : jobs,
                memory: resources.pixelMemory(of: images),
                scratchDirectory: scratchDirectory,
                encoderBytes: request.encoding.encoderBytes(tileSize: request.tileSize.rawValue)),
            kernels: .wanted(), kept: kept)
    }
}

extension TilesetPlan {
    /// One tile, rendered into memory, as `TilesOnDemand.tile(at:)` does.
    public func tile(at coordinate: TileCoordinate) async throws -> [UInt8]? {
        try await onDemand.tile(at: coordinate)
    }

    /// The tiles of a rectangle, rendered into memory, as `TilesOnDemand.tiles(in:)` does.
    public func tiles(in limits: TileRange) async throws -> [EncodedTile] {
        try await onDemand.tiles(in: limits)
    }
}

extension TileEncoding {
    /// Refuses what single tiles cannot have.
    ///
    /// - Throws: `.usage`.
    package func checkSingleTiles() throws(Failure) {
        guard palette != nil else { return }
        throw Failure(
            .usage, "one tile cannot have the palette of all tiles, which is not known",
            remedy: "build the tileset, or leave --palette out")
    }
}

/// Keeps tiles in memory.
private struct TileList: TileSink {
    private(set) var tiles: [EncodedTile] = []

    var staged: Set<TileCoordinate> { [] }

    mutating func write(_ tile: EncodedTile) { tiles.append(tile) }
}
