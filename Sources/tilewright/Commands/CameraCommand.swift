import CommandSupport
import Tiling
import ArgumentParser
import Platform
import Publishing
import TilewrightKit

/// `tilewright camera`: says what a map view shows, or prints code that sets its camera.
struct CameraCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "camera",
        abstract: "Says what a map view shows, and which tiles a client asks for.",
        discussion: """
            Without THING, give --target and --zoom, or --fit.
            """)

    @Argument(
        help: ArgumentHelp(
            "A folder of tiles, an archive, an image with a position, or a manifest: all of its floors.",
            valueName: "THING"),
        completion: .things)
    var thing: String?

    @OptionGroup(title: "The camera") var camera: CameraOptions

    @OptionGroup var floor: FloorOption
    @OptionGroup var images: ViewedImageOptions
    @OptionGroup var limit: TileLimitOption

    @Flag(help: "Print JSON.")
    var json = false

    @Option(
        name: .customLong("for"),
        help: ArgumentHelp("Print code that sets the camera, for this client.", valueName: "CLIENT"))
    var client: SnippetClient?

    func validate() throws {
        try images.pyramid.check()
        if json, client != nil {
            throw Failure(.usage, "--json and --for print different things; leave one of them out")
        }
    }

    func run() throws {
        let extent = try extent()
        let view = try camera.request.view(of: extent)
        if let client {
            let limits = camera.request.clientLimits(of: view, extent: extent)
            let code = ClientCamera(view, limits: limits, for: client).text
            return try Console.result(bytes: Array(code.utf8))
        }
        let report = CameraReport(view, zooms: extent?.zooms)
        if json { try Console.result(json: report.json) } else { try Console.result(lines: report.lines) }
    }

    /// Where the tiles lie that the view shows; nil if there are none.
    private func extent() throws -> TilesetExtent? {
        guard let thing else {
            try floor.refuse("without tiles")
            try images.checkAbsent(for: "a view without tiles")
            return nil
        }
        if StoredTileset.isTileset(thing) {
            try images.checkAbsent(for: "'\(thing)', whose tiles are made already")
            return try TilesetExtent(
                StoredTileset(thing, floor: floor.name, maxTiles: limit.maxTiles.value))
        }
        if Manifest.isManifest(thing) { return try extent(ofManifest: thing) }
        try floor.refuse("for '\(thing)', which is an image")
        let placed = try PlacedImages(images.requests([thing]))
        placed.warnings.forEach(Console.warn)
        return try TilesetExtent(TilesOnDemand(images: placed.all, request: images.pyramid))
    }

    /// Where the tiles of all floors of a manifest lie, or those of one of them.
    private func extent(ofManifest path: String) throws -> TilesetExtent? {
        try ManifestOptions.refuse(images.given, beside: path)
        let floors = try FloorPlans(Manifest(contentsOf: path), floor: floor.name)
        floors.warnings.forEach(Console.warn)
        let extents = try floors.all.map { TilesetExtent(try $0.required().onDemand) }
        return extents.dropFirst().reduce(extents.first) { $0?.union($1) }
    }
}
