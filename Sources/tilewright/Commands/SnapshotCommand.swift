import ArgumentParser
import Diagnostics
import TilewrightKit

/// `tilewright snapshot`: draws what a map view shows.
struct SnapshotCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "snapshot",
        abstract: "Draws what a map view shows of tilesets and images.")

    @OptionGroup var things: ThingArguments

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("The picture, a PNG or JPEG file.", valueName: "VIEW.png|.jpg"),
        completion: .file(extensions: ["png", "jpg", "jpeg"]))
    var output: String

    @OptionGroup(title: "The camera") var camera: CameraOptions

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The floor to show, if a folder of tiles has several.", valueName: "NAME"))
    var floor: String?

    @OptionGroup var images: ViewedImageOptions
    @OptionGroup(title: "How to run") var machine: MachineOptions
    @OptionGroup var reports: ProgressOptions

    /// Options for images that also say what the picture is like.
    private static let options = ["--background", "--quality", "--png-level"]

    func run() async throws {
        try await SignalWatch.run { try await draw() }
    }

    private func draw() async throws {
        let clock = ContinuousClock()
        let start = clock.now
        let contents = try contents()
        let file = try SnapshotFile(
            output, of: contents, others: things.lists + images.pyramid.files)
        let view = try camera.request.view(of: extent(of: contents))
        let snapshot = try Snapshot(of: contents, in: view, request: request(for: file))
        var progress: ProgressReporter?
        let bytes = try await snapshot.draw { done, total in
            if progress == nil {
                progress = ProgressReporter(style: reports.style, total: total, unit: "part")
            }
            progress?.report(done)
        }
        progress?.finish()
        try file.write(bytes)
        if reports.quiet { return }
        Console.say(
            "\(view.size.pixelWidth) x \(view.size.pixelHeight) pixels, \(bytes.count.byteText), "
                + "\((clock.now - start).seconds.text(decimals: 1)) s")
    }

    /// The things, as they are read.
    private func contents() throws -> [MapContent] {
        let paths = try things.paths()
        let isTileset = paths.map(StoredTileset.isTileset)
        try checkOptions(paths, isTileset)
        var placed = try place(zip(paths, isTileset).filter { !$0.1 }.map(\.0))[...]
        return try zip(paths, isTileset).map { path, isTileset in
            if isTileset { return .tileset(try StoredTileset(path, floor: floor)) }
            return .image(placed.removeFirst())
        }
    }

    private func place(_ paths: [String]) throws -> [PlacedImage] {
        if paths.isEmpty { return [] }
        let placed = try PlacedImages(images.requests(paths), maxPixels: machine.request.maxPixels)
        if !reports.quiet { placed.warnings.forEach(Console.warn) }
        return placed.all
    }

    /// Refuses options that mean nothing for any of the things.
    private func checkOptions(_ paths: [String], _ isTileset: [Bool]) throws {
        if !isTileset.contains(false) {
            try images.checkAbsent(
                for: "'\(paths[0])', whose tiles are made already", but: Self.options)
        }
        if floor != nil, !isTileset.contains(true) {
            throw Failure(
                .usage, "--floor has no meaning for '\(paths[0])', which is an image",
                remedy: "leave it out, or name a folder of tiles that has floors")
        }
    }

    private func extent(of contents: [MapContent]) throws -> TilesetExtent {
        // Of what would be built, these alone decide zooms and bounds; how tiles are stored does not.
        var pyramid = PyramidRequest()
        pyramid.tileSize = images.pyramid.tileSize
        pyramid.cutline = images.pyramid.cutline
        let extents = try contents.map { try TilesetExtent($0, pyramid: pyramid) }
        return extents.dropFirst().reduce(extents[0]) { $0.union($1) }
    }

    private func request(for file: SnapshotFile) throws -> SnapshotRequest {
        var request = SnapshotRequest(
            try file.format(quality: images.tiles.quality, level: images.tiles.pngLevel))
        request.background = images.tiles.background
        request.cutline = images.tiles.cutline
        request.resampling = images.tiles.resampling
        request.resources = machine.request
        request.resources.scratchDirectory = machine.tmpdir ?? file.folder
        return request
    }
}
