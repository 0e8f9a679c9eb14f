import ArgumentParser
import Diagnostics

/// `tilewright fit`: how well control points agree.
struct FitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fit",
        abstract: "Fits control points and shows how far each is off.")

    @OptionGroup var source: SourceOption
    @OptionGroup(title: "What of the image counts") var image: ImageOptions
    @OptionGroup(title: "Where the image lies") var position: PositionOptions

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "Write the fit as a world file, and its reference system as a .prj beside it.",
            valueName: "FILE.pgw"),
        completion: .file())
    var output: String?

    @Option(
        help: ArgumentHelp(
            "Draw the image with its points and how far each is off, enlarged.",
            valueName: "FILE.png"),
        completion: .file(extensions: ["png"]))
    var plot: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Fail where a control point is farther from its place.", valueName: "METRES"))
    var maxResidual: Double?

    func run() throws {
        let placed = try PlacedImage(
            path: source.source, image: image, options: position, checkingSize: Self.check)
        guard let fit = placed.fit else {
            throw Failure(
                .usage,
                "there is nothing to fit: the position comes from \(placed.position.summary)",
                remedy: "give control points with --gcp or --gcps")
        }
        let picture = try plot.map {
            try FitPlotFile(placed, fit, crop: image.crop, path: $0)
        }
        placed.warnings.forEach(Console.warn)
        try Console.result(ResidualTable(fit).text)
        try picture?.write()
        try placed.check(maxResidual: maxResidual)
        if let output { try WorldFilePair(placed, fit, path: output).write() }
    }

    /// Refuses what `build` would not take either.
    private static func check(width: Int, height: Int) throws {
        let (pixels, most) = (Double(width) * Double(height), RunOptions.mostPixels)
        guard pixels > Double(most.value) else { return }
        throw Failure(
            .usage,
            "the image has \(pixels.countText) pixels, and \(most.defaultValueDescription) are read "
                + "at most",
            remedy: "cut it into parts, and build each into an OUTPUT of its own")
    }
}
