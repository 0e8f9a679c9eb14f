import Platform
import Georeferencing
import Raster
import Testing
import TilewrightKit
import Tiling

/// The requests that manifests describe.
struct ManifestTests {
    private let site: ManifestSite

    init() throws { site = try ManifestSite() }

    private static let mall = """
        name: Harbour Mall
        output: tiles                    # or "tiles/{floor}.pmtiles"
        url: https://tiles.example.org/harbour
        template: L{floor}_{z}_{x}_{y}.{ext}
        zoom: 17-22                      # one range for all
        tile-size: 512
        gcps: ground.points              # one position for all floors that are drawn alike
        transform: similarity
        floors:
          - {floor: B1, label: Basement, ordinal: -1, image: plans/b1.png}
          - {floor: 0, label: Ground floor, ordinal: 0, image: plans/ground.png, default: true}
          - {floor: 1, label: First floor, ordinal: 1, image: plans/first.png, gcps: plans/first.points}

        """

    @Test("A building has its floors, each with the keys at the top and its own")
    func example() throws {
        let building = try site.building(Self.mall)
        #expect(building.name == "Harbour Mall" && building.folder == site.path("tiles"))
        #expect(building.manifests == [site.path("building.yaml")])
        let floors = building.floors
        #expect(floors.map(\.floor) == ["B1", "0", "1"])
        #expect(floors.map(\.label) == ["Basement", "Ground floor", "First floor"])
        #expect(floors.map(\.ordinal) == [-1, 0, 1] && floors.map(\.isDefault) == [false, true, false])
        let builds = floors.map(\.build)
        #expect(
            builds.map { $0.images.map(\.path) }
                == ["plans/b1.png", "plans/ground.png", "plans/first.png"].map { [site.path($0)] })
        for build in builds {
            #expect(build.output.path == site.path("tiles"))
            #expect(build.output.template == "L{floor}_{z}_{x}_{y}.{ext}")
            #expect(build.output.url == "https://tiles.example.org/harbour")
            #expect(build.pyramid.zoom == ZoomRange(17...22) && build.pyramid.tileSize == .double)
        }
        #expect(
            builds.map(\.output.labels.name) == [
                "Harbour Mall, Basement", "Harbour Mall, Ground floor", "Harbour Mall, First floor",
            ])
    }

    @Test("A floor's position replaces that of the top as a group")
    func positions() throws {
        let positions = try site.building(Self.mall).floors.map { $0.build.images[0].position }
        let common = PositionRequest(.pointsFile(site.path("ground.points")), transform: .similarity)
        let own = PositionRequest(.pointsFile(site.path("plans/first.points")))
        #expect(positions == [common, common, own])
    }

    @Test("A floor may change how a position is read, without its own position")
    func understanding() throws {
        let building = try site.building(
            """
            output: tiles
            gcps: ground.points
            transform: similarity
            crs: EPSG:2154
            floors:
              - {floor: 1, image: a.png, transform: affine}
              - {floor: 2, image: b.png, bounds: "1,2,3,4"}
              - {floor: 3, image: c.png, anchor: "1,2,3,4", scale: 1:100, bearing: 17}
            """)
        let box = BoundingBox(minX: 1, minY: 2, maxX: 3, maxY: 4)
        #expect(
            building.floors.map { $0.build.images[0].position } == [
                PositionRequest(
                    .pointsFile(site.path("ground.points")), crs: "EPSG:2154", transform: .affine),
                PositionRequest(.bounds(box)),
                PositionRequest(
                    .anchor(
                        pixel: Point(x: 1, y: 2), lonLat: Point(x: 3, y: 4), scale: .oneTo(100), bearing: 17)),
            ])
    }

    @Test("A rigid transform and its scale hold for all floors, until a floor has another transform")
    func rigid() throws {
        let building = try site.building(
            """
            output: tiles
            gcps: ground.points
            transform: rigid
            scale: "1:100"
            floors:
              - {floor: 1, image: a.png}
              - {floor: 2, image: b.png, scale: 0.02, dpi: 300}
              - {floor: 3, image: c.png, transform: affine}
              - {floor: 4, image: c.png, gcp: "1,2,3,4", transform: rigid, scale: 0.02, bearing: 17}
            """)
        let positions = building.floors.map { $0.build.images[0].position }
        #expect(positions.map(\.transform) == [.rigid, .rigid, .affine, .rigid])
        #expect(
            positions.map(\.scale) == [.oneTo(100), .metresPerPixel(0.02), nil, .metresPerPixel(0.02)])
        #expect(positions.map(\.bearing) == [nil, nil, nil, 17])
    }

    @Test("A floor's key replaces that of the top, even with false")
    func inheritance() throws {
        let building = try site.building(
            """
            output: tiles
            format: webp
            lossless: true
            nodata: 255,255,255
            keep-colors: true
            attribution: Everyone
            gcp: ["1,2,3,4", "5,6,7,8"]
            floors:
              - {floor: 1, image: a.png}
              - {floor: 2, image: b.png, lossless: false, quality: 40, keep-colors: false, nodata: "0,0,0,9"}
              - {floor: 3, image: c.png, attribution: "", gcp: [[9, 9, 9, 9], "8,8,8,8"]}
            """)
        let builds = building.floors.map(\.build)
        #expect(builds.map(\.pyramid.encoding.lossless) == [true, false, true])
        #expect(builds.map(\.pyramid.encoding.quality) == [nil, 40, nil])
        #expect(builds.map { $0.images[0].keepColors } == [true, false, true])
        #expect(builds.map { $0.images[0].nodata?.tolerance } == [0, 9, 0])
        #expect(builds.map(\.output.labels.attribution) == ["Everyone", "Everyone", ""])
        let points: [[Double]] = builds.map { build in
            if case .controlPoints(let points) = build.images[0].position.source {
                points.map(\.pixel.x)
            } else {
                []
            }
        }
        #expect(points == [[1, 5], [1, 5], [9, 8]])
    }

    @Test("Every option of a floor is read, as text and as a list")
    func allKeys() throws {
        let floor = try site.building(
            """
            output: tiles/
            floors:
            - floor: 01
              image: [a.png]
              short-name: G
              name: Ground
              crop: [1, 2, 30, 40]
              paper: [250, 251, 252]
              bands: [3, 2, 1]
              rescale: [10, 20.5]
              max-residual: 0.5
              corners: [[1, 2], "3,4", [5, 6]]
              crs: EPSG:4326
              orient: no
              zoom: -20
              palette: 16
              png-level: small
              background: '#0a0b0c'
              cutline: hull.geojson
              resampling: mode
              overview-resampling: nearest
              empty: write
              scheme: tms
              attribution: © Surveyors
              description: >
                Two
                lines
              doc-kml: overlay
            """
        ).floors[0]
        #expect(floor.floor == "01" && floor.ordinal == 1 && floor.label == nil && floor.shortName == "G")
        let image = floor.build.images[0]
        #expect(image.crop == PixelWindow(columns: 1..<31, rows: 2..<42))
        #expect(image.paper == ColorKey(red: 250, green: 251, blue: 252, tolerance: 0))
        #expect(image.bands == [3, 2, 1] && image.rescale == SampleRange(10...20.5))
        let corners = [Point(x: 1, y: 2), Point(x: 3, y: 4), Point(x: 5, y: 6)]
        #expect(image.position == PositionRequest(.corners(corners), crs: "EPSG:4326", orient: .no))
        let pyramid = floor.build.pyramid
        #expect(pyramid.zoom == ZoomRange(maximum: 20) && pyramid.empty == .write)
        #expect(pyramid.encoding.palette == 16 && pyramid.encoding.pngLevel == .small)
        #expect(pyramid.background == RGBColor(red: 10, green: 11, blue: 12))
        #expect(pyramid.cutline == site.path("hull.geojson"))
        #expect(pyramid.resampling == .mode && pyramid.overviewResampling == .nearest)
        let output = floor.build.output
        #expect(floor.build.maxResidual == 0.5 && output.scheme == .tms && output.docKML == .overlay)
        #expect(output.labels.name == "Ground" && output.labels.attribution == "© Surveyors")
        #expect(output.labels.description == "Two lines\n" && output.path == site.path("tiles"))
        #expect(output.template == "{floor}/{z}/{x}/{y}.{ext}")
    }

    @Test("A manifest means the same with anchors, and as JSON")
    func otherForms() throws {
        let plain = try site.building(
            """
            output: t
            floors: [{floor: 1, image: a.png, zoom: 3-5}, {floor: 2, image: b.png, zoom: 3-5}]
            """)
        let anchors = try site.building(
            """
            output: t
            floors: [&f {floor: 1, image: a.png, zoom: 3-5}, {<<: *f, floor: 2, image: b.png}]
            """)
        let json = try site.building(
            #"{"output":"t","floors":[{"floor":1,"image":"a.png","zoom":"3-5"},{"floor":"2","image":"b.png","zoom":"3-5"}]}"#
        )
        for other in [anchors, json] {
            #expect("\(other.floors)" == "\(plain.floors)")
        }
    }

    @Test("A pattern of archives gives each floor one, in the building's folder")
    func archives() throws {
        let building = try site.building(
            """
            output: out/tiles-{floor}.pmtiles
            floors: [{floor: no, label: Attic, ordinal: 2, image: a.png}, {floor: -1, image: [b.png, c.png]}]
            """)
        #expect(building.folder == site.path("out") && building.name == nil)
        #expect(
            building.floors.map(\.build.output.path)
                == ["no", "-1"].map { site.path("out/tiles-\($0).pmtiles") })
        #expect(building.floors.map(\.ordinal) == [2, -1])
        #expect(building.floors.map(\.build.output.labels.name) == ["Attic", "-1"])
        #expect(building.floors[1].build.images.map(\.path) == [site.path("b.png"), site.path("c.png")])
    }

    @Test("Paths are relative to the manifest's folder, unless they are absolute")
    func paths() throws {
        let building = try site.building(
            "output: ../out\nfloors: [{floor: 1, image: ../a.png}, {floor: 2, image: \(site.path("b.png"))}]",
            "plans/m.yml")
        #expect(building.folder == site.path("plans/../out"))
        #expect(
            building.floors.map { $0.build.images[0].path } == [
                site.path("plans/../a.png"), site.path("b.png"),
            ])
    }

    @Test("A campus holds buildings and names manifests")
    func campus() throws {
        try site.write(
            "output: east\nfloors: [{floor: 0, image: ../a.png}]\nname: East", to: "plans/east.yaml")
        let campus = try site.campus(
            """
            name: Campus
            output: tiles
            buildings:
              - plans/east.yaml
              - name: West
                output: west
                zoom: 18
                floors: [{floor: 0, image: a.png}]
            """)
        #expect(campus.name == "Campus" && campus.folder == site.path("tiles"))
        #expect(campus.buildings.map(\.name) == ["East", "West"])
        #expect(campus.buildings.map(\.folder) == [site.path("plans/east"), site.path("west")])
        #expect(
            campus.buildings.map(\.manifests) == [
                [site.path("plans/east.yaml"), site.path("campus.yaml")], [site.path("campus.yaml")],
            ])
    }

    @Test("Manifests end in .yaml or .yml")
    func names() {
        for name in ["building.yaml", "a/b.yml", "B.YAML"] { #expect(Manifest.isManifest(name)) }
        for name in ["plan.png", "yaml", "tiles", "a.yaml.png", "a.pmtiles"] {
            #expect(!Manifest.isManifest(name))
        }
    }
}
