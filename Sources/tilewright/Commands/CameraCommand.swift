import Camera
import ArgumentParser
import Diagnostics
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
            "A folder of tiles, an archive, or an image with a position.", valueName: "THING"),
        completion: .file())
    var thing: String?

    @OptionGroup(title: "The camera") var camera: CameraOptions

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The floor to show, if a folder has several.", valueName: "NAME"))
    var floor: String?

    @OptionGroup var images: ViewedImageOptions

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
            // The console ends the line.
            return try Console.result(String(code.dropLast()))
        }
        let report = CameraReport(view, zooms: extent?.zooms)
        try Console.result(json ? report.json : report.text)
    }

    /// Where the tiles lie that the view shows; nil if there are none.
    private func extent() throws -> TilesetExtent? {
        guard let thing else {
            try refuseFloor("without tiles")
            try images.checkAbsent(for: "a view without tiles")
            return nil
        }
        if StoredTileset.isTileset(thing) {
            try images.checkAbsent(for: "'\(thing)', whose tiles are made already")
            return try TilesetExtent(StoredTileset(thing, floor: floor))
        }
        try refuseFloor("for '\(thing)', which is an image")
        let placed = try PlacedImages(images.requests([thing]))
        placed.warnings.forEach(Console.warn)
        return try TilesetExtent(TilesOnDemand(images: placed.all, request: images.pyramid))
    }

    private func refuseFloor(_ reason: String) throws(Failure) {
        if floor == nil { return }
        throw Failure(
            .usage, "--floor has no meaning \(reason)",
            remedy: "leave it out, or name a folder of tiles that has floors")
    }
}
