import Georeferencing
import Palettes
import Platform
package import Pyramid
import Raster
public import Resampling
import Synchronization
public import Tiling

/// What a build will do, decided before the first pixel is read: zooms, tiles, memory. It has the properties
/// of its `TilesOnDemand`.
@dynamicMemberLookup
public struct TilesetPlan: Sendable {
    /// Its tiles, each of which can be rendered by itself.
    public let onDemand: TilesOnDemand
    private let rows: LazyBuilder
    /// The number of tiles that the images touch, over all zooms: at most this many are written, fewer if
    /// some are wholly transparent. An estimate if a zoom has very many.
    public let tileCount: Int

    /// Plans the tiles of images.
    ///
    /// Takes milliseconds for an image, more if it has very many tiles, which are counted. Reads no
    /// pixels, but for one or two dozen blocks of a TIFF with overviews, to see that they show the image.
    ///
    /// - Parameters:
    ///   - images: at least one, each over the ones before it.
    ///   - request: what to build of them.
    ///   - resources: what may be used of the machine.
    /// - Throws: a `Failure`: `usage` if there would be more tiles or pixels than allowed, `badInput` if
    ///   nothing lies on the map.
    public init(
        images: [PlacedImage], request: PyramidRequest = PyramidRequest(),
        resources: BuildResources = BuildResources()
    ) throws {
        try self.init(deferringRowsOf: images, request: request, resources: resources)
        _ = try builder
    }

    /// Plans the tiles of images; how they are rendered is planned when it is first needed.
    init(deferringRowsOf images: [PlacedImage], request: PyramidRequest, resources: BuildResources) throws {
        onDemand = try TilesOnDemand(images: images, request: request, resources: resources)
        rows = LazyBuilder(onDemand)
        tileCount = onDemand.pyramid.tileCount
        try resources.checkTiles(tileCount)
    }

    /// Rows, stages and memory.
    package var builder: TilesBuilder { get throws { try rows.get() } }

    /// What its tiles say of themselves, such as `zooms`, `bounds` and `warnings`.
    public subscript<Value>(dynamicMember property: KeyPath<TilesOnDemand, Value>) -> Value {
        onDemand[keyPath: property]
    }

    /// The kernel at the maximum zoom.
    public var resampling: ResamplingMethod { onDemand.pyramid.options.resampling }

    /// The kernel for the zooms below it.
    public var overviewResampling: ResamplingMethod { onDemand.pyramid.options.overviewResampling }

    /// The tiles of each zoom, from the lowest.
    public var levels: [PlannedLevel] {
        onDemand.pyramid.levels.reversed().filter(\.isWritten).map { level in
            PlannedLevel(zoom: level.matrix.zoom, limits: level.limits, tileCount: level.tileCount)
        }
    }

    /// The pixels of the maximum zoom that exist; columns go on counting beyond the antimeridian.
    var window: PixelWindow {
        onDemand.pyramid.levels.filter(\.isWritten)[0].window
    }
}

/// The tiles of a zoom that a plan has.
public struct PlannedLevel: Hashable, Sendable {
    /// The zoom.
    public let zoom: Int
    /// The rectangle of tiles; two across the antimeridian.
    public let limits: [TileRange]
    /// The number of tiles that the images touch; an estimate if there are very many.
    public let tileCount: Int
}

extension PyramidLevel {
    /// The rectangle of the zoom's tiles; two across the antimeridian.
    package var limits: [TileRange] {
        let columns = matrix.tiles(ofPixels: window.columns)
        let rows = tileRows
        return TileRange.wrapping(
            zoom: matrix.zoom, columns: columns.lowerBound...columns.upperBound - 1,
            rows: rows.lowerBound...rows.upperBound - 1)
    }
}

/// What renders a plan, prepared when it is first needed: weights and stages take most of the time of
/// planning, and tiles that are there already need none.
private final class LazyBuilder: Sendable {
    private let plan: TilesOnDemand
    private let builder = Mutex<TilesBuilder?>(nil)

    /// Takes a plan.
    init(_ plan: TilesOnDemand) { self.plan = plan }

    /// Prepares it, the first time.
    ///
    /// - Throws: `.usage` if the decoders need more memory than allowed.
    func get() throws -> TilesBuilder {
        try builder.withLock { known in
            if let known { return known }
            let builder = try TilesBuilder(plan, passes: plan.passes)
            known = builder
            return builder
        }
    }
}
