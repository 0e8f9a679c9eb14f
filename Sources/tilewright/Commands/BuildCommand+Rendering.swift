import Diagnostics
import Palettes
import Pyramid
import Raster
import Tilesets
import Tiling

extension BuildCommand {
    /// The colours that pixels are rounded to, or nil where they stay as they are. All tiles are
    /// rendered for it.
    private func palette(_ plan: TilesetPlan) async throws -> Palette? {
        guard let size = tiles.palette else { return nil }
        let progress = progress(plan, of: "colours")
        defer { progress.finish() }
        var sink = CensusSink()
        var parts: [ColorCensus] = []
        _ = try await plan.builder.build(
            from: { try plan.open($0) }, to: &sink,
            makeEncoder: {
                parts.append(ColorCensus())
                return parts[parts.count - 1]
            }, progress: progress.report)
        parts.dropFirst().forEach(parts[0].merge)
        return try parts[0].palette(size: size)
    }

    private func progress(_ plan: TilesetPlan, of phase: String? = nil) -> ProgressReporter {
        ProgressReporter(
            style: reports.quiet ? .none : reports.progress, total: plan.pyramid.tileCount,
            phase: phase)
    }

    /// Renders all tiles into the tileset; takes it all back where the input is at fault.
    func render(
        _ plan: TilesetPlan, of inputs: BuildInputs, into tileset: any TilesetWriter
    ) async throws -> any TilesetWriter {
        var tileset = tileset
        do {
            let space = SpaceCheck(
                plan, tiles: tiles, output: output.output, staged: tileset.staged.count)
            if let warning = try space.warning(), !reports.quiet { Console.warn(warning) }
            let palette = try await palette(plan)
            let progress = progress(plan)
            defer { progress.finish() }
            let summary = try await plan.builder.build(
                from: { try plan.open($0) }, to: &tileset,
                makeEncoder: { tiles.makeEncoder(palette: palette) }, progress: progress.report)
            guard summary.tiles > 0 else {
                throw Failure(
                    .badInput,
                    "cannot build tiles of '\(plan.images[0].path)': every pixel is transparent",
                    remedy: "check --nodata and --crop, or add --empty write")
            }
            if let change = inputs.change() { throw change }
        } catch {
            try end(tileset, after: error, of: inputs)
        }
        return tileset
    }

    /// Takes it all back where the input is at fault, and otherwise keeps what the next run can go on
    /// from.
    ///
    /// - Throws: the error; where an input changed meanwhile, that is what is wrong.
    private func end(
        _ tileset: any TilesetWriter, after error: any Error, of inputs: BuildInputs
    ) throws {
        let change = inputs.change()
        let isOfInput = (error as? Failure).map { [.badInput, .usage].contains($0.kind) } ?? false
        if change != nil || isOfInput { try tileset.discard() } else { try tileset.suspend() }
        if error is Failure, let change { throw change }
        throw error
    }
}
