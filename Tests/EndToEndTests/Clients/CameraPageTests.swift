import Foundation
import TestSupport
import Testing

/// What the maps of clients show after the code of `camera` has run.
@Suite(
    .long,
    .enabled(if: Browser.isPresent, "not installed: chromium"),
    .enabled(if: MapLibraries.leaflet != nil, "not installed: Debian's libjs-leaflet"),
    .enabled(if: MapLibraries.maplibre != nil, "not installed: python3 with maplibre"),
    .enabled(if: MapLibraries.openlayers != nil, "not installed: python3 with mapproxy"),
    .needs("python3"))
struct CameraPageTests {
    /// What a map says of itself.
    private struct Shown: Decodable {
        var target: [Double]
        var zoom: Double
        var bearing: Double
        /// The places at the top left, top right and bottom right.
        var corners: [[Double]]
    }

    /// What `camera` says of the view.
    private struct View: Decodable {
        var target: [Double]
        var zoom: Double
        var bearing: Double
        var corners: [[Double]]
    }

    /// What a page needs to run the code of a client.
    private struct Client {
        /// The page before the code, with a map called `map` that shows another place.
        var start: String
        /// Expressions of what the map shows.
        var target, zoom, bearing, corner: String
    }

    private static let leaflet = Client(
        start: """
            <link rel="stylesheet" href="leaflet/leaflet.css"><script src="leaflet/leaflet.js"></script>
            <script>
            const map = L.map("map").setView([0, 0], 1);
            const lonLat = (place) => [place.lng, place.lat];
            </script>
            """,
        target: "lonLat(map.getCenter())", zoom: "map.getZoom()", bearing: "0",
        corner: "lonLat(map.containerPointToLatLng(point))")

    private static let maplibre = Client(
        start: """
            <script src="maplibre/maplibre-gl.js"></script>
            <script>
            const map = new maplibregl.Map({
              container: "map", center: [0, 0], zoom: 1, style: { version: 8, sources: {}, layers: [] },
            });
            </script>
            """,
        target: "map.getCenter().toArray()", zoom: "map.getZoom() + 1", bearing: "map.getBearing()",
        corner: "map.unproject(point).toArray()")

    private static let openlayers = Client(
        start: """
            <script src="ol/ol.js"></script>
            <script type="importmap">{ "imports": {
              "ol/View.js": "./ol-view.js", "ol/proj.js": "./ol-proj.js" } }</script>
            <script>const map = new ol.Map({ target: "map", view: new ol.View({ center: [0, 0], zoom: 1 }) });
            </script>
            """,
        target: "ol.proj.toLonLat(map.getView().getCenter())", zoom: "map.getView().getZoom()",
        bearing: "-map.getView().getRotation() * 180 / Math.PI",
        corner: "(map.renderSync(), ol.proj.toLonLat(map.getCoordinateFromPixel(point)))")

    private let scratch: TemporaryDirectory
    private let server: WebServer

    init() throws {
        scratch = try TemporaryDirectory()
        for (name, folder) in [
            ("leaflet", MapLibraries.leaflet), ("maplibre", MapLibraries.maplibre),
            ("ol", MapLibraries.openlayers),
        ] {
            let link = scratch.url.appending(path: name)
            let folder = try #require(folder)
            try FileManager.default.createSymbolicLink(at: link, withDestinationURL: folder)
        }
        _ = try scratch.write("export default ol.View;", to: "ol-view.js")
        _ = try scratch.write(
            "export const { fromLonLat, transformExtent } = ol.proj;", to: "ol-proj.js")
        server = try WebServer(of: scratch.url, log: scratch.url.appending(path: "server.log"))
    }

    /// Runs the code of a client for a camera, and asks its map.
    private func shown(_ name: String, _ client: Client, _ options: [String]) throws -> Shown {
        let code = try Program.succeed(["camera", "--for", name] + options).output
        let page = """
            <!doctype html><meta charset="utf-8">
            <style>body { margin: 0; } #map { width: 390px; height: 700px; }</style>
            <div id="map"></div><pre id="out"></pre>
            \(client.start)<script type="module">
            \(code)
            const corner = (point) => \(client.corner);
            document.getElementById("out").textContent = JSON.stringify({
              target: \(client.target), zoom: \(client.zoom), bearing: \(client.bearing),
              corners: [corner([0, 0]), corner([390, 0]), corner([390, 700])],
            });
            </script>
            """
        _ = try scratch.write(page, to: "page.html")
        let text = try Browser.output("\(server.address)/page.html")
        return try JSONDecoder().decode(Shown.self, from: Data(text.utf8))
    }

    private static let limits = [
        "--target-bounds", "177,-19,-178,-16", "--min-zoom", "5.5", "--max-zoom", "20",
    ]

    @Test(
        "maps show what camera says, also within limits across the antimeridian",
        arguments: [
            ("leaflet", []), ("leaflet", limits),
            ("maplibre", ["--bearing", "40", "--tilt", "25"]),
            ("maplibre", ["--bearing", "3", "--tilt", "20"] + limits),
            ("openlayers", ["--bearing", "130"]), ("openlayers", ["--bearing", "3"] + limits),
        ])
    func shows(name: String, options: [String]) throws {
        let clients = ["leaflet": Self.leaflet, "maplibre": Self.maplibre, "openlayers": Self.openlayers]
        let place = ["--target", "-179.5,-17.25", "--zoom", "7.5", "--size", "390x700"]
        let shown = try shown(name, #require(clients[name]), place + options)
        let json = try Program.succeed(["camera", "--json"] + place + options).output
        let view = try JSONDecoder().decode(View.self, from: Data(json.utf8))
        #expect(abs(shown.zoom - view.zoom) < 1e-9)
        #expect(abs((shown.bearing - view.bearing).remainder(dividingBy: 360)) < 1e-6)
        // Leaflet rounds the middle to a pixel, of 0.0078 degrees.
        let noise = name == "leaflet" ? 0.0078 : 1e-6
        for (one, other) in zip([shown.target] + shown.corners, [view.target] + view.corners) {
            #expect(abs((one[0] - other[0]).remainder(dividingBy: 360)) < noise)
            #expect(abs(one[1] - other[1]) < noise)
        }
    }
}
