import CommandSupport
import ArgumentParser
import Platform
import TilewrightKit
import Tiling

/// `tilewright tile`: writes one tile of a tileset, or of images, without building the others.
struct TileCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tile",
        abstract:
            "Writes one tile of a tileset, or the one that 'build' would make of an image or a manifest's floor.",
        usage: "tilewright tile <thing> ... <z/x/y> [<options>]")

    @OptionGroup var arguments: TileArguments

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("Where the tile goes. (default: standard output)", valueName: "FILE"),
        completion: .file())
    var output: String?

    @OptionGroup var floor: FloorOption
    @OptionGroup(title: "What of the image counts") var image: ImageOptions
    @OptionGroup(title: "Where the image lies") var position: PositionOptions
    @OptionGroup(title: "What 'build' would make") var tiles: TileOptions
    @OptionGroup(title: "How to run") var machine: MachineOptions

    @Flag(name: .shortAndLong, help: "Say nothing but errors.")
    var quiet = false

    func validate() throws { try tiles.request.encoding.checkSingleTiles() }

    func run() async throws {
        try await SignalWatch.run { try await writeTile() }
    }

    private func writeTile() async throws {
        let address = try arguments.address(in: tiles.form.scheme ?? .xyz)
        if output == nil { try Console.checkTakesBytes() }
        let paths = try arguments.paths()
        if let tileset = try arguments.tileset(of: paths) {
            return try copyTile(at: address, of: tileset)
        }
        if let manifest = try ManifestArgument.only(of: paths) {
            return try await renderTile(at: address, ofManifest: manifest)
        }
        try floor.refuse("for '\(paths[0])', which is an image")
        try await renderTile(at: address, of: paths)
    }

    /// Writes a tile of a finished tileset.
    private func copyTile(at address: TileCoordinate, of path: String) throws {
        try refuseOptions(beside: path)
        let tileset = try StoredTileset(path, floor: floor.name, maxTiles: resources.maxTiles)
        let file = try output.map { try TileFile($0, of: tileset) }
        guard let bytes = try tileset.tile(at: address) else {
            throw MissingTile(arguments.written, of: path, limits: tileset.metadata.limits).failure
        }
        try write(bytes, to: file)
    }

    /// Writes a tile that is rendered for it.
    private func renderTile(at address: TileCoordinate, of paths: [String]) async throws {
        let requests = try image.requests(paths, at: position.request())
        let file = try output.map {
            try TileFile($0, of: requests, others: arguments.lists + tiles.request.files)
        }
        let placed = try PlacedImages(requests, resources: resources)
        let source = try TilesOnDemand(
            images: placed.all, request: tiles.request, resources: resources)
        if !quiet { (placed.warnings + source.warnings).forEach(Console.warn) }
        try await write(tile: address, of: source, to: file, naming: paths[0])
    }

    /// Writes a tile of a floor, as its manifest says that it is built; rows count from the north.
    private func renderTile(at address: TileCoordinate, ofManifest path: String) async throws {
        try ManifestOptions.refuse(image.given + position.given + tiles.given, beside: path)
        let manifest = try Manifest(contentsOf: path)
        try output.map(manifest.checkIsOutside)
        let floor = try manifest.floor(floor.name).name
        let floors = try FloorPlans(manifest, floor: floor.choice, resources: resources)
        if !quiet { floors.warnings.forEach(Console.warn) }
        let source = try floors.all[0].required().onDemand
        let file = try output.map {
            try TileFile(
                $0, of: source.images.map(\.request), others: arguments.lists + [path] + source.request.files)
        }
        try await write(tile: address, of: source, to: file, naming: path)
    }

    private func write(
        tile address: TileCoordinate, of source: TilesOnDemand, to file: TileFile?, naming thing: String
    ) async throws {
        guard let bytes = try await source.tile(at: address) else {
            throw MissingTile(
                arguments.written, of: thing, limits: source.limits, scheme: tiles.form.scheme ?? .xyz
            ).failure
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

    /// Refuses options that are for images.
    private func refuseOptions(beside tileset: String) throws {
        guard let option = (image.given + position.given + tiles.given).first else { return }
        throw Failure(
            .usage, "\(option) has no meaning for '\(tileset)', whose tiles are made already",
            remedy: option == "--scheme"
                ? "give the address with its row counted from the north"
                : "leave it out, or name the image that the tiles were made of")
    }
}
