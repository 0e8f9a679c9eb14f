import CommandSupport
import ArgumentParser
import Platform
import TilewrightKit

/// `tilewright snapshot`: draws what a map view shows.
struct SnapshotCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "snapshot",
        abstract: "Draws what a map view shows of tilesets, images, or a floor of a manifest.")

    @Argument(
        help: ArgumentHelp(
            "Folders of tiles, archives, or images with a position; later over earlier. @LIST is a file "
                + "with one name per line. Or a manifest, with --floor.",
            valueName: "INPUT"),
        completion: .inputs)
    var inputs: [String]

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("The PNG or JPEG file to write.", valueName: "VIEW.png|.jpg"),
        completion: .file(extensions: ["png", "jpg", "jpeg"]))
    var output: String

    @OptionGroup(title: "Camera") var camera: CameraOptions

    @OptionGroup var floor: FloorOption
    @OptionGroup var images: ViewedImageOptions
    @OptionGroup(title: "Resources") var machine: MachineOptions
    @OptionGroup var reports: ProgressOptions

    /// The paths of the lists.
    private var lists: [String] { inputs.compactMap(SourceList.path) }

    /// Options for images that also apply to the picture.
    private static let options = ["--background", "--quality", "--png-level", "--jpeg-level"]

    func run() async throws {
        CADReporter.begin(reports.style, quiet: reports.quiet)
        try await SignalWatch.run(jobs: machine.jobs) { try await draw() }
    }

    private func draw() async throws {
        let start = ContinuousClock.now
        let scene = try scene()
        let file = try SnapshotFile(output, of: scene.contents, others: scene.files)
        let view = try camera.request.view(of: scene.extent)
        let snapshot = try Snapshot(of: scene.contents, in: view, request: request(for: file, scene))
        var progress: ProgressReporter?
        let bytes = try await snapshot.draw { done, total in
            if progress == nil {
                progress = ProgressReporter(style: reports.style, total: total, phase: .drawing)
            }
            progress?.report(done)
        }
        progress?.finish()
        try file.write(bytes)
        if reports.quiet { return }
        let line =
            "\(view.size.pixelWidth) x \(view.size.pixelHeight) pixels, \(bytes.count.byteText), "
            + "\(start.duration(to: .now).seconds.text(decimals: 1)) s"
        Console.say(line, as: .result, RunMessage(line))
    }

    /// The contents of a view.
    private struct Scene {
        let contents: [MapContent]
        /// The extent of the tiles.
        let extent: TilesetExtent
        /// The tiles that would be built of the images.
        let pyramid: PyramidRequest
        /// Other files that are read.
        let files: [String]
    }

    /// The contents of the inputs.
    private func scene() throws -> Scene {
        let paths = try inputs.flatMap(SourceList.paths)
        if let manifest = try SoleArgument.manifest(of: paths) { return try floor(ofManifest: manifest) }
        let contents = try contents(paths)
        return Scene(
            contents: contents, extent: try extent(of: contents), pyramid: images.pyramid,
            files: lists + images.pyramid.files)
    }

    /// A floor, built as its manifest describes it.
    private func floor(ofManifest path: String) throws -> Scene {
        let given = images.given.filter { !Self.options.contains($0) }
        try ManifestOptions.refuse(given, nextTo: path)
        let manifest = try Manifest(contentsOf: path)
        try manifest.checkIsOutside(output)
        let floor = try manifest.floor(floor.name).name
        let floors = try FloorPlans(manifest, floor: floor.choice, resources: machine.request)
        if !reports.quiet { floors.warnings.forEach { Console.warn($0) } }
        let plan = try floors.all[0].required()
        return Scene(
            contents: plan.images.map(MapContent.image), extent: TilesetExtent(plan.onDemand),
            pyramid: plan.request, files: lists + [path] + plan.request.files)
    }

    /// The inputs, opened for reading.
    private func contents(_ paths: [String]) throws -> [MapContent] {
        let isTileset = paths.map(StoredTileset.isTileset)
        try checkOptions(paths, isTileset)
        var placed = try place(zip(paths, isTileset).filter { !$0.1 }.map(\.0))[...]
        return try zip(paths, isTileset).map { path, isTileset in
            if isTileset {
                return .tileset(
                    try StoredTileset(path, floor: floor.name, maxTiles: machine.request.maxTiles))
            }
            return .image(placed.removeFirst())
        }
    }

    private func place(_ paths: [String]) throws -> [PlacedImage] {
        if paths.isEmpty { return [] }
        let placed = try PlacedImages(images.requests(paths), resources: machine.request)
        if !reports.quiet { placed.warnings.forEach(Console.warn) }
        return placed.all
    }

    /// Refuses options that do not apply to any of the inputs.
    private func checkOptions(_ paths: [String], _ isTileset: [Bool]) throws {
        if !isTileset.contains(false) {
            try images.checkAbsent(
                for: "'\(paths[0])', whose tiles are already made", but: Self.options)
        }
        if !isTileset.contains(true) { try floor.refuse("to '\(paths[0])', which is an image") }
    }

    private func extent(of contents: [MapContent]) throws -> TilesetExtent {
        // Zooms and bounds depend only on these two values, not on how tiles are stored.
        var pyramid = PyramidRequest()
        pyramid.tileSize = images.pyramid.tileSize
        pyramid.cutline = images.pyramid.cutline
        let extents = try contents.map { try TilesetExtent($0, pyramid: pyramid) }
        return extents.dropFirst().reduce(extents[0]) { $0.union($1) }
    }

    private func request(for file: SnapshotFile, _ scene: Scene) throws -> SnapshotRequest {
        let tiles = images.tiles
        var request = SnapshotRequest(
            try file.format(quality: tiles.quality, pngLevel: tiles.pngLevel, jpegLevel: tiles.jpegLevel))
        request.background = tiles.background ?? scene.pyramid.background
        request.cutline = scene.pyramid.cutline
        request.resampling = scene.pyramid.resampling
        request.resources = machine.request
        request.resources.scratchDirectory = machine.tmpdir ?? file.folder
        return request
    }
}
