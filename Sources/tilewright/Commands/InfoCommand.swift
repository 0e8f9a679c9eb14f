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

    @OptionGroup var source: SourceOptions
    @OptionGroup(title: "What of the image counts") var image: ImageOptions
    @OptionGroup(title: "Where the image lies") var position: PositionOptions
    @OptionGroup(title: "What to build") var tiles: TileOptions
    @OptionGroup(title: "How to run") var resources: RunOptions

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
        let placed = try place(source.paths())
        let plan = try TilesetPlan(
            images: placed.all, tiles: tiles, run: resources,
            scratchDirectory: resources.tmpdir ?? ".")
        (placed.warnings + plan.warnings).forEach(Console.warn)
        let report = PlanReport(plan, tiles: tiles, run: resources)
        try Console.result(json ? Self.json(report) : report.text)
    }

    private func place(_ paths: [String]) throws -> PlacedImages {
        let limits = PixelLimits(resources.maxPixels)
        do {
            return try PlacedImages(
                paths: paths, image: image, options: position, limits: limits)
        } catch {
            // Half an answer helps more than none: what the image is, then what is missing.
            if !json, paths.count == 1,
                let file = try? ImageFile.open(
                    path: paths[0], options: image.reading(of: paths[0]).options,
                    checkingSize: limits.check)
            {
                let lines = PlanReport.Image(file.info, path: paths[0]).lines
                try? Console.result(lines.joined(separator: "\n"))
            }
            throw error
        }
    }

    private static func json(_ report: PlanReport) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(report), as: UTF8.self)
    }
}
