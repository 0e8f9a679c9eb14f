import Georeferencing
import Platform
import Publishing
import Pyramid
import Raster
import Resampling
import Tilesets
public import Tiling

/// A picture of what a map view shows: tilesets and images over each other, seen by a camera.
///
/// The pixels of a tileset are those of its tiles if the view's coincide with them. Elsewhere each part of
/// the picture averages a zoom whose pixels are at most half as large as its own, if there is one. Missing
/// zooms fall back to the next finer one, or to the finest. Images are drawn from their own pixels. The
/// world repeats to the east and to the west, as a map shows it; beyond what is there, the picture is
/// transparent.
///
/// Memory: 21 bytes for a pixel of a PNG file, 5 for one of a JPEG file; four of them while it is drawn, and
/// besides what the tiles under a few dozen of its rows take, and of images what a build takes. Time grows
/// with the pixels of the view and of what lies under it.
public struct Snapshot: Sendable {
    /// The view.
    public let view: CameraView
    /// How the picture is made.
    public let request: SnapshotRequest
    private let grid: PixelGrid
    private let size: PixelWindow
    private var layers: [ImageLayer] = []
    private var sources: [@Sendable () throws -> any RasterSource] = []
    private let cutline: Cutline?
    private let images: [PlacedImage]
    /// The tilesets, if the view's pixels are theirs.
    private let copies: [CopiedTiles]?

    /// Chooses what is read of each thing. Reads no pixels, but for some blocks of TIFF files with overviews.
    ///
    /// - Parameters:
    ///   - contents: each over the ones before it.
    ///   - view: the size, and the camera.
    ///   - request: how the picture is made.
    /// - Throws: a `Failure`: `usage` if the request contradicts itself or the picture would take more
    ///   memory than allowed, `badInput` if something cannot be placed.
    public init(
        of contents: [MapContent], in view: CameraView, request: SnapshotRequest = SnapshotRequest()
    ) throws {
        try request.check(width: view.size.pixelWidth, height: view.size.pixelHeight)
        (self.view, self.request) = (view, request)
        images = contents.compactMap { if case .image(let image) = $0 { image } else { nil } }
        try Self.checkCutline(request, contents)
        cutline = try request.cutline.map(Cutline.init(file:))
        grid = view.grid
        size = PixelWindow(
            columns: 0..<view.size.pixelWidth, rows: 0..<view.size.pixelHeight)
        copies = CopiedTiles.all(contents, on: grid, size: size)
        for content in contents where copies == nil {
            switch content {
            case .tileset(let tileset): try add(tileset)
            case .image(let image): try add(image)
            }
        }
    }

    /// Draws the picture.
    ///
    /// - Parameter progress: called now and then with the parts that are done, and how many there are.
    /// - Returns: the bytes of a PNG or JPEG file.
    /// - Throws: a `Failure` if something cannot be read; `CancellationError` if the task was cancelled.
    public func draw(
        progress: (_ done: Int, _ total: Int) -> Void = { _, _ in }
    ) async throws -> [UInt8] {
        try request.encode(await picture(progress: progress))
    }

    /// Draws the picture's pixels.
    func picture(progress: (_ done: Int, _ total: Int) -> Void) async throws -> ViewPicture {
        let picture = try ViewPicture(width: size.width, height: size.height)
        if let copies {
            try copy(copies, to: picture, progress: progress)
            return picture
        }
        if let background = request.effectiveBackground { picture.fill(background) }
        var options = request.options
        options.cutline = cutline
        guard let plan = PyramidPlan(viewOf: layers, on: grid, size: size, options: options)
        else { return picture }
        let builder = try PyramidBuilder(
            plan: plan,
            resources: request.pyramidResources(of: images, besides: 4 * size.width * size.height),
            kernels: .wanted())
        try builder.checkDecoders(memory: request.resources.memory)
        try builder.checkMemory()
        let (sources, images) = (sources, plan.layers.map(\.image))
        try await builder.draw(picture, from: { try sources[images[$0]]() }, progress: progress)
        return picture
    }

    /// Refuses to cut what is cut already, or not.
    private static func checkCutline(_ request: SnapshotRequest, _ contents: [MapContent]) throws {
        guard request.cutline != nil else { return }
        for case .tileset(let tileset) in contents {
            throw Failure(
                .usage, "--cutline has no meaning for '\(tileset.path)', whose tiles are made already",
                remedy: "leave it out, or name images only")
        }
    }

    private func copy(
        _ copies: [CopiedTiles], to picture: ViewPicture, progress: (_ done: Int, _ total: Int) -> Void
    ) throws {
        for (index, tiles) in copies.enumerated() {
            try Task.checkCancellation()
            try tiles.lay(over: picture)
            progress(index + 1, copies.count)
        }
        if let background = request.effectiveBackground { picture.lay(over: background) }
    }

    private mutating func add(_ tileset: StoredTileset) throws {
        let parts = try TilesetLayers(tileset, on: grid, size: size).parts
        try PixelLimits(request.resources.maxPixels).check(
            parts.reduce(0) { $0 + $1.mosaic.pixelsRead },
            of: "the tiles of '\(tileset.path)' that the view shows have")
        for part in parts { add(part.layer) { part.mosaic } }
    }

    private mutating func add(_ image: PlacedImage) throws {
        let cellSize = [size.rows.lowerBound, size.rows.upperBound].map {
            grid.narrowestCell(columns: size.columns, row: Double($0))
        }.reduce(.infinity, min)
        let (layer, open) = try image.viewLayer(
            forCell: cellSize, resampling: request.options.resampling)
        add(layer, open)
    }

    private mutating func add(
        _ layer: ImageLayer, _ open: @escaping @Sendable () throws -> any RasterSource
    ) {
        var layer = layer
        layer.image = sources.count
        layers.append(layer)
        sources.append(open)
    }
}

/// What can lie on a map: a finished tileset, or an image with its place.
public enum MapContent: Sendable {
    /// The tiles of a tileset.
    case tileset(StoredTileset)
    /// The pixels of an image.
    case image(PlacedImage)
}

/// Where tiles lie, and at which zooms there are some: what a view of them begins with.
public struct TilesetExtent: Hashable, Sendable {
    /// Longitudes and latitudes in degrees; the east is beyond 180 across the antimeridian.
    public var bounds: BoundingBox
    /// The lowest to the highest zoom.
    public var zooms: ClosedRange<Int>

    /// Says where tiles lie.
    public init(bounds: BoundingBox, zooms: ClosedRange<Int>) {
        self.bounds = bounds
        self.zooms = zooms
    }

    /// The extent of a finished tileset.
    ///
    /// - Throws: `.badInput` if it has no tiles.
    public init(_ tileset: StoredTileset) throws(Failure) {
        let zooms = tileset.metadata.limits.map(\.zoom)
        guard let lowest = zooms.min(), let highest = zooms.max() else {
            throw Failure(.badInput, cannot: "show '\(tileset.path)'", "it has no tiles")
        }
        self.init(bounds: tileset.metadata.shownBounds, zooms: lowest...highest)
    }

    /// The extent of the tiles that would be made of images.
    public init(_ tiles: TilesOnDemand) { self.init(bounds: tiles.bounds, zooms: tiles.zooms) }

    /// The extent of what can lie on a map.
    ///
    /// - Parameter pyramid: what would be built of an image.
    /// - Throws: `.badInput` if a tileset has no tiles, and what a plan of images throws.
    public init(_ content: MapContent, pyramid: PyramidRequest = PyramidRequest()) throws {
        switch content {
        case .tileset(let tileset): try self.init(tileset)
        case .image(let image): self.init(try TilesOnDemand(images: [image], request: pyramid))
        }
    }

    /// The extent of both.
    public func union(_ other: TilesetExtent) -> TilesetExtent {
        let lowest = min(zooms.lowerBound, other.zooms.lowerBound)
        let highest = max(zooms.upperBound, other.zooms.upperBound)
        return TilesetExtent(bounds: bounds.union(other.bounds), zooms: lowest...highest)
    }
}

extension CameraView {
    /// The pixels of the view over the plane.
    var grid: PixelGrid {
        let (transform, target) = (mercatorFromPixel, mercatorTarget)
        guard camera.bearing == 0, camera.tilt == 0 else {
            return PixelGrid(seenBy: transform, centre: target)
        }
        // Straight down, with north at the top, it is a map's.
        return PixelGrid(
            origin: Point(x: target.x + transform.c, y: target.y + transform.f),
            cellSize: metresPerPoint / size.scale)
    }
}
