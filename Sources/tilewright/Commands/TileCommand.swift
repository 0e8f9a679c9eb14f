import ArgumentParser
import CommandSupport
import Platform
import TilewrightKit
import Tiling

/// `tilewright tile`: writes one tile of a tileset, or of images, without building the others.
struct TileCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tile",
        abstract:
            "Writes one tile of a tileset, or the tile that 'build' would make of an image or floor.",
        usage: "tilewright tile <INPUT> ... <Z/X/Y> [<options>]")

    @Argument(
        help: ArgumentHelp(
            "A folder of tiles or an archive; or images and @LIST, as for 'build'; or a manifest. The last "
                + "argument is the tile's address, Z/X/Y.",
            valueName: "INPUT... Z/X/Y"),
        completion: .inputs)
    var arguments: [String]

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("The file for the tile. (default: standard output)", valueName: "FILE"),
        completion: .file())
    var output: String?

    @OptionGroup var floor: FloorOption
    @OptionGroup(title: "Image") var image: ImageOptions
    @OptionGroup(title: "Position") var position: PositionOptions
    @OptionGroup(title: "Tiles") var tiles: TileOptions
    @OptionGroup(title: "Resources") var machine: MachineOptions

    @Flag(name: .shortAndLong, help: "Print only results and errors.")
    var quiet = false

    func validate() throws { try tiles.request.encoding.checkSingleTiles() }

    func run() async throws {
        try await SignalWatch.run(advice: nil, jobs: machine.jobs) { try await writeTile() }
    }

    /// The address as the user wrote it; empty if no argument is given.
    private var written: String { arguments.last ?? "" }

    /// The paths of the lists.
    private var lists: [String] { arguments.dropLast().compactMap(SourceList.path) }

    private func writeTile() async throws {
        let address = try TileCoordinate(parsing: written, in: tiles.form.scheme ?? .xyz)
        guard arguments.count > 1 else {
            throw Failure(
                .usage, "the input for the tile \(written) is missing",
                remedy: "name an image or a tileset before the address")
        }
        if output == nil { try Console.checkTakesBytes() }
        let paths = try arguments.dropLast().flatMap(SourceList.paths)
        if let tileset = try SoleArgument.tileset(of: paths) {
            return try copyTile(at: address, of: tileset)
        }
        if let manifest = try SoleArgument.manifest(of: paths) {
            return try await renderTile(at: address, ofManifest: manifest)
        }
        try floor.refuse("to '\(paths[0])', which is an image")
        try await renderTile(at: address, of: paths)
    }

    /// Writes a tile of a finished tileset.
    private func copyTile(at address: TileCoordinate, of path: String) throws {
        try SoleArgument.refuse(image.given + position.given + tiles.given, besideTileset: path)
        let tileset = try StoredTileset(path, floor: floor.name, maxTiles: resources.maxTiles)
        let file = try output.map { try TileFile($0, of: tileset) }
        guard let bytes = try tileset.tile(at: address) else {
            throw missing(of: path, limits: tileset.metadata.limits)
        }
        try write(bytes, to: file)
    }

    /// Renders and writes a tile.
    private func renderTile(at address: TileCoordinate, of paths: [String]) async throws {
        let requests = try image.requests(paths, at: position.request())
            .map { $0.on(tiles.request.background) }
        let file = try output.map {
            try TileFile($0, of: requests, others: lists + tiles.request.files)
        }
        let placed = try PlacedImages(requests, resources: resources)
        let source = try TilesOnDemand(
            images: placed.all, request: tiles.request, resources: resources)
        if !quiet { (placed.warnings + source.warnings).forEach(Console.warn) }
        try await write(tile: address, of: source, to: file, naming: paths[0])
    }

    /// Renders and writes a tile of a manifest's floor. Rows count from the north.
    private func renderTile(at address: TileCoordinate, ofManifest path: String) async throws {
        try ManifestOptions.refuse(image.given + position.given + tiles.given, nextTo: path)
        let manifest = try Manifest(contentsOf: path)
        try output.map(manifest.checkIsOutside)
        let floor = try manifest.floor(floor.name).name
        let floors = try FloorPlans(manifest, floor: floor.choice, resources: resources)
        if !quiet { floors.warnings.forEach(Console.warn) }
        let source = try floors.all[0].required().onDemand
        let file = try output.map {
            try TileFile(
                $0, of: source.images.map(\.request), others: lists + [path] + source.request.files)
        }
        try await write(tile: address, of: source, to: file, naming: path)
    }

    private func write(
        tile address: TileCoordinate, of source: TilesOnDemand, to file: TileFile?, naming input: String
    ) async throws {
        guard let bytes = try await source.tile(at: address) else {
            throw missing(of: input, limits: source.limits, scheme: tiles.form.scheme ?? .xyz)
        }
        try write(bytes, to: file)
    }

    private func write(_ bytes: [UInt8], to file: TileFile?) throws {
        if let file { try file.write(bytes) } else { try Console.result(bytes: bytes) }
    }

    private var resources: BuildResources {
        var resources = machine.request
        resources.scratchDirectory = resources.scratchDirectory ?? output.map(TileFile.folder(of:))
        return resources
    }

    /// The error for a tile that does not exist, with the zooms of the tileset, or the tiles of the zoom.
    private func missing(of name: String, limits: [TileRange], scheme: TileScheme = .xyz) -> Failure {
        let zooms = limits.map(\.zoom)
        let rectangles = limits.filter { written.hasPrefix("\($0.zoom)/") }.map { limits in
            let rows = [limits.rows.lowerBound, limits.rows.upperBound].map {
                TileCoordinate(zoom: limits.zoom, column: 0, row: $0).row(in: scheme)
            }.sorted()
            return "columns \(limits.columns.lowerBound) to \(limits.columns.upperBound), "
                + "rows \(rows[0]) to \(rows[1])"
        }
        let range = zooms.min().map { "its zooms are \($0) to \(zooms.max() ?? $0)" }
        return Failure(
            .checkFailed, "there is no tile \(written) of '\(name)'",
            remedy: rectangles.isEmpty
                ? range : "its tiles are in " + rectangles.joined(separator: " and in "))
    }
}
