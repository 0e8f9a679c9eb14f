import CommandSupport
import ArgumentParser
import Platform
import TilewrightKit

/// `tilewright fit`: shows how well control points agree.
struct FitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fit",
        abstract:
            "Fits the control points of an image, or of a manifest's floors, and shows how far each is off.")

    @OptionGroup var source: SourceOption
    @OptionGroup(title: "Image") var image: ImageOptions
    @OptionGroup(title: "Position") var position: PositionOptions

    @OptionGroup var floor: FloorOption

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "The world file to write, or a folder for it, in which it is named after the image. Its CRS is "
                + "written as a .prj next to it.",
            valueName: "FILE.pgw"),
        completion: .file())
    var output: String?

    @Option(
        help: ArgumentHelp(
            "The file for a drawing of the image, its points, and their errors, exaggerated. FILE.png "
                + "needs tilewright-render.",
            valueName: "FILE.svg"),
        completion: .file(extensions: ["svg", "png"]))
    var plot: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Fail if a control point is off by more than this.", valueName: "METRES"))
    var maxResidual: Double?

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
        if Manifest.isManifest(source.source) { return try fitFloors(source.source) }
        try floor.refuse("to '\(source.source)', which is an image")
        if position.place.transform?.rawValue == "all" {
            var position = position
            // The scale of a rigid transform is compared, too.
            position.place.transform = position.place.scale == nil ? nil : TransformChoice(rawValue: "rigid")
            return try compare(request(position))
        }
        try fit(request(position), maxResidual: maxResidual)
    }

    private func request(_ position: PositionOptions) throws -> ImageRequest {
        try image.requests([source.source], at: position.request())[0]
    }

    /// Shows the fit of one image.
    private func fit(_ request: ImageRequest, maxResidual: Double?) throws {
        let picture = try plot.map { try FitPlotFile(request, path: $0) }
        let placed: PlacedImage
        do { placed = try PlacedImage(request) } catch {
            // If the picture cannot be written, the run still ends with the first error.
            do { try picture?.writeNearestFit() } catch { Console.warn("\(error)") }
            throw error
        }
        let fit = try placed.requiredFit()
        placed.warnings.forEach(Console.warn)
        try Console.result(FitReport(fit), fit.table, json: json)
        try picture?.write(placed)
        try placed.check(maxResidual: maxResidual)
        if let output {
            let pair = try WorldFilePair(placed, path: output)
            try pair.write()
            pair.warning.map(Console.warn)
        }
    }

    /// Shows the fits of a manifest's floors. A single image is shown as if it had been named.
    private func fitFloors(_ path: String) throws {
        // '--transform all' helps to choose the model that is then written into the manifest.
        let isComparison = position.place.transform?.rawValue == "all"
        let others = image.given + position.given.filter { !isComparison || $0 != "--transform" }
        try ManifestOptions.refuse(others, nextTo: path)
        let manifest = try Manifest(contentsOf: path)
        for path in [output, plot].compactMap(\.self) { try manifest.checkIsOutside(path) }
        let floors = try floor.name.map { [try manifest.floor($0)] } ?? manifest.floors
        if floors.count == 1, floors[0].request.build.images.count == 1 {
            let build = floors[0].request.build
            if isComparison { return try compare(build.images[0]) }
            return try fit(build.images[0], maxResidual: maxResidual ?? build.maxResidual)
        }
        let given = [
            ("--output", output != nil), ("--plot", plot != nil), ("--transform all", isComparison),
        ]
        if let (name, _) = given.first(where: \.1) {
            throw Failure(
                .usage, "\(name) is for one image, but '\(path)' names several",
                remedy: "choose a floor of one image with --floor, or run 'tilewright fit IMAGE' for each")
        }
        let fits = FloorFits(floors)
        fits.warnings.forEach(Console.warn)
        let report = FloorFitsReport(fits)
        try Console.result(report, report.lines, json: json)
        for fit in fits.all { try fit.check(maxResidual: maxResidual) }
    }

    /// Shows the fits of all models.
    private func compare(_ request: ImageRequest) throws {
        let given = [
            ("--output", output != nil), ("--plot", plot != nil), ("--max-residual", maxResidual != nil),
        ]
        if let (name, _) = given.first(where: \.1) {
            throw Failure(
                .usage, "\(name) is for one fit, but --transform all makes several",
                remedy: "choose a model, such as --transform affine")
        }
        let comparison = try FitComparison(request)
        let report = ComparisonReport(comparison)
        comparison.warnings.forEach(Console.warn)
        try Console.result(report, report.lines, json: json)
    }
}
