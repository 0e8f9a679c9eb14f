import Foundation
import TestSupport
import Testing

/// Where the code of `snippet` puts the camera of a map, and how it limits it.
@Suite(
    .long,
    .enabled(if: Browser.isPresent, "not installed: chromium"),
    .enabled(if: MapLibraries.leaflet != nil, "not installed: Debian's libjs-leaflet"),
    .enabled(if: MapLibraries.maplibre != nil, "not installed: python3 with maplibre"),
    .enabled(if: MapLibraries.openlayers != nil, "not installed: python3 with mapproxy"),
    .needs("python3"))
struct SnippetCameraTests {
    /// What a map says of itself; zooms as Google counts them.
    private struct Shown: Decodable {
        /// West, south, east and north of what is seen first.
        var seen: [Double]
        var zoom: Double
        /// The zooms that the map gets to on its way to 0 and to 30.
        var zooms: [Double]
        /// Where the middle is after a way to the Gulf of Guinea.
        var middle: [Double]
    }

    /// Expressions of what a map shows, and calls that change it.
    fileprivate struct Client {
        var seen, zoom, middle: String
        /// Functions of a zoom, and of a place.
        var zoomTo, moveTo: String
    }

    private static let clients = [
        "leaflet": Client(
            seen: "map.getBounds().toBBoxString().split(',').map(Number)", zoom: "map.getZoom()",
            middle: "[map.getCenter().lng, map.getCenter().lat]",
            zoomTo: "(zoom) => map.setZoom(zoom, { animate: false })",
            moveTo: "([lng, lat]) => map.setView([lat, lng], map.getZoom(), { animate: false })"),
        "maplibre": Client(
            seen: "map.getBounds().toArray().flat()", zoom: "map.getZoom() + 1",
            middle: "map.getCenter().toArray()", zoomTo: "(zoom) => map.jumpTo({ zoom: zoom - 1 })",
            moveTo: "(center) => map.jumpTo({ center })"),
        "openlayers": Client(
            seen: "ol.proj.transformExtent(map.getView().calculateExtent(), 'EPSG:3857', 'EPSG:4326')",
            zoom: "map.getView().getZoom()", middle: "ol.proj.toLonLat(map.getView().getCenter())",
            zoomTo: "(zoom) => map.getView().setZoom(zoom)",
            moveTo: "(place) => map.getView().setCenter(ol.proj.fromLonLat(place))"),
    ]

    private let site: Workshop

    init() throws {
        site = try Workshop(.noise(width: 300, height: 200))
        let manifest = """
            name: Harbour Mall
            output: tiles
            zoom: 14-18
            bounds: \(Workshop.bounds)
            floors: [{floor: 0, image: plan.png}, {floor: 1, image: plan.png}]

            """
        try site.write(manifest.utf8, to: "building.yaml")
        try Program.succeed(["building.yaml"], in: site.url)
        try site.build(["--zoom", "14-18"])
    }

    /// Runs the code on a map of 300 x 200 points, and asks the map.
    private func shown(_ name: String, _ options: [String]) throws -> Shown {
        let server = try WebServer(of: site.url, log: site.file("server.log"))
        let pages = try MapPages(root: site.url, address: server.address)
        let page = try pages.camera(for: name, options, report: #require(Self.clients[name]).report)
        return try JSONDecoder().decode(Shown.self, from: Data(Browser.output(page).utf8))
    }

    @Test(
        "a map shows all of the tiles, and keeps to them and to the zooms that show something",
        arguments: [
            ("leaflet", "out"), ("maplibre", "out"), ("openlayers", "out"), ("leaflet", "building.yaml"),
            ("maplibre", "building.yaml"), ("openlayers", "building.yaml"),
        ])
    func camera(client: String, thing: String) throws {
        let shown = try shown(client, [thing])
        // Of 300 x 200 points, 64 at each edge stay free.
        let (west, south, east, north) = (2.0, 48.0, 2.003, 48.002)
        let frame = 360.0 / 256 / pow(2, shown.zoom)
        let margin = 64 * frame
        #expect(shown.seen[0] <= west - margin * 0.99 && shown.seen[2] >= east + margin * 0.99)
        let down = margin * cos(48 * .pi / 180)
        #expect(shown.seen[1] <= south - down * 0.99 && shown.seen[3] >= north + down * 0.99, "\(shown)")
        // The largest zoom that does: Leaflet takes whole ones.
        let room = min(172 / ((east - west) / frame), 72 / ((north - south) / frame / cos(48 * .pi / 180)))
        #expect(room < (client == "leaflet" ? 2 : 1.01), "\(shown)")
        #expect(shown.zooms == [14, 21])
        // Leaflet's limits hold what is seen, and not the middle.
        let reach = client == "leaflet" ? 0.003 : 1e-7
        #expect(shown.middle[0] <= west + reach && shown.middle[0] >= west - reach, "\(shown.middle)")
        #expect(shown.middle[1] <= south + reach && shown.middle[1] >= south - reach, "\(shown.middle)")
    }

    @Test("--enlarge-to sets the last zoom", arguments: ["leaflet", "maplibre", "openlayers"])
    func enlargeTo(client: String) throws {
        for thing in ["out", "building.yaml"] {
            #expect(try shown(client, [thing, "--enlarge-to", "19"]).zooms == [14, 19])
        }
    }
}

extension SnippetCameraTests.Client {
    /// A function that writes what the map says of itself into the page's element `out`.
    fileprivate var report: String {
        """
        <script>
        function report() {
          const zoomTo = \(zoomTo), moveTo = \(moveTo), told = { seen: \(seen), zoom: \(zoom) };
          zoomTo(0);
          told.zooms = [\(zoom)];
          zoomTo(30);
          told.zooms.push(\(zoom));
          moveTo([0, 0]);
          told.middle = \(middle);
          document.getElementById("out").textContent = JSON.stringify(told);
          fetch("/open");
        }
        </script>
        """
    }
}
