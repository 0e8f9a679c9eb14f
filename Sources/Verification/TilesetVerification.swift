import Publishing
package import Tilesets
import Tiling

/// Checks a finished tileset of whatever container: what is there against what it claims.
///
/// Each tile is read once, and decoded. Besides the batch of tiles at work it takes 32 bytes of
/// memory per tile, twice that at the end.
package struct TilesetVerification {
    /// What was looked at.
    package struct Summary: Hashable, Sendable {
        /// The number of tiles, those that are missing among them.
        package var tiles: Int
        /// Their bytes.
        package var bytes: Int
        /// The number of faults that were reported.
        package var faults: Int
    }

    private let reader: any TilesetReader
    private let inspector: TileInspector
    private let statements: [StatementCheck]

    /// Prepares a verification.
    ///
    /// - Parameter floor: the floor of a tree, which names its documents.
    /// - Throws: `.badInput` where what the tileset says of itself cannot be read.
    package init(
        of reader: any TilesetReader, floor: String?, inspector: TileInspector
    ) throws {
        self.reader = reader
        self.inspector = inspector
        statements = try reader.statements().map {
            try StatementCheck($0, floor: floor, path: reader.path)
        }
    }

    /// Whether the tileset says that this program made it.
    package var isOfThisProgram: Bool { statements.first?.isOurs == true }

    /// Reports all that is wrong; the same faults in the same order in each run.
    ///
    /// - Parameter progress: takes the number of tiles that were read.
    /// - Throws: only where it cannot go on, as when a disk fails, or its task was cancelled.
    package func run(
        progress: (Int) -> Void, report: @escaping (TilesetFault) -> Void
    ) throws -> Summary {
        let claims = statements.lazy.compactMap(\.limits).first
        let survey = TileSurvey(
            inspector: inspector, limits: claims, place: reader.place, report: report)
        try reader.check({ survey.add($0) }) { tile in
            try survey.add(tile)
            progress(survey.tally.tileCount)
        }
        try survey.finish()
        if survey.tally.tileCount == 0 {
            survey.add(TilesetFault(reader.path, "holds no tile"))
        } else {
            checkPyramid(survey)
            checkStatements(survey)
        }
        return Summary(
            tiles: survey.tally.tileCount, bytes: survey.tally.bytes, faults: survey.faultCount)
    }

    /// Looks for holes in the pyramid. A tile can be transparent, and left out, where finer ones
    /// are not; where as many tiles are there as are claimed, nothing is missing.
    private func checkPyramid(_ survey: TileSurvey) {
        if statements.first?.tileCount == survey.tally.tileCount { return }
        survey.tally.forEachMissingParent { tile in
            survey.add(
                TilesetFault(
                    reader.place(of: tile), "is missing, and finer tiles in its place are not"))
        }
    }

    private func checkStatements(_ survey: TileSurvey) {
        let (limits, count) = (survey.tally.limits, survey.tally.tileCount)
        // Other faults explain why it differs.
        let isWhole = survey.faultCount == 0 && statements.first?.tileCount == count
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
