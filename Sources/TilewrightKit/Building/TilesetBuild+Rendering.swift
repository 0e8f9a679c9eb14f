import Platform
import Palettes
import Pyramid
import Raster
import Tilesets
import Tiling

extension TilesetBuild {
    /// The colours that pixels are rounded to, or nil if they stay as they are. Renders all tiles to count
    /// them.
    private func palette(_ report: BuildEventHandler) async throws -> Palette? {
        guard let size = request.pyramid.encoding.palette else { return nil }
        report(.began(.colors, tileCount: plan.tileCount))
        defer { report(.ended) }
        var sink = CensusSink()
        var parts = CensusParts()
        _ = try await plan.builder.build(
            to: &sink,
            makeEncoder: { parts.make() }, semaphore: semaphore,
            progress: { report(.progressed(tilesDone: $0)) })
        return try parts.sum().palette(size: size)
    }

    /// Renders all tiles once other builds leave enough memory.
    func renderInTurn(
        into tileset: any TilesetWriter, _ report: BuildEventHandler
    ) async throws -> any TilesetWriter {
        guard let memory else { return try await render(into: tileset, report) }
        do { try plan.builder.checkMemory() } catch { try end(tileset, after: error) }
        return try await memory.with(plan.builder.residentBytes) {
            try await render(into: tileset, report)
        }
    }

    /// Renders all tiles into the tileset; discards them if an input is at fault.
    private func render(
        into tileset: any TilesetWriter, _ report: BuildEventHandler
    ) async throws -> any TilesetWriter {
        var tileset = tileset
        do {
            if let warning = try await space(for: tileset).warning() { report(.warning(warning)) }
            let palette = try await shards == nil ? palette(report) : nil
            report(.began(.tiles, tileCount: plan.tileCount))
            defer { report(.ended) }
            let summary = try await make(into: &tileset, palette) { report(.progressed(tilesDone: $0)) }
            guard summary.tiles > 0 else {
                throw Failure(
                    .badInput,
                    "cannot build tiles of \(plan.images[0].request.title): every pixel is transparent",
                    remedy: "check --nodata and --crop, or add --empty write")
            }
            if let change = inputs.change() { throw change }
        } catch {
            try end(tileset, after: error)
        }
        return tileset
    }

    /// Whether there is room for the tiles; where there is little, some are tried first. Tiles of other
    /// machines are there already.
    private func space(for tileset: any TilesetWriter) async throws -> SpaceCheck {
        let (output, staged) = (request.output.path, tileset.staged.count)
        let rough = try SpaceCheck(plan, output: output, staged: staged)
        guard rough.isTight, shards == nil else { return rough }
        return try SpaceCheck(
            plan, output: output, staged: staged, estimate: await plan.sampledEstimate())
    }

    /// Renders all tiles, or takes those that other machines have made.
    private func make(
        into tileset: inout any TilesetWriter, _ palette: Palette?, progress: (_ tilesDone: Int) -> Void
    ) async throws -> PyramidSummary {
        if let shards {
            return try await shards.write(to: &tileset, plan: plan, semaphore: semaphore, progress: progress)
        }
        return try await plan.builder.build(
            to: &tileset, makeEncoder: { request.pyramid.encoding.makeEncoder(palette: palette) },
            semaphore: semaphore, progress: progress)
    }

    /// Discards all tiles if an input is at fault, and otherwise keeps them for the next run.
    ///
    /// - Throws: the error; or that an input changed meanwhile.
    func end(_ tileset: any TilesetWriter, after error: any Error) throws {
        let change = inputs.change()
        let isOfInput = (error as? Failure).map { [.badInput, .usage].contains($0.kind) } ?? false
        if change != nil || isOfInput { try tileset.discard() } else { try tileset.suspend() }
        if error is Failure, let change { throw change }
        throw error
    }
}
