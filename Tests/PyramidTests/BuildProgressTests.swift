import Testing
import Tiling
import TestSupport

@testable import Pyramid

/// Builds without pixels: what starts, in whatever order it comes back.
@Suite struct BuildProgressTests {
    /// Which source rows the rows of the finest level need.
    enum Mapping: CaseIterable {
        case upright, shrunk, enlarged, flipped, turned, partlyBeyond

        func rows(_ rows: Range<Int>, of window: Range<Int>, sourceHeight: Int) -> Range<Int> {
            let (first, last) = (
                rows.lowerBound - window.lowerBound, rows.upperBound - window.lowerBound
            )
            let scale = Double(sourceHeight) / Double(window.count)
            func scaled(_ first: Int, _ last: Int) -> Range<Int> {
                let low = Int(Double(first) * scale) - 5
                return (low..<max(low, Int(Double(last) * scale)) + 6).clamped(to: 0..<sourceHeight)
            }
            switch self {
            case .upright, .shrunk, .enlarged: return scaled(first, last)
            case .flipped: return scaled(window.count - last, window.count - first)
            case .turned: return scaled(first - window.count / 3, last + window.count / 3)
            case .partlyBeyond: return scaled(first - window.count / 2, last - window.count / 2)
            }
        }

        func sourceHeight(_ window: Range<Int>) -> Int {
            switch self {
            case .shrunk: 5 * window.count
            case .enlarged: window.count / 7 + 1
            default: window.count
            }
        }
    }

    /// A build under way, with its own account of which rows are where.
    private struct Simulation {
        let plan: PyramidPlan
        let list: StageList
        let schedule: SourceSchedule
        let sourceHeight: Int
        var progress: BuildProgress
        var decoding: Range<Int>?
        var decoded = 0
        var running: [WorkUnit] = []
        var finished: [Int]
        var started: [Int]

        init(_ plan: PyramidPlan, _ mapping: Mapping, tilesPerUnit: Int) throws {
            let window = plan.levels[0].window.rows
            let height = mapping.sourceHeight(window)
            sourceHeight = height
            let list = StageList(plan: plan) {
                mapping.rows($0, of: window, sourceHeight: height)
            }
            // The same image, as tall as the mapping says.
            self.plan = try PyramidPlan(
                mapping: plan.mapping, sourceWidth: plan.sourceWidth, sourceHeight: height,
                options: plan.options)
            self.list = list
            schedule = SourceSchedule(stages: list.stages, sourceHeight: height)
            progress = BuildProgress(
                plan: self.plan, list: list, schedule: schedule, tilesPerUnit: tilesPerUnit)
            finished = list.stages.map { _ in 0 }
            started = finished
        }

        func isFinished(_ stage: Int) -> Bool {
            finished[stage] == progress.unitCount(ofStage: stage)
        }

        /// The row up to which a level is rendered.
        func done(_ level: Int) -> Int {
            let stages = list.stages.indices.filter { list.stages[$0].level == level }
            let last = stages.prefix { isFinished($0) }.last
            return last.map { list.stages[$0].rows.upperBound }
                ?? plan.levels[level].window.rows.lowerBound
        }

        /// Starts whatever may start, and checks that it may.
        mutating func start(jobs: Int) {
            while running.count + (decoding == nil ? 0 : 1) < jobs {
                if let rows = progress.startDecoding() {
                    #expect(decoding == nil && rows.lowerBound == decoded)
                    let lost = rows.upperBound - schedule.capacity
                    for (index, stage) in list.stages.enumerated()
                    where !stage.sourceRows.isEmpty && !isFinished(index) {
                        #expect(stage.sourceRows.lowerBound >= lost, "rows are still needed")
                    }
                    decoding = rows
                } else if let unit = progress.startUnit() {
                    let stage = list.stages[unit.stage]
                    #expect(unit.index == started[unit.stage])
                    started[unit.stage] += 1
                    #expect(stage.sourceRows.upperBound <= decoded)
                    for requirement in stage.requirements {
                        #expect(done(requirement.level) >= requirement.rows)
                    }
                    running.append(unit)
                } else {
                    return
                }
            }
        }

        /// Ends one of the tasks that run.
        mutating func finishOne(_ random: inout SplitMix) {
            let count = running.count + (decoding == nil ? 0 : 1)
            let index = Int.random(in: 0..<count, using: &random)
            if index < running.count {
                let unit = running.remove(at: index)
                finished[unit.stage] += 1
                progress.finish(unit)
            } else if let rows = decoding {
                decoded = rows.upperBound
                decoding = nil
                progress.finishDecoding(rows)
            }
        }
    }

    @Test(
        "a build comes to its end in every order, and starts nothing too early",
        arguments: Mapping.allCases, [1, 2, 5, 8])
    func randomOrder(mapping: Mapping, jobs: Int) throws {
        var random = SplitMix(seed: UInt64(jobs))
        for trial in 0..<12 {
            let plan = try RandomPlan.make(&random)
            var simulation = try Simulation(
                plan, mapping, tilesPerUnit: Int.random(in: 1...6, using: &random))
            while !simulation.progress.isComplete {
                simulation.start(jobs: jobs)
                let isStuck = simulation.running.isEmpty && simulation.decoding == nil
                try #require(!isStuck, "trial \(trial) is stuck")
                simulation.finishOne(&random)
            }
            #expect(simulation.decoded == simulation.sourceHeight)
            #expect(simulation.list.stages.indices.allSatisfy { simulation.isFinished($0) })
            #expect(simulation.started == simulation.finished)
        }
    }

    @Test("the units of a stage are its columns, cut at edges of tiles")
    func units() throws {
        var random = SplitMix(seed: 71)
        for _ in 0..<30 {
            let plan = try RandomPlan.make(&random)
            let tiles = Int.random(in: 1...6, using: &random)
            var simulation = try Simulation(plan, .upright, tilesPerUnit: tiles)
            var columns: [Int: [Range<Int>]] = [:]
            while !simulation.progress.isComplete {
                simulation.start(jobs: 1)
                for unit in simulation.running {
                    columns[unit.stage, default: []].append(unit.columns)
                }
                simulation.finishOne(&random)
            }
            for (stage, columns) in columns {
                let level = plan.levels[simulation.list.stages[stage].level]
                #expect(columns.first?.lowerBound == level.window.columns.lowerBound)
                #expect(columns.last?.upperBound == level.window.columns.upperBound)
                for (left, right) in zip(columns, columns.dropFirst()) {
                    #expect(left.upperBound == right.lowerBound)
                    #expect(left.upperBound % (tiles * level.matrix.tileSize) == 0)
                }
            }
        }
    }
}
