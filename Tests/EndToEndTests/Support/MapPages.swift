import Foundation
import TestSupport
import Testing

/// Pages that show a tileset around a place, one per client, side by side in one page.
struct MapPages {
    /// Width and height of each, in pixels of the page.
    static let size = (width: 300, height: 200)

    /// The tiles, as a client finds them.
    struct Tiles {
        /// The folder's name on the server.
        var folder: String
        /// The highest zoom.
        var zoom: Int
        /// The place in the middle.
        var center: Place
    }

    private let root: URL
    private let address: String
    private(set) var names: [String] = []

    /// Links the map libraries below the server's root.
    init(root: URL, address: String) throws {
        (self.root, self.address) = (root, address)
        let libraries = [
            ("leaflet", MapLibraries.leaflet), ("maplibre", MapLibraries.maplibre),
            ("ol", MapLibraries.openlayers),
        ]
        for (name, folder) in libraries {
            guard let folder else { continue }
            let link = root.appending(path: name)
            try? FileManager.default.createSymbolicLink(at: link, withDestinationURL: folder)
        }
        for (name, member) in [
            ("tile", "layer.Tile"), ("xyz", "source.XYZ"), ("control", "control.Control"), ("view", "View"),
        ] {
            try write("export default ol.\(member);", to: "ol-\(name).js")
        }
        try write("export const transformExtent = ol.proj.transformExtent;", to: "ol-proj.js")
        let library = try Program.succeed(["snippet", "--library", "--for", "leaflet"], in: root)
        try write(library.output, to: "tilewright-tiles.js")
    }

    private func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: root.appending(path: name))
    }

    /// Adds the page that `viewer` made, with nothing over the map and white behind it.
    mutating func addViewer(_ tiles: Tiles, page: String = "index.html", zoom: Int) throws {
        let original = root.appending(path: tiles.folder).appending(path: page)
        let text = try String(contentsOf: original, encoding: .utf8)
        // Before the map takes the room that is left.
        let style =
            "<style>#side, #readout, .leaflet-control-container { display: none !important; }</style></head>"
        let name = "\(tiles.folder)/bare-\(page)"
        try write(text.replacing("</head>", with: style), to: name)
        let (longitude, latitude) = (tiles.center.longitude, tiles.center.latitude)
        names.append("\(name)#\(zoom)/\(latitude)/\(longitude)&background=white")
    }

    /// Adds the viewer's page of an archive, which is ready later than its files are.
    mutating func addViewer(_ tiles: Tiles, archive: String, zoom: Int) throws {
        let page = "\(tiles.folder)/\(archive).html"
        let text = try String(contentsOf: root.appending(path: page), encoding: .utf8)
        let ready = """
            \(gate)<script>
            const timer = setInterval(() => {
              const pictures = [...document.querySelectorAll(".plan img")];
              if (!pictures.length || pictures.some((one) => !one.src || !one.complete)) return;
              clearInterval(timer);
              fetch("/open");
            }, 20);
            </script></body>
            """
        try write(text.replacing("</body>", with: ready), to: page)
        try addViewer(tiles, page: archive + ".html", zoom: zoom)
    }

    /// The code of a snippet without the lines that move the map to all of its tiles.
    static func withoutCamera(_ code: String) -> String {
        code.replacing(
            /\n *(showAll|limitCameraTo|floors\.showAll|floors\.limitCamera)\w*\((map)?\);(?=\n)/, with: "")
    }

    /// Adds a page with the code that `snippet` prints.
    ///
    /// - Parameter zoom: of the map, at which a pixel of a tile is one of the screen.
    mutating func addSnippet(_ tiles: Tiles, for client: String, zoom: Int) throws {
        let snippet = try Program.succeed(
            ["snippet", tiles.folder, "--for", client, "--url", "\(address)/\(tiles.folder)"],
            in: root
        ).output
        let code = Self.withoutCamera(snippet)
        let name = "\(tiles.folder)-\(client)"
        try write(code, to: name + ".js")
        let (longitude, latitude) = (tiles.center.longitude, tiles.center.latitude)
        let start = Self.start(
            client, longitude: longitude, latitude: latitude, zoom: zoom)
        let script =
            switch client {
            // At once: later, the map's event of being loaded could be over.
            case "maplibre": gate + "<script>\(code)</script>"
            case "openlayers":
                gate
                    + """
                    <script type="module">
                    import "./\(name).js";
                    map.once("rendercomplete", () => fetch("/open"));
                    </script>
                    """
            // It draws what it fetched.
            case "google-js":
                gate
                    + """
                    <script type="module" src="\(name).js"></script>
                    <script>
                    let before = -1;
                    const timer = setInterval(() => {
                      const now = performance.getEntriesByType("resource").length;
                      if (now > before) return void (before = now);
                      clearInterval(timer);
                      fetch("/open");
                    }, 500);
                    </script>
                    """
            default: "<script type=\"module\" src=\"\(name).js\"></script>"
            }
        try write(Self.head + start + script, to: name + ".html")
        names.append(name + ".html")
    }

    /// Writes a page with the code that `snippet` prints for a manifest, which is in the server's folder.
    ///
    /// - Parameters:
    ///   - tiles: the folder of the manifest's output, and what the map shows.
    ///   - zoom: of the map, at which a pixel of a tile is one of the screen.
    /// - Returns: its address. The page has the variables `map` and `floors`.
    func building(_ manifest: String, _ tiles: Tiles, for client: String, zoom: Int) throws -> String {
        let snippet = try Program.succeed(
            ["snippet", manifest, "--for", client, "--url", "\(address)/\(tiles.folder)"], in: root
        ).output
        let name = "building-\(client)"
        try write(
            Self.withoutCamera(snippet).replacing("// floors.show(\"1\");", with: "window.floors = floors;"),
            to: name + ".js")
        try write(
            Self.head.replacing("<!doctype html>", with: Self.policy)
                + Self.start(
                    client, longitude: tiles.center.longitude, latitude: tiles.center.latitude, zoom: zoom)
                + "<script type=\"module\" src=\"\(name).js\"></script>", to: name + ".html")
        return "\(address)/\(name).html"
    }

    /// Writes a page with a map that shows the whole world until the code that `snippet` prints has run. Then the
    /// function `report` is called.
    ///
    /// - Parameters:
    ///   - options: those of `snippet`, first what it is to show; the address is added.
    ///   - report: an element of the page with that function.
    /// - Returns: its address.
    func camera(for client: String, _ options: [String], report: String) throws -> String {
        let isBuilding = options[0].hasSuffix(".yaml")
        let url = "\(address)/\(isBuilding ? "tiles" : options[0])"
        let snippet = try Program.succeed(
            ["snippet"] + options + ["--for", client, "--url", url], in: root
        ).output
        let code =
            isBuilding
            ? snippet.replacing("// floors.show(\"1\");", with: "report();") : snippet + "report();\n"
        // It opens the gate itself.
        let start = Self.start(client, longitude: 0, latitude: 0, zoom: 1)
            .replacing("map.once(\"idle\", () => fetch(\"/open\"));", with: "")
        let out = "<pre id=\"out\"></pre>"
        let script = "<script type=\"module\">\n\(code)</script>"
        try write(Self.head + out + gate + report + start + script, to: "camera-\(client).html")
        return "\(address)/camera-\(client).html"
    }

    private static let head = """
        <!doctype html><meta charset="utf-8">
        <style nonce="test">body { margin: 0; } #map { width: 300px; height: 200px; background: #fff; }</style>
        <div id="map"></div>
        """

    /// Forbids what the server and the page's own head did not bring.
    private static let policy = """
        <!doctype html>
        <meta http-equiv="Content-Security-Policy" content="style-src 'self' 'nonce-test'">
        """

    /// Holds a page until its map has opened the gate. By another name of the server: a browser asks
    /// a host of one name for six things at a time.
    private var gate: String {
        let address = address.replacing("127.0.0.1", with: "localhost")
        return "<img src=\"\(address)/gate\" alt=\"\" hidden>"
    }

    /// What makes a map called `map`.
    private static func start(
        _ client: String, longitude: Double, latitude: Double, zoom: Int
    ) -> String {
        switch client {
        case "leaflet":
            """
            <link rel="stylesheet" href="leaflet/leaflet.css">
            <script src="leaflet/leaflet.js"></script>
            <script>
            const map = L.map("map", {
              fadeAnimation: false, zoomControl: false, attributionControl: false,
            }).setView([\(latitude), \(longitude)], \(zoom));
            </script>
            """
        case "maplibre":
            """
            <link rel="stylesheet" href="maplibre/maplibre-gl.css">
            <script src="maplibre/maplibre-gl.js"></script>
            <script>
            const map = new maplibregl.Map({
              container: "map", fadeDuration: 0, attributionControl: false,
              center: [\(longitude), \(latitude)], zoom: \(zoom),
              style: { version: 8, sources: {}, layers: [
                { id: "white", type: "background", paint: { "background-color": "#fff" } }] },
            });
            map.once("idle", () => fetch("/open"));
            </script>
            """
        case "openlayers":
            """
            <link rel="stylesheet" href="ol/ol.css">
            <script src="ol/ol.js"></script>
            <script type="importmap">{ "imports": {
              "ol/layer/Tile.js": "./ol-tile.js", "ol/source/XYZ.js": "./ol-xyz.js",
              "ol/control/Control.js": "./ol-control.js", "ol/View.js": "./ol-view.js",
              "ol/proj.js": "./ol-proj.js" } }</script>
            <script>
            const map = new ol.Map({
              target: "map", controls: [], view: new ol.View({
                center: ol.proj.fromLonLat([\(longitude), \(latitude)]), zoom: \(zoom), maxZoom: 24,
              }),
            });
            </script>
            """
        default: google(longitude: longitude, latitude: latitude, zoom: zoom)
        }
    }

    /// A map that asks overlays for tiles as Google's does: columns count on around the world.
    private static func google(longitude: Double, latitude: Double, zoom: Int) -> String {
        let place = Place(longitude: longitude, latitude: latitude).pixel(zoom: zoom)
        return """
            <style nonce="test">
            #map { position: relative; overflow: hidden; }
            #map > * { position: absolute; }
            #map > .tilewright-floors { top: 0; right: 0; z-index: 1; }
            </style>
            <script>
            const google = { maps: {
              Size: class { constructor(width, height) { this.width = width; this.height = height; } },
              ControlPosition: { RIGHT_CENTER: 0 },
            } };
            const corner = [\(place.x.rounded()) - 150, \(place.y.rounded()) - 100];
            const page = document.getElementById("map"), layers = [], shown = [];
            function draw(layer) {
              const { width, height } = layer.tileSize;
              const first = [Math.floor(corner[0] / width), Math.floor(corner[1] / height)];
              for (let x = first[0]; x <= first[0] + 300 / width + 1; x++) {
                for (let y = first[1]; y <= first[1] + 200 / height + 1; y++) {
                  for (const zoom of [\(zoom - 30), \(zoom + 4)]) {
                    const none = layer.getTile({ x, y }, zoom, document);
                    if (none.firstChild) throw new Error("no such zoom");
                    layer.releaseTile(none);
                  }
                  const tile = layer.getTile({ x: x + 2 ** \(zoom), y }, \(zoom), document);
                  tile.style.left = `${x * width - corner[0]}px`;
                  tile.style.top = `${y * height - corner[1]}px`;
                  page.prepend(tile);
                  shown.push([layer, tile]);
                }
              }
            }
            function clear(gone) {
              for (const [layer, tile] of shown.splice(0)) {
                if (layer !== gone) shown.push([layer, tile]);
                else {
                  layer.releaseTile(tile);
                  tile.remove();
                }
              }
            }
            const map = {
              getDiv: () => page, controls: [{ push: (element) => page.append(element) }],
              overlayMapTypes: {
                getArray: () => layers,
                push(layer) { layers.push(layer); draw(layer); },
                removeAt(index) { clear(...layers.splice(index, 1)); },
              },
            };
            </script>
            """
    }

    /// All pages in a row, in a page of their own.
    func row() throws -> String {
        let frames = names.map {
            "<iframe src=\"\($0)\" width=\"300\" height=\"200\" scrolling=\"no\"></iframe>"
        }
        let style = "<style>body { margin: 0; display: flex; } iframe { border: 0; flex: none; }"
        try write(
            "<!doctype html>\(style)</style>\(frames.joined())", to: "row-\(names.count).html")
        return "\(address)/row-\(names.count).html"
    }
}
