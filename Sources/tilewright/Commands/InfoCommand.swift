import ArgumentParser
import TilewrightKit

/// `tilewright info`: says what an image is, where it lies, and what would be built.
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
        let placed = try place(image.requests(source.paths(), at: position.request()))
        let plan = try TilesetPlan(
            images: placed.all, request: tiles.request, resources: resources.request)
        (placed.warnings + plan.warnings).forEach(Console.warn)
        let report = PlanReport(plan)
        try Console.result(json ? JSONText.of(report) : report.text)
    }

    private func place(_ requests: [ImageRequest]) throws -> PlacedImages {
        let maxPixels = resources.machine.maxPixels.value
        do {
            return try PlacedImages(requests, maxPixels: maxPixels)
        } catch {
            // Half an answer helps more than none: first what the image is, then what is wrong.
            if !json, requests.count == 1,
                let info = try? requests[0].fileInfo(maxPixels: maxPixels)
            {
                let lines = PlanReport.Image(info, path: requests[0].path).lines
                try? Console.result(lines.joined(separator: "\n"))
            }
            throw error
        }
    }
}
