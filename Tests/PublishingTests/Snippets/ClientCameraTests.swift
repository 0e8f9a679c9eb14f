import Tiling
import Foundation
import Publishing
import TestSupport
import Testing

/// A tilted and turned view across the antimeridian.
let tiltedView = CameraView(
    CameraPosition(target: Point(x: -179.5, y: -17.25), zoom: 17.5, bearing: 45, tilt: 62))

/// Limits of all kinds.
let someLimits = CameraLimits(
    targetBounds: BoundingBox(minX: 177, minY: -19, maxX: -178, maxY: -16), zooms: 3.5...20)

@Suite struct ClientCameraTests {
    private func code(
        _ client: SnippetClient, view: CameraView = tiltedView, limits: CameraLimits = someLimits
    ) -> String {
        ClientCamera(view, limits: limits, for: client).text
    }

    /// The code without comments, and white space as single blanks.
    private func statements(_ code: String) -> String {
        let lines = code.split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("//") }
        return lines.joined(separator: " ").split(separator: " ").joined(separator: " ")
    }

    @Test(
        "each client has the camera in its own units",
        arguments: [
            (.iosSwift, ["latitude: -17.25, longitude: -179.5, zoom: 17.5, bearing: 45, viewingAngle: 62)"]),
            (
                .iosObjC,
                ["Latitude:-17.25 longitude:-179.5 zoom:17.5 bearing:45 viewingAngle:62]"]
            ),
            (
                .androidKotlin,
                [".target(LatLng(-17.25, -179.5)) .zoom(17.5f) .bearing(45.0f) .tilt(62.0f)"]
            ),
            (.googleJS, ["{ lat: -17.25, lng: -179.5 }, zoom: 17.5,", "heading: 45, tilt: 62,"]),
            (.mapkitSwift, ["(zoom: 17.5, at: target.latitude, in: mapView), pitch: 62, heading: 45)"]),
            // The target lies on the copy of the world that the bounds begin on.
            (.leaflet, ["map.setView([-17.25, 180.5], 17.5,"]),
            (.maplibre, ["center: [180.5, -17.25], zoom: 16.5, bearing: 45, pitch: 62,", "setMaxPitch(62)"]),
            (.openlayers, ["fromLonLat([180.5, -17.25]), zoom: 17.5, rotation: -0.785398163,"]),
        ] as [(SnippetClient, [String])])
    func camera(client: SnippetClient, parts: [String]) {
        for part in parts { #expect(statements(code(client)).contains(part)) }
    }

    @Test(
        "each client has the limits in its own units",
        arguments: [
            (.iosSwift, ["setMinZoom(3.5, maxZoom: 20)", "latitude: -16, longitude: -178)"]),
            (.iosObjC, ["setMinZoom:3.5 maxZoom:20]", "Make(-16, -178)"]),
            (
                .androidKotlin,
                [
                    "setMinZoomPreference(3.5f)", "setMaxZoomPreference(20.0f)",
                    "LatLngBounds(LatLng(-19.0, 177.0), LatLng(-16.0, -178.0))",
                ]
            ),
            (
                .googleJS,
                ["minZoom: 3.5, maxZoom: 20,", "{ west: 177, south: -19, east: -178, north: -16 }"]
            ),
            (
                .mapkitSwift,
                [
                    "minCenterCoordinateDistance: distance(zoom: 20, at: latitude, in: mapView)",
                    "maxCenterCoordinateDistance: distance(zoom: 3.5, at: latitude, in: mapView)",
                ]
            ),
            (.leaflet, ["setMinZoom(3.5)", "setMaxBounds([[-19, 177], [-16, 182]])"]),
            (.maplibre, ["setMinZoom(2.5)", "setMaxZoom(19)", "setMaxBounds([[177, -19], [182, -16]])"]),
            (
                .openlayers,
                ["minZoom: 3.5, maxZoom: 20,", "[177, -19, 182, -16],", "constrainOnlyCenter: true,"]
            ),
        ] as [(SnippetClient, [String])])
    func limits(client: SnippetClient, parts: [String]) {
        for part in parts { #expect(statements(code(client)).contains(part)) }
    }

    @Test(
        "without limits the code sets none, and contains no placeholder",
        arguments: SnippetClient.allCases.filter(\.hasCamera))
    func free(client: SnippetClient) {
        let free = statements(code(client, limits: CameraLimits()))
        for word in ["inZoom(", "minZoom", "ZoomPreference", "oundary", "restriction", "extent:", "Bounds("] {
            #expect(!free.contains(word))
        }
        for code in [free, code(client)] {
            #expect(!code.contains("__") && !code.contains("IF_") && !code.contains("END_"))
        }
    }

    @Test("the code says what a client cannot do")
    func notes() {
        #expect(code(.leaflet).contains("the bearing of 45 degrees and the"))
        #expect(code(.openlayers).contains("the tilt of 62 degrees is ignored"))
        #expect(code(.googleJS).contains("need a vector map"))
        let flat = CameraView(CameraPosition(target: Point(x: 0, y: 0), zoom: 3))
        for client in [SnippetClient.leaflet, .openlayers] {
            #expect(!code(client, view: flat).contains("ignored"))
        }
        #expect(code(.openlayers, view: flat).contains("rotation: 0,"))
        #expect(!code(.maplibre, view: flat).contains("setMaxPitch"))
    }

    @Test("if a client limits the whole view, the camera's view is within the limits")
    func seen() throws {
        let view = CameraView(CameraPosition(target: Point(x: 10, y: 0), zoom: 4))
        let limits = CameraLimits(targetBounds: BoundingBox(minX: 9, minY: -1, maxX: 11, maxY: 1))
        let box = view.bounds
        #expect(code(.leaflet, view: view, limits: limits).contains("a view of 390 x 844 points"))
        for client in [SnippetClient.googleJS, .leaflet, .maplibre] {
            let code = code(client, view: view, limits: limits)
            #expect(code.contains("\(box.minX)".prefix(8)))
            #expect(code.contains("\(box.maxX)".prefix(8)))
        }
        #expect(code(.openlayers, view: view, limits: limits).contains("[9, -1, 11, 1]"))
    }

    @Test("bounds of half the world or more are written in each client's way, or left out")
    func wide() {
        let view = CameraView(CameraPosition(target: Point(x: 0, y: 0), zoom: 1))
        let limits = CameraLimits(targetBounds: BoundingBox(minX: -180, minY: -60, maxX: 180, maxY: 60))
        for client in [SnippetClient.iosSwift, .iosObjC] {
            let code = code(client, view: view, limits: limits)
            #expect(!statements(code).contains("cameraTargetBounds"))
            #expect(code.contains("left out"))
        }
        #expect(code(.androidKotlin, view: view, limits: limits).contains("LatLng(60.0, 179.9999999)"))
        #expect(code(.googleJS, view: view, limits: limits).contains("west: -180,"))
        #expect(code(.googleJS, view: view, limits: limits).contains("east: 180,"))
        #expect(!code(.leaflet, view: view, limits: limits).contains("setMaxBounds"))
    }

    @Test("MapLibre's highest zoom is raised if the camera needs it")
    func highZoom() {
        let high = CameraView(CameraPosition(target: Point(x: 0, y: 0), zoom: 25))
        #expect(code(.maplibre, view: high, limits: CameraLimits()).contains("setMaxZoom(29)"))
        #expect(!code(.leaflet, view: high, limits: CameraLimits()).contains("setMaxZoom"))
    }

    // A view of 844 points at zoom 17.5 and 17.25 degrees south: 0.8061 m a point on the sphere of the plane.
    // Seen at an angle of 30 degrees, its 844 points are as high from 1269.6 m.
    @Test(
        "the distance of MapKit's camera shows the zoom's scale under its field of view", .long,
        .needs("swiftc"))
    func distance() throws {
        let text = code(.mapkitSwift)
        let start = try #require(text.range(of: "let equator"))
        let end = try #require(text.range(of: "tan(.pi / 12)"))
        let formula = text[start.lowerBound..<end.upperBound]
        let scratch = try TemporaryDirectory()
        let program = """
            import Foundation
            let latitude = -17.25
            let zoom = 17.5
            let mapView = (bounds: (height: 844.0, width: 390.0), 0)
            func distance() -> Double {
                \(formula)
            }
            print(distance())
            """
        let file = try scratch.write(program, to: "main.swift")
        let compiler = try #require(Tool.path("swiftc"))
        let built = try Tool.run(compiler, [file, "-o", scratch.path("distance")], in: scratch.url)
        #expect(built.status == 0, "\(built.errors)")
        let outcome = try Tool.run(scratch.path("distance"), [], in: scratch.url)
        let distance = try #require(Double(outcome.output.filter { !$0.isWhitespace }))
        let halfHeight = 844.0 / 2 * 6_378_137 * 2 * .pi * cos(17.25 * .pi / 180) / 256 / pow(2, 17.5)
        #expect(abs(atan(halfHeight / distance) * 180 / .pi - 15) < 1e-9)
    }
}
