import Testing
import Tiling
import TestSupport
@testable import Rendering

/// What holds for the stages of any plan.
@Suite struct StageListTests {
    static let plans: [PyramidPlan] = {
        var random = SplitMix(seed: 61)
        return (0..<150).compactMap { index in
            try? index % 3 == 0 ? RandomPlan.makePart(&random) : RandomPlan.make(&random)
        }
    }()

    /// A plan and its stages, and what must be rendered before each of them.
    private struct Schedule {
        let plan: PyramidPlan
        let list: StageList
        /// Per stage and level: the row up to which everything is rendered when it starts, in
        /// whatever order stages run that the requirements allow.
        let ready: [[Int]]

        init(_ plan: PyramidPlan) {
            self.plan = plan
            let list = StageList(plan: plan) { _ in [] }
            self.list = list
            let none = plan.levels.map(\.part.rows.lowerBound)
            var ready: [[Int]] = []
            for stage in list.stages {
                var rows = none
                for requirement in stage.requirements {
                    for (index, earlier) in list.stages[..<ready.count].enumerated()
                    where earlier.level == requirement.level
                        && earlier.rows.lowerBound < requirement.rows
                    {
                        for level in rows.indices {
                            rows[level] = max(rows[level], ready[index][level])
                        }
                        rows[earlier.level] = max(rows[earlier.level], earlier.rows.upperBound)
                    }
                }
                ready.append(rows)
            }
            self.ready = ready
        }

        /// The rows of a ring that a stage fills, those of the next level; nil if there are none.
        static func filled(by stage: Stage, in plan: PyramidPlan) -> (level: Int, rows: Range<Int>)? {
            let level = stage.level + 1
            guard level < plan.levels.count else { return nil }
            let rows = stage.rows.halved.clamped(to: plan.levels[level].part.rows)
            return rows.isEmpty ? nil : (level, rows)
        }

        /// The rows of a ring that a stage reads or writes, as far as they exist.
        func touched(by stage: Stage, ofLevel level: Int) -> Range<Int> {
            if level == stage.level + 1 { return Self.filled(by: stage, in: plan)?.rows ?? .empty }
            guard level == stage.level else { return .empty }
            let isHalved = level + 1 < plan.levels.count
            let reach = isHalved ? Reducer.reach(of: plan.reducing(toLevel: level + 1)) : 0
            let first =
                stage.tileRows.isEmpty ? .max : stage.tileRows.lowerBound * plan.levels[level].tileSize
            return (min(first, stage.rows.lowerBound - reach)..<stage.rows.upperBound + reach)
                .clamped(to: plan.levels[level].part.rows)
        }
    }

    @Test("every row of every level is rendered once, in order")
    func rows() {
        #expect(Self.plans.count == 150)
        for plan in Self.plans {
            var next = plan.levels.map(\.part.rows.lowerBound)
            var filled = next
            for stage in StageList(plan: plan, sources: { _ in [] }).stages {
                #expect(!stage.rows.isEmpty)
                #expect(stage.rows.count <= (stage.level == 0 ? plan.rowsPerStage : 256))
                #expect(stage.rows.lowerBound == next[stage.level])
                next[stage.level] = stage.rows.upperBound
                if let (level, rows) = Schedule.filled(by: stage, in: plan) {
                    #expect(rows.lowerBound == filled[level])
                    filled[level] = rows.upperBound
                }
            }
            let ends = plan.levels.map(\.part.rows.upperBound)
            #expect(next == ends)
            #expect(filled.dropFirst() == ends.dropFirst())
        }
    }

    @Test("every row of tiles is completed once, in order, when all of its pixels are rendered")
    func tileRows() {
        for plan in Self.plans {
            let list = StageList(plan: plan) { _ in [] }
            for (index, level) in plan.levels.enumerated() {
                var next = level.tileRows.lowerBound
                for stage in list.stages where stage.level == index && !stage.tileRows.isEmpty {
                    #expect(stage.tileRows.lowerBound == next)
                    next = stage.tileRows.upperBound
                    let end = min(next * level.matrix.tileSize, level.part.rows.upperBound)
                    #expect(stage.rows.upperBound >= end)
                }
                #expect(next == level.tileRows.upperBound)
            }
        }
    }

    @Test(
        "requirements are met by earlier stages of the list, so that the list can be run in order")
    func order() {
        for plan in Self.plans {
            var done = plan.levels.map(\.part.rows.lowerBound)
            for stage in StageList(plan: plan, sources: { _ in [] }).stages {
                #expect(stage.requirements.allSatisfy { done[$0.level] >= $0.rows })
                done[stage.level] = stage.rows.upperBound
            }
        }
    }

    @Test("requirements alone ensure that the rows that a stage reads are rendered")
    func inputs() {
        for plan in Self.plans {
            let schedule = Schedule(plan)
            for (stage, ready) in zip(schedule.list.stages, schedule.ready) {
                guard stage.level > 0 else { continue }
                let read = schedule.touched(by: stage, ofLevel: stage.level)
                let finer = plan.levels[stage.level - 1].part.rows
                #expect(ready[stage.level - 1] >= min(2 * read.upperBound, finer.upperBound))
            }
        }
    }

    @Test("no stage overwrites rows of a ring that another stage may still need")
    func rings() {
        for plan in Self.plans {
            let schedule = Schedule(plan)
            for (writer, ready) in zip(schedule.list.stages, schedule.ready) {
                guard let (level, rows) = Schedule.filled(by: writer, in: plan) else { continue }
                let capacity = schedule.list.capacities[level]
                #expect(rows.count <= capacity)
                // All rows up to here are lost when the writer starts.
                let lost = rows.upperBound - capacity
                for user in schedule.list.stages where [level - 1, level].contains(user.level) {
                    let touched = schedule.touched(by: user, ofLevel: level)
                    if touched.isEmpty || touched.lowerBound >= lost { continue }
                    #expect(ready[user.level] >= user.rows.upperBound)
                }
            }
        }
    }

    @Test("a row of tiles of the finest level ends with one stage")
    func endsOfTiles() {
        for plan in Self.plans {
            let (size, part) = (plan.levels[0].tileSize, plan.levels[0].part.rows)
            #expect(size % plan.rowsPerStage == 0 || plan.rowsPerStage % size == 0)
            for stage in StageList(plan: plan, sources: { _ in [] }).stages where stage.level == 0 {
                #expect(
                    stage.endsTiles
                        == (stage.rows.upperBound % size == 0 || stage.rows.upperBound == part.upperBound))
                #expect(stage.endsTiles || stage.tileRows.isEmpty)
            }
        }
    }

    @Test("rings grow with a zoom's tiles, not with its height")
    func capacities() throws {
        for plan in Self.plans {
            for (level, capacity) in zip(
                plan.levels, StageList(plan: plan) { _ in [] }.capacities)
            {
                // A row of tiles, a stage, and the reach of lanczos, 5, to both sides.
                #expect(capacity <= 2 * max(level.matrix.tileSize, 256) + 12)
            }
        }
    }
}

extension Range<Int> {
    fileprivate static var empty: Range<Int> { 0..<0 }
}
