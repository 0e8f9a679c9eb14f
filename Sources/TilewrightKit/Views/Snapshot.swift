import Georeferencing
import Platform
import Publishing
import Raster
import Rendering
import Tilesets
public import Tiling

/// A picture of a map view: tilesets and images on top of each other, seen by a camera.
///
/// Pixels of a tileset that coincide with the view's are copied. Elsewhere, each part of the picture averages
/// a zoom whose pixels are at most half as large as its own. If this zoom is missing, it averages the next
/// finer one, or the finest. Images are drawn from their own pixels. The world repeats to the east and to the
/// west, as on a map. Beyond the content, the picture is transparent.
///
/// Memory: a pixel takes 21 bytes for a PNG file and 5 for a JPEG file, four of them while the picture is
/// drawn. The tiles under a few dozen rows are in memory, too, and images take the memory of a build. Time
/// grows with the pixels of the view and of its content.
public struct Snapshot: Sendable {
    /// The view.
    public let view: CameraView
    /// The options of the picture.
    public let request: SnapshotRequest
    private let grid: PixelGrid
    private let size: PixelWindow
    private var layers: [ImageLayer] = []
    private var sources: [@Sendable () throws -> any RasterSource] = []
    private let cutline: Cutline?
    private let images: [PlacedImage]
    /// The tilesets, if their pixels coincide with the view's.
    private let copies: [CopiedTiles]?

    /// Chooses the pixels to read. Reads none, except for some blocks of TIFF files with overviews.
    ///
    /// - Parameters:
    ///   - contents: the tilesets and images, each on top of the ones before it.
    ///   - view: the size, and the camera.
    ///   - request: the options of the picture.
    /// - Throws: a `Failure`: `usage` if the request contradicts itself or the picture would exceed the
    ///   memory, `badInput` if content cannot be placed.
    public init(
        of contents: [MapContent], in view: CameraView, request: SnapshotRequest = SnapshotRequest()
    ) throws {
        try request.check(width: view.size.pixelWidth, height: view.size.pixelHeight)
        (self.view, self.request) = (view, request)
        images = contents.compactMap { if case .image(let image) = $0 { image } else { nil } }
        for case .tileset(let tileset) in contents where request.cutline != nil {
            throw Failure(
                .usage, "--cutline does not apply to '\(tileset.path)', whose tiles are made already",
                remedy: "leave it out, or name images only")
        }
        cutline = try request.cutline.map(Cutline.init(file:))
        grid = view.grid
        size = PixelWindow(columns: 0..<view.size.pixelWidth, rows: 0..<view.size.pixelHeight)
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
    /// - Parameter progress: called sometimes with the parts that are done, and their total.
    /// - Returns: the bytes of a PNG or JPEG file.
    /// - Throws: a `Failure` if content cannot be read; `CancellationError` if the task was cancelled.
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
        let (sources, shown) = (sources, plan.layers.map(\.image))
        let builder = try PyramidBuilder(
            .images { try sources[shown[$0]]() }, plan: plan,
            resources: request.pyramidResources(of: images, besides: 4 * size.width * size.height),
            kernels: .wanted())
        try builder.checkDecoders(memory: request.resources.memory)
        try builder.checkMemory()
        try await builder.draw(picture, progress: progress)
        return picture
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
        for part in parts { add(part.layer) { part.source } }
    }

    private mutating func add(_ image: PlacedImage) throws {
        let (layer, open) = try image.viewLayer(
            forCell: grid.narrowestCell(of: size), resampling: request.options.resampling)
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

/// The content of a map: a finished tileset, or a placed image.
public enum MapContent: Sendable {
    /// The tiles of a tileset.
    case tileset(StoredTileset)
    /// The pixels of an image.
    case image(PlacedImage)
}

/// The bounds and zooms of tiles, from which the first view follows.
public struct TilesetExtent: Hashable, Sendable {
    /// Longitudes and latitudes in degrees; the east is beyond 180 across the antimeridian.
    public var bounds: BoundingBox
    /// The lowest to the highest zoom.
    public var zooms: ClosedRange<Int>

    /// Makes an extent.
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

    /// The extent of the content of a map.
    ///
    /// - Parameters:
    ///   - content: tilesets or images.
    ///   - pyramid: the tiles of an image.
    /// - Throws: `.badInput` if a tileset has no tiles, and the errors of a plan of images.
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
    /// The pixels of the view on the Mercator plane.
    var grid: PixelGrid {
        let (transform, target) = (mercatorFromPixel, mercatorTarget)
        guard camera.bearing == 0, camera.tilt == 0 else {
            return PixelGrid(seenBy: transform, centre: target)
        }
        // Straight down, with north at the top, the grid is that of a map.
        return PixelGrid(
            origin: Point(x: target.x + transform.c, y: target.y + transform.f),
            cellSize: metresPerPoint / size.scale)
    }
}
