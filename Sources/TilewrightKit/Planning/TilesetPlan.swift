import Georeferencing
import Palettes
import Platform
import Raster
public import Rendering
import Synchronization
public import Tiling

/// The plan of a build, made before the first pixel is read: zooms, tiles and memory. It has the properties
/// of its `TilesOnDemand`.
@dynamicMemberLookup
public struct TilesetPlan: Sendable {
    /// Its tiles, each of which can be rendered separately.
    public let onDemand: TilesOnDemand
    private let rows: LazyBuilder
    /// The number of tiles that the images touch, over all zooms: the maximum number of tiles that are
    /// written, since wholly transparent ones are left out. It is an estimate if a zoom has very many tiles.
    public let tileCount: Int

    /// Plans the tiles of images.
    ///
    /// Takes milliseconds per image, or more to count very many tiles. Reads no pixels, except one or two
    /// dozen blocks of a TIFF with overviews, to check that they show the image.
    ///
    /// - Parameters:
    ///   - images: at least one, each over the ones before it.
    ///   - request: the pyramid to build of them.
    ///   - resources: the resources that may be used.
    /// - Throws: a `Failure`: `usage` if there would be more tiles or pixels than allowed, `badInput` if no
    ///   image is on the map.
    public init(
        images: [PlacedImage], request: PyramidRequest = PyramidRequest(),
        resources: BuildResources = BuildResources()
    ) throws {
        try self.init(deferringRowsOf: images, request: request, resources: resources)
        _ = try builder
    }

    /// Plans the tiles of images. Their rendering is planned only when it is needed.
    init(deferringRowsOf images: [PlacedImage], request: PyramidRequest, resources: BuildResources) throws {
        onDemand = try TilesOnDemand(images: images, request: request, resources: resources)
        rows = LazyBuilder(onDemand)
        tileCount = onDemand.pyramid.tileCount
        try resources.checkTiles(tileCount)
    }

    /// Rows, stages and memory.
    package var builder: BuildSequence { get throws { try rows.get() } }

    /// The properties of its tiles, such as `zooms`, `bounds` and `warnings`.
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

    /// The pixels of the maximum zoom that exist; column numbers continue beyond the antimeridian.
    var window: PixelWindow {
        onDemand.pyramid.levels.filter(\.isWritten)[0].window
    }
}

/// The tiles of one zoom of a plan.
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

/// The builder of a plan, prepared when it is first needed: weights and stages take most of the time of
/// planning, and tiles that exist already need neither.
private final class LazyBuilder: Sendable {
    private let plan: TilesOnDemand
    private let builder = Mutex<BuildSequence?>(nil)

    /// Keeps a plan for later.
    init(_ plan: TilesOnDemand) { self.plan = plan }

    /// Returns the builder, which the first call prepares.
    ///
    /// - Throws: `.usage` if the decoders need more memory than allowed.
    func get() throws -> BuildSequence {
        try builder.withLock { known in
            if let known { return known }
            let builder = try plan.builder(of: plan.passes)
            known = builder
            return builder
        }
    }
}
