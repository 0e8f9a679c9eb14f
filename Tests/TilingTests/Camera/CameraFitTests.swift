import Tiling
import Platform
import Testing

@Suite struct CameraFitTests {
    private static let start = CameraPosition(
        target: Point(x: 0, y: 0), zoom: 12, bearing: 40, tilt: 30)

    private func fitted(
        _ box: BoundingBox, padding: ViewInsets = .standard, size: ViewSize = .standard,
        limits: CameraLimits = CameraLimits()
    ) throws -> CameraView {
        var view = CameraView(Self.start, size: size, limits: limits)
        try view.apply(.fit(box, padding: padding))
        return view
    }

    /// How far the bounds are within the view's edges: left, top, right, bottom.
    private func margins(of box: BoundingBox, in view: CameraView) throws -> [Double] {
        let topLeft = try #require(view.point(ofPlace: Point(x: box.minX, y: box.maxY)))
        let bottomRight = try #require(view.point(ofPlace: Point(x: box.maxX, y: box.minY)))
        return [
            topLeft.x, topLeft.y, Double(view.size.width) - bottomRight.x,
            Double(view.size.height) - bottomRight.y,
        ]
    }

    // Google's own example: both cities are in view.
    static let cities = BoundingBox(minX: -123.11, minY: 49.26, maxX: -114.05, maxY: 51.05)

    @Test("Vancouver and Calgary are both in view, in a tall view as in a wide one")
    func cities() throws {
        let tall = try fitted(Self.cities)
        let inTall = try margins(of: Self.cities, in: tall)
        #expect(abs(inTall[0] - 64) < 1e-6)
        #expect(abs(inTall[2] - 64) < 1e-6)
        #expect(inTall[1] > 64 && inTall[3] > 64)
        #expect((tall.camera.bearing, tall.camera.tilt) == (0, 0))
        let size = try #require(ViewSize(width: 2000, height: 300))
        let inWide = try margins(of: Self.cities, in: fitted(Self.cities, size: size))
        #expect(abs(inWide[1] - 64) < 1e-6)
        #expect(abs(inWide[3] - 64) < 1e-6)
        #expect(inWide[0] > 64 && inWide[2] > 64)
    }

    @Test("insets that differ move the target")
    func insets() throws {
        let padding = ViewInsets(top: 10, right: 20, bottom: 200, left: 100)
        let found = try margins(of: Self.cities, in: fitted(Self.cities, padding: padding))
        #expect(abs(found[0] - 100) < 1e-6)
        #expect(abs(found[2] - 20) < 1e-6)
        // The middle of the bounds is in the middle of what is left.
        #expect(abs((found[1] - 10) - (found[3] - 200)) < 1e-6)
    }

    @Test("bounds may cross the antimeridian")
    func antimeridian() throws {
        let box = BoundingBox(minX: 177, minY: -19, maxX: -178, maxY: -16)
        let view = try fitted(box)
        #expect(abs(view.camera.target.x - 179.5) < 1e-9)
        let found = try margins(of: box, in: view)
        #expect(abs(found[0] - 64) < 1e-6)
        #expect(abs(found[2] - 64) < 1e-6)
        let same = try fitted(BoundingBox(minX: 177, minY: -19, maxX: 182, maxY: -16))
        #expect(abs(same.camera.zoom - view.camera.zoom) < 1e-12)
    }

    @Test("bounds of a single point are shown at the highest zoom")
    func point() throws {
        let box = BoundingBox(minX: 5, minY: 45, maxX: 5, maxY: 45)
        #expect(try fitted(box).camera.zoom == 30)
        #expect(try fitted(box, limits: CameraLimits(zooms: 0...21)).camera.zoom == 21)
    }

    @Test("limits restrict the zoom; the middle of the bounds stays in the middle of the frame")
    func limited() throws {
        let padding = ViewInsets(top: 0, right: 0, bottom: 0, left: 100)
        let view = try fitted(Self.cities, padding: padding, limits: CameraLimits(zooms: 0...3))
        #expect(view.camera.zoom == 3)
        let found = try margins(of: Self.cities, in: view)
        #expect(abs((found[0] - 100) - found[2]) < 1e-6)
    }

    @Test("the whole world fits into 256 points, but not into fewer")
    func world() throws {
        let box = BoundingBox(minX: -180, minY: -90, maxX: 180, maxY: 90)
        let exact = try #require(ViewSize(width: 256, height: 256))
        #expect(try fitted(box, padding: ViewInsets(all: 0), size: exact).camera.zoom == 0)
        let small = try #require(ViewSize(width: 255, height: 256))
        #expect(throws: Failure.self) { try fitted(box, padding: ViewInsets(all: 0), size: small) }
        #expect(throws: Failure.self) { try fitted(box, size: exact) }
    }

    @Test(
        "bounds that no zoom can show are refused",
        arguments: [
            (ViewInsets(all: 195), ViewSize.standard), (ViewInsets(all: 500), .standard),
            (ViewInsets(top: -1, right: 0, bottom: 0, left: 0), .standard),
            (ViewInsets(all: .nan), .standard), (ViewInsets(all: .infinity), .standard),
        ])
    func refused(padding: ViewInsets, size: ViewSize) throws {
        let failure = #expect(throws: Failure.self) {
            try fitted(Self.cities, padding: padding, size: size)
        }
        #expect(failure?.kind == .usage)
    }

    @Test("bounds that are upside down or not finite are refused")
    func nonsense() {
        let upsideDown = BoundingBox(minX: 0, minY: 10, maxX: 1, maxY: 9)
        #expect(throws: Failure.self) { try fitted(upsideDown) }
        let nan = BoundingBox(minX: .nan, minY: 0, maxX: 1, maxY: 1)
        #expect(throws: Failure.self) { try fitted(nan) }
    }
}
