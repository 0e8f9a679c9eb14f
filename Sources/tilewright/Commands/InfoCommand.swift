import ArgumentParser
import Codecs
import Raster

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// `tilewright info`: what an image is, where it lies, what would be built.
struct InfoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "info",
        abstract: "Says what an image is, where it lies, and what would be built of it.")

    @OptionGroup var image: ImageOptions
    @OptionGroup(title: "Where the image lies") var position: PositionOptions
    @OptionGroup(title: "What to build") var tiles: TileOptions
    @OptionGroup(title: "How to run") var resources: RunOptions

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
        let file = try ImageFile.open(path: image.source)
        let placed: PlacedImage
        do {
            placed = try PlacedImage(file, image: image, options: position)
        } catch {
            // Half an answer helps more than none: what the image is, then what is missing.
            if !json {
                let lines = PlanReport.Image(file.info, path: image.source).lines
                try? Console.result(lines.joined(separator: "\n"))
            }
            throw error
        }
        let plan = try TilesetPlan(
            image: placed, tiles: tiles, run: resources,
            scratchDirectory: resources.tmpdir ?? ".")
        (placed.warnings + plan.warnings).forEach(Console.warn)
        let report = PlanReport(plan, path: image.source, tiles: tiles, run: resources)
        try Console.result(json ? Self.json(report) : report.text)
    }

    private static func json(_ report: PlanReport) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(report), as: UTF8.self)
    }
}
