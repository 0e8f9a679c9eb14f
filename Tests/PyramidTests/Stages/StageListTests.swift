import Resampling
import Testing
import Tiling
import TestSupport

@testable import Pyramid

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

        func reach(toLevel level: Int) -> Int {
            // Units that halve their own pixels render what they reach.
            level == 1 && plan.haloOfUnits != nil ? 0 : Reducer.reach(of: plan.reducing(toLevel: level))
        }

        /// The level and the rows that a stage writes.
        func written(by stage: Stage) -> (level: Int, rows: Range<Int>)? {
            guard plan.haloOfUnits != nil, stage.level < 2 else { return (stage.level, stage.rows) }
            guard stage.level == 0, plan.levels.count > 1 else { return nil }
            return (1, stage.rows.halved.clamped(to: plan.levels[1].part.rows))
        }

        /// The rows of a level that a stage reads or writes, as far as they exist.
        func touched(by stage: Stage, ofLevel level: Int) -> Range<Int> {
            let window = plan.levels[level].part.rows
            if stage.level == level {
                let size = plan.levels[level].matrix.tileSize
                let first = stage.tileRows.isEmpty ? .max : stage.tileRows.lowerBound * size
                return (min(first, stage.rows.lowerBound)..<stage.rows.upperBound)
                    .clamped(to: window)
            }
            guard stage.level == level + 1 else { return window.lowerBound..<window.lowerBound }
            let reach = reach(toLevel: stage.level)
            return (2 * stage.rows.lowerBound - reach..<2 * stage.rows.upperBound + reach)
                .clamped(to: window)
        }
    }

    @Test("every row of every level is rendered once, in order")
    func rows() {
        #expect(Self.plans.count == 150)
        for plan in Self.plans {
            let list = StageList(plan: plan) { _ in [] }
            for (index, level) in plan.levels.enumerated() {
                var next = level.part.rows.lowerBound
                for stage in list.stages where stage.level == index {
                    #expect(stage.rows.lowerBound == next && !stage.rows.isEmpty)
                    #expect(stage.rows.count <= (index == 0 ? plan.rowsOfFinestStage : 256))
                    next = stage.rows.upperBound
                }
                #expect(next == level.part.rows.upperBound)
            }
        }
    }

    @Test("every row of tiles is completed once, in order, when all of its pixels are there")
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

    @Test("requirements alone make sure that the rows which a stage reads are rendered")
    func inputs() {
        for plan in Self.plans {
            let schedule = Schedule(plan)
            for (stage, ready) in zip(schedule.list.stages, schedule.ready) {
                let own = schedule.touched(by: stage, ofLevel: stage.level)
                #expect(min(own.lowerBound, stage.rows.lowerBound) == own.lowerBound)
                if own.lowerBound < stage.rows.lowerBound {
                    #expect(ready[stage.level] >= stage.rows.lowerBound)
                }
                guard stage.level > 0 else { continue }
                let fine = schedule.touched(by: stage, ofLevel: stage.level - 1)
                #expect(ready[stage.level - 1] >= fine.upperBound)
            }
        }
    }

    @Test("no stage overwrites rows of a ring which one that may still run needs")
    func rings() {
        for plan in Self.plans {
            let schedule = Schedule(plan)
            for (writer, ready) in zip(schedule.list.stages, schedule.ready) {
                guard let (level, rows) = schedule.written(by: writer) else { continue }
                let capacity = schedule.list.capacities[level]
                #expect(rows.count <= capacity)
                // All rows up to here are lost when the writer starts.
                let lost = rows.upperBound - capacity
                for user in schedule.list.stages
                where user.level == level || user.level == level + 1 {
                    let touched = schedule.touched(by: user, ofLevel: level)
                    if touched.isEmpty || touched.lowerBound >= lost { continue }
                    if user.level == writer.level && user.rows == writer.rows {
                        Issue.record("a stage overwrites its own rows")
                    } else {
                        #expect(ready[user.level] >= user.rows.upperBound)
                    }
                }
            }
        }
    }

    @Test("rings grow with a zoom's tiles, not with its height")
    func capacities() throws {
        for plan in Self.plans {
            for (level, capacity) in zip(
                plan.levels, StageList(plan: plan) { _ in [] }.capacities)
            {
                // A row of tiles, a stage, and the reach of lanczos, 5, to both sides. A stage that is halved from
                // the finest level is as high as a tile.
                let tile = max(level.matrix.tileSize, 256)
                #expect(capacity <= tile + (plan.haloOfUnits != nil ? tile : 256) + 12)
            }
        }
    }
}
