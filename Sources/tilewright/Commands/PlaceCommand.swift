import ArgumentParser
import Diagnostics
import TilewrightKit
import Tiling

/// `tilewright place`: writes a page in which an image is laid on the map by hand, and takes back what was
/// saved there.
struct PlaceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "place",
        abstract: "Writes a page in which a plan is laid on the map by hand, and takes back its points.")

    @OptionGroup var source: SourceOption

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("The page. (default: plan.html beside plan.png)", valueName: "PAGE.html"),
        completion: .file(extensions: ["html", "htm"]))
    var output: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Where the map begins. (default: where the image lies, or where its camera stood)",
            valueName: "LON,LAT"),
        transform: { try Point(parsingPlace: $0) })
    var near: Point?

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "What to align the plan with, such as the floor below: tiles in any container, a GeoJSON file, "
                + "or another image with a position. Repeat it; later over earlier.",
            valueName: "THING"),
        completion: .file())
    var over: [String] = []

    @Option(
        help: ArgumentHelp(
            "The map under the plan: the address of its tiles with {z}, {x} and {y}, or none. "
                + "(default: OpenStreetMap)",
            valueName: "URL"))
    var basemap: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The longer edge of the pictures in the page, in pixels, at most.", valueName: "N")
    )
    var preview: Int = PlacingRequest.standardEdge

    @OptionGroup var page: PageOptions

    @Option(
        help: ArgumentHelp(
            "Checks the points that the page has saved, and puts them beside the image, where every "
                + "command finds them. '-' reads them from standard input.",
            valueName: "FILE|-"),
        completion: .file(extensions: ["points"]))
    var take: String?

    @Flag(help: "Replace a page, or points, that 'tilewright place' did not write.")
    var force = false

    func run() async throws {
        if let take { return try takePoints(take) }
        try await SignalWatch.run { try await writePage() }
    }

    private func writePage() async throws {
        let page = try await PlacingPageFile(request)
        try page.write(force: force)
        page.warnings.forEach(Console.warn)
        try Console.result(page.path)
    }

    private func takePoints(_ file: String) throws {
        if let option = pageOptions.first {
            throw Failure(
                .usage, "\(option) has no meaning with --take, which writes no page",
                remedy: "leave one of them out")
        }
        var points =
            file == "-"
            ? try SavedPoints(readFrom: "/dev/stdin", named: "standard input", for: source.source)
            : try SavedPoints(readFrom: file, for: source.source)
        try points.write(force: force)
        points.warnings.forEach(Console.warn)
        try Console.result(points.path)
        let fit = points.fit
        Console.say(
            "\(fit.residuals.count.counted("point")), \(fit.model.rawValue) fit, RMS "
                + "\(fit.rmsPixels.text(decimals: 2)) pixels, \(fit.rmsMetres.text(decimals: 3)) m")
    }

    /// The names of the options that were given and say what the page is like.
    private var pageOptions: [String] {
        [
            output.map { _ in "-o" }, near.map { _ in "--near" }, over.isEmpty ? nil : "--over",
            basemap.map { _ in "--basemap" }, page.viewerAssets.map { _ in "--viewer-assets" },
            preview == PlacingRequest.standardEdge ? nil : "--preview",
        ].compactMap(\.self)
    }

    private var request: PlacingRequest {
        var request = PlacingRequest(source.source)
        request.page = output
        request.near = near
        request.layers = over
        request.background =
            switch basemap {
            case nil: .openStreetMap
            case "none": .none
            case let address?: .tiles(address)
            }
        request.longestEdge = preview
        request.assets = page.viewerAssets
        return request
    }
}
