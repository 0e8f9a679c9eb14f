import CommandSupport
import ArgumentParser
import Platform
import TilewrightKit
import Tiling

/// `tilewright place`: writes a page in which an image, or the floors of a manifest, are placed on the map by
/// hand, and saves the points from it.
struct PlaceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "place",
        abstract:
            "Writes a page in which a plan, or the floors of a building, are placed on the map by hand, and "
            + "saves the points from it.")

    @OptionGroup var source: SourceOption

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "With a manifest: the floor to place; the others are shown beneath it for alignment. With "
                + "--take: the floor of the points. (default: all; with --take, the floor in FILE's name)",
            valueName: "FLOOR"))
    var floor: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The page of a PDF or TIFF, or the overlay of a KMZ, counted from 1. (default: 1; required for "
                + "a KMZ with several overlays)",
            valueName: "N"),
        transform: ImageRequest.page(parsing:))
    var page: Int?

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "The web page to write. (default: plan.html next to plan.png)", valueName: "PAGE.html"),
        completion: .file(extensions: ["html", "htm"]))
    var output: String?

    @OptionGroup var map: MapOptions

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The longest edge of pictures in the page, in pixels. (default: "
                + "\(PlacingRequest.standardEdge), or less if the page of a building becomes too large)",
            valueName: "N"))
    var preview: Int?

    @OptionGroup var assets: PageOptions
    @OptionGroup var limit: TileLimitOption

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "A file of points that the page has saved, or '-' for standard input. The points are checked "
                + "and saved next to the image, where every command finds them, or in the file that the "
                + "manifest names. With a manifest, repeat the option for several floors.",
            valueName: "FILE|-"),
        completion: .file(extensions: ["points"]))
    var take: [String] = []

    @Flag(help: "Replace a page, or points, that 'tilewright place' did not write.")
    var force = false

    func run() async throws {
        if !take.isEmpty { return try takePoints() }
        if output == nil, FarFiles.isAddress(source.source) {
            throw Failure(
                .usage, "the page of an image at an address has no place next to it",
                remedy: "add -o PAGE.html")
        }
        try await SignalWatch.run { try await writePage() }
    }

    private func writePage() async throws {
        let page = try await PlacingPageFile(request)
        try page.write(force: force)
        page.warnings.forEach(Console.warn)
        try Console.result(page.path)
    }

    private func takePoints() throws {
        if let option = pageOptions.first {
            throw Failure(
                .usage, "\(option) cannot be combined with --take, which does not write a page",
                remedy: "leave one of the two out")
        }
        // All files are checked before the first one is written.
        for var points in try savedPoints() {
            try points.write(force: force)
            points.warnings.forEach(Console.warn)
            try Console.result(points.path)
            let fit = points.fit
            Console.say(
                "\(fit.residuals.count.counted("point")), \(fit.model.rawValue) fit, RMS "
                    + "\(fit.rmsPixels.text(decimals: 2)) pixels, \(fit.rmsMetres.text(decimals: 3)) m")
            if points.floorNames.count > 1 {
                Console.say("these points place \(points.floorNames.map { "the \($0)" }.listed("and"))")
            }
            if let advice = points.advice { Console.say(advice) }
        }
    }

    private func savedPoints() throws -> [SavedPoints] {
        let isOfManifest = Manifest.isManifest(source.source)
        if let floor, !isOfManifest {
            throw Failure.needsManifest("--floor \(floor)", nextTo: source.source)
        }
        if take.count > 1, !isOfManifest || floor != nil {
            throw Failure(
                .usage,
                "\(isOfManifest ? "a floor" : "an image") takes one file of points, but \(take.count) are "
                    + "given", remedy: "leave out the others")
        }
        if isOfManifest, page != nil { try ManifestOptions.refuse(["--page"], nextTo: source.source) }
        let manifest = isOfManifest ? try Manifest(contentsOf: source.source) : nil
        let points = try take.map { file in
            let (path, name) = file == "-" ? ("/dev/stdin", "standard input") : (file, file)
            return if let manifest {
                try SavedPoints(readFrom: path, named: name, for: manifest, floor: floor)
            } else {
                try SavedPoints(readFrom: path, named: name, for: image)
            }
        }
        try checkTargets(points.map(\.path))
        return points
    }

    /// Checks that no two files would be written to the same path.
    private func checkTargets(_ paths: [String]) throws {
        for (index, path) in paths.enumerated() {
            guard let other = paths[..<index].firstIndex(of: path) else { continue }
            throw Failure(
                .usage, "'\(take[other])' and '\(take[index])' are both for '\(path)'",
                remedy: "name only the newer file")
        }
    }

    /// The names of the options that were given and describe the page.
    private var pageOptions: [String] {
        [
            output.map { _ in "-o" }, preview.map { _ in "--preview" },
            assets.viewerAssets.map { _ in "--viewer-assets" },
        ].compactMap(\.self) + map.given
    }

    private var image: ImageRequest {
        var image = ImageRequest(source.source)
        image.page = page
        return image
    }

    private var request: PlacingRequest {
        var request = PlacingRequest(source.source)
        request.page = page
        request.floor = floor
        request.output = output
        map.apply(to: &request)
        request.maxTiles = limit.maxTiles.value
        request.longestEdge = preview
        request.assets = assets.viewerAssets
        return request
    }
}
