package import Tilesets
import Tiling

/// Checks a finished tileset in any container against its metadata.
///
/// Each tile is read once, and each content decoded once. Memory: a batch of tiles, and 64 bytes per tile.
package struct TilesetVerification {
    private let reader: any TilesetReader
    private let inspector: TileInspector
    private let statements: [StatementCheck]
    private let budget: ReadingBudget

    /// Prepares a verification.
    ///
    /// - Parameters:
    ///   - floor: the floor of a tree, which is part of the names of its documents.
    ///   - budget: the limit of tiles.
    /// - Throws: `.badInput` if the tileset's metadata cannot be read.
    package init(
        of reader: any TilesetReader, floor: String?, inspector: TileInspector,
        budget: ReadingBudget = ReadingBudget()
    ) throws {
        (self.reader, self.inspector, self.budget) = (reader, inspector, budget)
        statements = try reader.statements().map {
            try StatementCheck($0, floor: floor, path: reader.path)
        }
    }

    /// Whether the tileset says that this program made it.
    package var isOfThisProgram: Bool { statements.first?.isOurs == true }

    /// Warnings about metadata that some readers may not accept, although they are not faults.
    package var warnings: [TilesetFault] { statements.flatMap(\.warnings) }

    /// Reports all faults, always in the same order.
    ///
    /// - Parameters:
    ///   - progress: takes the number of tiles that were read.
    ///   - report: takes each fault.
    /// - Returns: all tiles, including missing ones.
    /// - Throws: only if it cannot continue: a disk fails, there are too many tiles, or its task was
    ///   cancelled.
    package func run(
        progress: (Int) -> Void, report: @escaping (TilesetFault) -> Void
    ) throws -> TileTally {
        let claims = statements.lazy.compactMap(\.stated.limits).first
        let survey = TileSurvey(
            of: reader, inspector: inspector, limits: claims, budget: budget, report: report)
        try reader.check({ survey.add($0) }) { tile in
            try survey.add(tile)
            progress(survey.tally.tileCount)
        }
        try survey.finish()
        if survey.tally.tileCount == 0 {
            survey.add(TilesetFault(reader.path, "contains no tiles"))
        } else {
            try checkPyramid(survey)
            checkStatements(survey)
        }
        return survey.tally
    }

    /// Looks for missing tiles in the pyramid. If the number of tiles is as claimed, none is missing: where
    /// finer tiles exist, a transparent tile may have been skipped.
    ///
    /// - Throws: `.usage` if the existing and missing tiles together are too many.
    private func checkPyramid(_ survey: TileSurvey) throws {
        if statements.first?.stated.tileCount == survey.tally.tileCount { return }
        var count = survey.tally.tileCount
        try survey.tally.forEachMissingParent { tile in
            count += 1
            try budget.check(count, of: reader.path)
            survey.add(
                TilesetFault(
                    reader.place(of: tile), "is missing, although there are finer tiles in its place"))
        }
    }

    private func checkStatements(_ survey: TileSurvey) {
        let (limits, count) = (survey.tally.limits, survey.tally.tileCount)
        // After other faults the digest differs anyway.
        let isWhole = survey.faultCount == 0 && statements.first?.stated.tileCount == count
        let digest = isWhole ? survey.tally.contents.digest : nil
        if let first = statements.first {
            survey.limitProblems.forEach { survey.add(TilesetFault(first.place, $0)) }
        }
        for statement in statements {
            statement.faults(limits: limits, tileCount: count, digest: digest)
                .forEach(survey.add)
        }
        for other in statements.dropFirst() {
            other.contradictions(of: statements[0]).forEach(survey.add)
        }
    }
}
