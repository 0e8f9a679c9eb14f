import CommandSupport
import ArgumentParser
import TilewrightKit

/// `tilewright info`: describes an image or the floors of a manifest, their position, and the tiles that
/// would be built; or a finished tileset.
struct InfoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "info",
        abstract:
            "Describes an image or a manifest's floors, their position, and what would be built; or a "
            + "finished tileset.",
        usage:
            "tilewright info <source> ... [<options>]\n       tilewright info <tileset> [--floor <NAME>] [--json]"
    )

    @Argument(
        help: ArgumentHelp(
            "Images and @LIST, as for 'build'; or the manifest of a building, NAME.yaml; or a finished "
                + "tileset: a folder of tiles or an archive.",
            valueName: "source"),
        completion: .inputs)
    var sources: [String]

    @OptionGroup(title: "Image") var image: ImageOptions
    @OptionGroup(title: "Position") var position: PositionOptions
    @OptionGroup(title: "Tiles") var tiles: TileOptions
    @OptionGroup var floor: FloorOption
    @OptionGroup(title: "Resources") var resources: MachineOptions

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        try await SignalWatch.run(advice: nil, jobs: resources.jobs) { try await describe() }
    }

    private func describe() async throws {
        if let path = try SoleArgument.tileset(of: sources) { return try describe(tileset: path) }
        if let path = try SoleArgument.manifest(of: sources) { return try await describe(manifest: path) }
        try floor.refuse("to '\(sources[0])', which is an image")
        let placed = try place(
            image.requests(SourceList.images(sources, hasOutput: true), at: position.request()))
        let plan = try TilesetPlan(
            images: placed.all, request: tiles.request, resources: resources.request)
        (placed.warnings + plan.warnings).forEach(Console.warn)
        try await show(plan)
    }

    private func show(_ plan: TilesetPlan) async throws {
        let report = PlanReport(plan, try await plan.sampledEstimate())
        try Console.result(report, report.lines, json: json)
    }

    /// Shows a finished tileset, or a table of the tilesets in a folder.
    private func describe(tileset path: String) throws {
        try SoleArgument.refuse(image.given + position.given + tiles.given, besideTileset: path)
        let inventory = try TilesetInventory(path, floor: floor.name, maxTiles: resources.request.maxTiles)
        inventory.warnings.forEach(Console.warn)
        let report = InventoryReport(inventory)
        try Console.result(report, report.lines, json: json)
    }

    /// Shows a table of a manifest's floors, or all of one floor.
    private func describe(manifest path: String) async throws {
        try ManifestOptions.refuse(image.given + position.given + tiles.given, nextTo: path)
        let floors = try FloorPlans(
            Manifest(contentsOf: path), floor: floor.name, resources: resources.request)
        floors.warnings.forEach(Console.warn)
        if floor.name != nil { return try await show(floors.all[0].required()) }
        if json {
            try Console.result(json: await FloorsReport(floors.all))
        } else {
            try Console.result(lines: floors.all.table)
        }
        if let failure = floors.all.failure { throw failure }
    }

    private func place(_ requests: [ImageRequest]) throws -> PlacedImages {
        do { return try PlacedImages(requests, resources: resources.request) } catch {
            // Half a report is better than none: the image is described before the error, unless it cannot be
            // read, which may take minutes to find out.
            if !json, requests.count == 1,
                (error as? Failure)?.attempt != "read '\(requests[0].path)'",
                let info = try? requests[0].fileInfo(resources.request)
            {
                try? Console.result(lines: PlanReport.Image(info, of: requests[0]).lines)
            }
            throw error
        }
    }
}
