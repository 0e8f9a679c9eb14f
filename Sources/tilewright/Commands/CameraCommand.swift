import ArgumentParser
import CommandSupport
import Platform
import Publishing
import TilewrightKit
import Tiling

/// `tilewright camera`: describes what a map view shows, or prints code that sets its camera.
struct CameraCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "camera",
        abstract: "Describes what a map view shows, and which tiles a client requests.",
        discussion: """
            Without INPUT, --target and --zoom, or --fit, are required.
            """)

    @Argument(
        help: ArgumentHelp(
            "A folder of tiles, an archive, an image with a position, or a manifest for all its floors.",
            valueName: "INPUT"),
        completion: .inputs)
    var input: String?

    @OptionGroup(title: "Camera") var camera: CameraOptions

    @OptionGroup var floor: FloorOption
    @OptionGroup var images: ViewedImageOptions
    @OptionGroup var limit: TileLimitOption

    @Flag(help: "Print JSON.")
    var json = false

    @Option(
        name: .customLong("for"),
        help: ArgumentHelp("Print code that sets the camera of this client.", valueName: "CLIENT"))
    var client: SnippetClient?

    func validate() throws {
        try images.pyramid.check()
        if json, client != nil {
            throw Failure(.usage, "--json and --for cannot be combined")
        }
    }

    func run() throws {
        let extent = try extent()
        let view = try camera.request.view(of: extent)
        if let client {
            guard client.hasCamera else {
                throw Failure(.usage, "there is no code that sets the camera of \(client.rawValue)")
            }
            let limits = camera.request.clientLimits(of: view, extent: extent)
            let code = ClientCamera(view, limits: limits, for: client).text
            return try Console.result(bytes: Array(code.utf8))
        }
        let report = CameraReport(view, zooms: extent?.zooms)
        if json { try Console.result(json: report.json) } else { try Console.result(lines: report.lines) }
    }

    /// The extent of the tiles in the view; nil if there are no tiles.
    private func extent() throws -> TilesetExtent? {
        guard let input else {
            try floor.refuse("without tiles")
            try images.checkAbsent(for: "a view without tiles")
            return nil
        }
        if StoredTileset.isTileset(input) {
            try images.checkAbsent(for: "'\(input)', whose tiles are already made")
            return try TilesetExtent(
                StoredTileset(input, floor: floor.name, maxTiles: limit.maxTiles.value))
        }
        if Manifest.isManifest(input) { return try extent(ofManifest: input) }
        try floor.refuse("to '\(input)', which is an image")
        let placed = try PlacedImages(images.requests([input]))
        placed.warnings.forEach(Console.warn)
        return try TilesetExtent(TilesOnDemand(images: placed.all, request: images.pyramid))
    }

    /// The extent of the tiles of all floors of a manifest, or of the one that is chosen.
    private func extent(ofManifest path: String) throws -> TilesetExtent? {
        try ManifestOptions.refuse(images.given, nextTo: path)
        let floors = try FloorPlans(Manifest(contentsOf: path), floor: floor.name)
        floors.warnings.forEach(Console.warn)
        let extents = try floors.all.map { TilesetExtent(try $0.required().onDemand) }
        return extents.dropFirst().reduce(extents.first) { $0?.union($1) }
    }
}

/// The report of `camera` about a view.
struct CameraReport {
    /// The view.
    let view: CameraView
    /// The tiles that a client requests.
    let tiles: VisibleTiles

    /// Finds the tiles of a view.
    ///
    /// - Parameter zooms: the zooms that have tiles; nil for all.
    init(_ view: CameraView, zooms: ClosedRange<Int>?) {
        self.view = view
        tiles = view.tiles(zooms: zooms)
    }
}

extension CameraReport {
    /// The report for programs, in one line. Its members keep their order.
    var json: String {
        let (camera, size) = (view.camera, view.size)
        let members = [
            ("target", Self.list([camera.target.x, camera.target.y])),
            ("zoom", Self.number(camera.zoom)), ("bearing", Self.number(camera.bearing)),
            ("tilt", Self.number(camera.tilt)), ("size", "[\(size.width), \(size.height)]"),
            ("bounds", Self.list(view.bounds.edges)),
            ("corners", "[\(view.corners.map { Self.list([$0.x, $0.y]) }.joined(separator: ", "))]"),
            ("tiles", Self.object(tileMembers)),
        ]
        return Self.object(members)
    }

    private var tileMembers: [(String, String)] {
        [
            ("zoom", "\(tiles.zoom)"), ("columns", "[\(tiles.firstColumn), \(tiles.lastColumn)]"),
            ("rows", "[\(tiles.rows.lowerBound), \(tiles.rows.upperBound)]"),
        ]
    }

    /// Decimals of degrees and zooms: at zoom 30, a point of the view is 1.3e-9 degrees wide.
    private static let decimals = 9

    private static func number(_ number: Double) -> String { number.text(upTo: decimals) }

    private static func list(_ numbers: [Double]) -> String {
        "[\(numbers.map(number).joined(separator: ", "))]"
    }

    private static func object(_ members: [(String, String)]) -> String {
        "{\(members.map { "\"\($0)\": \($1)" }.joined(separator: ", "))}"
    }
}

extension CameraReport {
    /// The report for people.
    var lines: [String] {
        [cameraLine, sizeLine, "corners    (longitude, latitude)"] + cornerLines + [boundsLine, tileLine]
    }

    private var cameraLine: String {
        let camera = view.camera
        return "camera     target \(Self.place(camera.target)), zoom \(camera.zoom.text(upTo: 4)), "
            + "bearing \(camera.bearing.text(upTo: 2)), tilt \(camera.tilt.text(upTo: 2))"
    }

    private var sizeLine: String {
        let size = view.size
        return "view       \(size.width) x \(size.height) points, "
            + "\(size.pixelWidth) x \(size.pixelHeight) pixels"
    }

    private var cornerLines: [String] {
        let names = ["top left", "top right", "bottom right", "bottom left"]
        return zip(names, view.corners).map { name, corner in
            "           " + name.aligned(left: 14) + corner.x.text(decimals: 7).aligned(right: 13) + ", "
                + corner.y.text(decimals: 7)
        }
    }

    private var boundsLine: String {
        let box = view.bounds
        let edges = box.edges.map { $0.text(upTo: 7) }
        let crossing = box.minX > box.maxX ? ", across the antimeridian" : ""
        return "bounds     \(edges.joined(separator: ", "))\(crossing)"
    }

    private var tileLine: String {
        let count = tiles.limits.reduce(0) { $0 + $1.columns.count * $1.rows.count }
        let crossing = tiles.firstColumn > tiles.lastColumn ? " across the antimeridian" : ""
        return "tiles      zoom \(tiles.zoom): columns \(tiles.firstColumn)-\(tiles.lastColumn)\(crossing), "
            + "rows \(tiles.rows.lowerBound)-\(tiles.rows.upperBound), \(count.counted("tile"))"
    }

    private static func place(_ place: Point) -> String {
        "\(place.x.text(upTo: 7)), \(place.y.text(upTo: 7))"
    }
}
