import Tiling
import Platform
import Testing
import TilewrightKit

/// The view that follows from a request and from the tiles to show.
struct CameraRequestTests {
    private static let extent = TilesetExtent(bounds: Site.box, zooms: 15...17)

    private func request(_ change: (inout CameraRequest) -> Void) -> CameraRequest {
        var request = CameraRequest()
        change(&request)
        return request
    }

    /// Whether the corners of the box are in the view, within the padding.
    private func shows(_ box: BoundingBox, in view: CameraView, padding: Double = 64) -> Bool {
        Site.corners.allSatisfy { corner in
            guard let point = view.point(ofPlace: corner) else { return false }
            let (width, height) = (Double(view.size.width), Double(view.size.height))
            return padding - 0.01...width - padding + 0.01 ~= point.x
                && padding - 0.01...height - padding + 0.01 ~= point.y
        }
    }

    // 0.003 degrees of longitude in 390 - 2 * 64 points: log2(262 / 256 * 360 / 0.003).
    @Test("By default a view shows all tiles within the padding")
    func all() throws {
        let view = try CameraRequest().view(of: Self.extent)
        #expect(abs(view.camera.zoom - 16.906098) < 1e-6)
        #expect(abs(view.camera.target.x - 2.0015) < 1e-9)
        #expect((view.camera.bearing, view.camera.tilt) == (0, 0))
        #expect(shows(Site.box, in: view))
    }

    @Test("A turned and tilted view shows all tiles, too", arguments: [0.0, 30, 90, 200], [0.0, 30, 65])
    func turned(bearing: Double, tilt: Double) throws {
        var request = CameraRequest()
        request.bearing = bearing
        request.tilt = tilt
        let view = try request.view(of: Self.extent)
        #expect(view.camera.bearing == bearing)
        #expect(view.camera.tilt == min(tilt, CameraPosition.maximumTilt(atZoom: view.camera.zoom)))
        #expect(shows(Site.box, in: view))
        // A much larger zoom would not fit.
        request.updates = [.zoomBy(0.01)]
        #expect(try !shows(Site.box, in: request.view(of: Self.extent)))
    }

    @Test("A target alone keeps the zoom that shows all, and a zoom alone keeps the centre of the tiles")
    func halves() throws {
        let all = try CameraRequest().view(of: Self.extent).camera
        let place = Point(x: 2.0005, y: 48.0005)
        let targeted = try request { $0.target = place }.view(of: Self.extent).camera
        #expect(targeted == all.with(target: place))
        let zoomed = try request { $0.zoom = 19 }.view(of: Self.extent).camera
        #expect(zoomed.zoom == 19)
        #expect(zoomed.target.distance(to: all.target) < 1e-9)
    }

    @Test("A zoom alone needs no room for the padding, and insets that differ move the centre")
    func zoomAlone() throws {
        let tiny = try #require(ViewSize(width: 100, height: 100))
        var request = request { ($0.zoom, $0.size) = (18, tiny) }
        #expect(try request.view(of: Self.extent).camera.zoom == 18)
        request.padding = ViewInsets(top: 0, right: 0, bottom: 0, left: 40)
        let view = try request.view(of: Self.extent)
        let middle = try #require(view.point(ofPlace: Point(x: 2.0015, y: 48.001)))
        #expect(abs(middle.x - 70) < 1e-3)
        #expect(abs(middle.y - 50) < 1e-2)
    }

    @Test("Without tiles, a target and a zoom are needed, or bounds")
    func nothing() throws {
        expectRefusal(.usage, "the camera has no position") { try CameraRequest().view() }
        expectRefusal(.usage, "the camera has no position") {
            try request { $0.target = Point(x: 1, y: 2) }.view()
        }
        expectRefusal(.usage, "the camera has no position") { try request { $0.zoom = 3 }.view() }
        let place = request { ($0.target, $0.zoom) = (Point(x: 1, y: 2), 3) }
        #expect(try place.view().camera == CameraPosition(target: Point(x: 1, y: 2), zoom: 3))
        #expect(try request { $0.fit = Site.box }.view() == CameraRequest().view(of: Self.extent))
    }

    @Test("Updates are applied in order, and fits use the padding of the view")
    func updates() throws {
        let request = request {
            ($0.target, $0.zoom) = (Point(x: 1, y: 2), 3)
            $0.padding = ViewInsets(all: 10)
            $0.updates = [.fit(Site.box), .zoomBy(1), .target(Point(x: 5, y: 6))]
        }
        let camera = try request.view().camera
        // 370 points instead of 262.
        #expect(abs(camera.zoom - 1 - 17.404056) < 1e-6)
        #expect(camera.target == Point(x: 5, y: 6))
    }

    @Test("Requested limits hold the camera, but those of the tiles do not")
    func limits() throws {
        let limited = request {
            $0.maximumZoom = 16
            $0.targetBounds = BoundingBox(minX: 2.002, minY: 40, maxX: 3, maxY: 50)
        }
        let camera = try limited.view(of: Self.extent).camera
        #expect(camera.zoom == 16)
        #expect(camera.target.x == 2.002)
        let far = request { ($0.target, $0.zoom) = (Point(x: 100, y: 0), 2) }
        #expect(try far.view(of: Self.extent).camera.target.x == 100)
    }

    @Test("Limits for a client are the requested ones, or else those of the tiles")
    func clientLimits() throws {
        var request = request { $0.zoom = 16 }
        var view = try request.view(of: Self.extent)
        let own = request.clientLimits(of: view, extent: Self.extent)
        #expect(own.zooms == 15...17)
        #expect(own.targetBounds == Site.box)
        #expect(request.clientLimits(of: view, extent: nil) == CameraLimits())
        request.minimumZoom = 3.5
        request.targetBounds = BoundingBox(minX: 0, minY: 40, maxX: 5, maxY: 50)
        let asked = request.clientLimits(of: view, extent: Self.extent)
        #expect(asked.zooms == 3.5...17)
        #expect(asked.targetBounds == request.targetBounds)
        // The camera keeps its place, even beyond the tiles.
        request = self.request { ($0.target, $0.zoom) = (Point(x: 100, y: 0), 12.5) }
        view = try request.view(of: Self.extent)
        let beyond = request.clientLimits(of: view, extent: Self.extent)
        #expect(beyond.zooms == 12...17)
        #expect(beyond.targetBounds == nil)
    }

    /// A request that contradicts itself, and words of the error.
    struct Contradiction: Sendable, CustomTestStringConvertible {
        let words: String
        let change: @Sendable (inout CameraRequest) -> Void
        var testDescription: String { words }

        init(_ words: String, _ change: @escaping @Sendable (inout CameraRequest) -> Void) {
            (self.words, self.change) = (words, change)
        }
    }

    @Test(
        "A contradictory request is refused",
        arguments: [
            Contradiction("--fit and --target", { ($0.fit, $0.target) = (Site.box, Point(x: 0, y: 0)) }),
            Contradiction("--fit and --zoom", { ($0.fit, $0.zoom) = (Site.box, 3) }),
            Contradiction("--fit and --bearing", { ($0.fit, $0.bearing) = (Site.box, 0) }),
            Contradiction("--fit and --tilt", { ($0.fit, $0.tilt) = (Site.box, 0) }),
            Contradiction("--min-zoom 9 is greater", { ($0.minimumZoom, $0.maximumZoom) = (9, 8) }),
            Contradiction("--zoom is not a number", { $0.zoom = .nan }),
            Contradiction("--bearing is not a number", { $0.bearing = .infinity }),
            Contradiction("south above", { $0.fit = BoundingBox(minX: 0, minY: 5, maxX: 1, maxY: 4) }),
            Contradiction("beyond 90", { $0.fit = BoundingBox(minX: 0, minY: 5, maxX: 1, maxY: 94) }),
            Contradiction("beyond 180", { $0.fit = BoundingBox(minX: 0, minY: 5, maxX: 1e6, maxY: 6) }),
            Contradiction("--padding must be 0 points or more", { $0.padding = ViewInsets(all: -1) }),
            Contradiction("leaves nothing", { $0.padding = ViewInsets(all: 200) }),
        ])
    func refused(contradiction: Contradiction) {
        expectRefusal(.usage, contradiction.words) {
            try request(contradiction.change).view(of: Self.extent)
        }
    }

    @Test("Tilesets are next to each other even across the antimeridian")
    func union() {
        let west = TilesetExtent(bounds: BoundingBox(minX: 178, minY: 0, maxX: 179, maxY: 1), zooms: 3...5)
        let east = TilesetExtent(bounds: BoundingBox(minX: -179, minY: 2, maxX: -178, maxY: 3), zooms: 4...9)
        let both = BoundingBox(minX: 178, minY: 0, maxX: 182, maxY: 3)
        #expect(west.union(east) == TilesetExtent(bounds: both, zooms: 3...9))
        #expect(east.union(west) == TilesetExtent(bounds: both, zooms: 3...9))
        let turn = BoundingBox(minX: -180, minY: -80, maxX: 180, maxY: 80)
        let world = TilesetExtent(bounds: turn, zooms: 0...1)
        #expect(west.union(world).bounds == world.bounds)
    }

    @Test("A tileset and the image that it is made of have the same extent")
    func extents() async throws {
        let site = try Site()
        let build = try TilesetBuild(site.request())
        _ = try await build.run { _ in }
        let stored = try TilesetExtent(StoredTileset(site.path("out")))
        let images = try PlacedImages([site.image()])
        let pyramid = PyramidRequest(zoom: ZoomRange(15...17))
        let made = try TilesetExtent(TilesOnDemand(images: images.all, request: pyramid))
        #expect(stored.zooms == made.zooms)
        for edge in [\BoundingBox.minX, \.minY, \.maxX, \.maxY] {
            #expect(abs(stored.bounds[keyPath: edge] - Site.box[keyPath: edge]) < 2e-7)
            #expect(abs(made.bounds[keyPath: edge] - Site.box[keyPath: edge]) < 1e-9)
        }
    }
}
