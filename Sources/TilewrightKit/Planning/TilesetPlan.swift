import Georeferencing
import Palettes
import Platform
package import Pyramid
import Raster
public import Resampling
import Synchronization
public import Tiling

/// What a build will do, decided before the first pixel is read: zooms, tiles, memory.
public struct TilesetPlan: Sendable {
    /// Its tiles, each of which can be had by itself.
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

    /// Plans the tiles of images, and how they are rendered only when that is asked for.
    init(deferringRowsOf images: [PlacedImage], request: PyramidRequest, resources: BuildResources) throws {
        onDemand = try TilesOnDemand(images: images, request: request, resources: resources)
        rows = LazyBuilder(onDemand)
        tileCount = onDemand.pyramid.tileCount
        try resources.checkTiles(tileCount)
    }

    /// Rows, stages and memory.
    package var builder: TilesBuilder { get throws { try rows.get() } }

    /// The images, each over the ones before it, and where they lie.
    public var images: [PlacedImage] { onDemand.images }

    /// What was asked for.
    public var request: PyramidRequest { onDemand.request }

    /// What may be used of the machine.
    public var resources: BuildResources { onDemand.resources }

    /// The zoom, with a fraction, at which a tile's pixels are as large as those of the finest image.
    public var nativeZoom: Double { onDemand.nativeZoom }

    /// How many pixels of each image, along an edge, are read as one.
    package var reductionFactors: [Int] { onDemand.reductionFactors }

    /// The zooms and tiles.
    package var pyramid: PyramidPlan { onDemand.pyramid }

    /// Where scratch files go.
    var scratchDirectory: String { onDemand.scratchDirectory }

    /// The zooms that are built.
    public var zooms: ClosedRange<Int> { onDemand.zooms }

    /// The kernel at the maximum zoom.
    public var resampling: ResamplingMethod { pyramid.options.resampling }

    /// The kernel for the zooms below it.
    public var overviewResampling: ResamplingMethod { pyramid.options.overviewResampling }

    /// The tiles of each zoom, from the lowest.
    public var levels: [PlannedLevel] {
        pyramid.levels.reversed().filter(\.isWritten).map { level in
            PlannedLevel(zoom: level.matrix.zoom, limits: level.limits, tileCount: level.tileCount)
        }
    }

    /// The rectangles of tiles per zoom, from the lowest; two at a zoom across the antimeridian.
    public var limits: [TileRange] { onDemand.limits }

    /// The box around all images: longitudes and latitudes in degrees; the east is beyond 180 across the
    /// antimeridian.
    public var bounds: BoundingBox { onDemand.bounds }

    /// The pixels of the maximum zoom that exist; columns go on counting beyond the antimeridian.
    var window: PixelWindow {
        pyramid.levels.filter(\.isWritten)[0].window
    }

    /// What is not an error, and what the user should know of the zooms: a line each.
    public var warnings: [Warning] { onDemand.warnings }
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

/// What renders a plan, prepared when it is first asked for: weights and stages take most of the time of
/// planning, and tiles that are there already need none.
final class LazyBuilder: Sendable {
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
