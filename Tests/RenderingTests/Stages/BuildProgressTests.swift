import Testing
import Tiling
import TestSupport
@testable import Rendering

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

    /// An image of a build, and how it is read.
    private struct Layer {
        let mapping: Mapping
        let height: Int
        let reading: LayerProgress.Reading

        /// - Parameter reader: 0 from the top, 1 by several tasks, 2 by blocks.
        init(_ mapping: Mapping, reader: Int, of plan: PyramidPlan) {
            let (window, part) = (plan.levels[0].window.rows, plan.levels[0].part.rows)
            height = mapping.sourceHeight(window)
            self.mapping = mapping
            var rows = 0..<height
            if plan.isConfined {
                rows = mapping.rows(part, of: window, sourceHeight: height)
                let first = [0, rows.lowerBound / 40 * 40, rows.lowerBound][reader]
                if !rows.isEmpty { rows = first..<rows.upperBound }
            }
            reading = LayerProgress.Reading(
                rows: rows, rowsPerTask: [128, 200, max(1, rows.count)][reader],
                tasksAtOnce: [1, 3, 1][reader])
        }
    }

    /// A build under way, with its own account of which rows are where.
    private struct Simulation {
        let plan: PyramidPlan
        let layers: [Layer]
        let list: StageList
        let schedules: [LayerSchedule]
        var progress: BuildProgress
        var decoding: [LayerRows] = []
        var handedOut: [Int]
        var missing: [Set<Int>]
        var closed: Set<Int> = []
        var running: [WorkUnit] = []
        /// The row up to which each unit of the finest level is rendered.
        var rendered: [Int: Int] = [:]
        var finished: [Int]
        var started: [Int]

        init(_ plan: PyramidPlan, _ layers: [Layer], tilesPerUnit: Int) {
            self.plan = plan
            self.layers = layers
            let window = plan.levels[0].window.rows
            list = StageList(plan: plan) { rows in
                layers.indices.compactMap {
                    let needed = layers[$0].mapping.rows(
                        rows, of: window, sourceHeight: layers[$0].height)
                    return needed.isEmpty ? nil : LayerRows(layer: $0, rows: needed)
                }
            }
            schedules = LayerSchedule.schedules(
                of: layers.map(\.reading.rows), stages: list.stages,
                rowsAhead: layers.map { $0.reading.rowsPerTask * $0.reading.tasksAtOnce })
            progress = BuildProgress(
                plan: plan, list: list, schedules: schedules, readings: layers.map(\.reading),
                tilesPerUnit: tilesPerUnit)
            finished = list.stages.map { _ in 0 }
            started = finished
            handedOut = layers.map(\.reading.rows.lowerBound)
            missing = layers.map { Set($0.reading.rows) }
        }

        func isFinished(_ stage: Int) -> Bool {
            finished[stage] == progress.unitCount(ofStage: stage)
        }

        /// The row up to which a level is rendered.
        func done(_ level: Int) -> Int {
            let stages = list.stages.indices.filter { list.stages[$0].level == level }
            let last = stages.prefix { isFinished($0) }.last
            return last.map { list.stages[$0].rows.upperBound }
                ?? plan.levels[level].part.rows.lowerBound
        }

        /// Starts whatever may start, and checks that it may.
        mutating func start(jobs: Int) {
            while running.count + decoding.count < jobs {
                if let task = progress.startDecoding() {
                    check(task)
                    decoding.append(task)
                } else if let unit = progress.startUnit() {
                    check(unit)
                    running.append(unit)
                } else {
                    return
                }
            }
        }

        private mutating func check(_ task: LayerRows) {
            let layer = task.layer
            #expect(task.rows.lowerBound == handedOut[layer] && !closed.contains(layer))
            handedOut[layer] = task.rows.upperBound
            let others = decoding.filter { $0.layer == layer }
            #expect(others.count < layers[layer].reading.tasksAtOnce)
            let lost = task.rows.upperBound - schedules[layer].capacity
            for (index, stage) in list.stages.enumerated() where !isFinished(index) {
                for source in stage.sources where source.layer == layer {
                    #expect(source.rows.lowerBound >= lost, "rows are still needed")
                }
            }
        }

        private mutating func check(_ unit: WorkUnit) {
            let stage = list.stages[unit.stage]
            #expect(unit.index == started[unit.stage])
            started[unit.stage] += 1
            // Units of the finest level in the same columns may have the same tiles.
            if stage.level == 0 {
                #expect(
                    rendered[unit.index, default: plan.levels[0].part.rows.lowerBound]
                        == stage.rows.lowerBound)
            }
            for source in stage.sources {
                #expect(missing[source.layer].isDisjoint(with: source.rows))
                #expect(!closed.contains(source.layer))
            }
            for requirement in stage.requirements {
                #expect(done(requirement.level) >= requirement.rows)
            }
        }

        /// Ends one of the tasks that run.
        mutating func finishOne(_ random: inout SplitMix) {
            let index = Int.random(in: 0..<running.count + decoding.count, using: &random)
            if index < running.count {
                let unit = running.remove(at: index)
                finished[unit.stage] += 1
                if list.stages[unit.stage].level == 0 {
                    rendered[unit.index] = list.stages[unit.stage].rows.upperBound
                }
                progress.finish(unit)
            } else {
                let task = decoding.remove(at: index - running.count)
                missing[task.layer].subtract(task.rows)
                progress.finishDecoding(task)
            }
            for layer in progress.closeLayers() {
                #expect(closed.insert(layer).inserted && missing[layer].isEmpty)
            }
        }
    }

    @Test(
        "a build finishes in every order, and starts nothing too early",
        arguments: Mapping.allCases, [1, 2, 5, 8])
    func randomOrder(mapping: Mapping, jobs: Int) throws {
        var random = SplitMix(seed: UInt64(jobs))
        for trial in 0..<12 {
            let plan =
                try trial % 4 == 3 ? RandomPlan.makePart(&random) : RandomPlan.make(&random)
            let mappings = [mapping] + Mapping.allCases.shuffled(using: &random)
            let layers = mappings.prefix(trial % 3 + 1).map {
                Layer($0, reader: Int.random(in: 0...2, using: &random), of: plan)
            }
            var simulation = Simulation(
                plan, Array(layers), tilesPerUnit: Int.random(in: 1...6, using: &random))
            while !simulation.progress.isComplete {
                simulation.start(jobs: jobs)
                let isStuck = simulation.running.isEmpty && simulation.decoding.isEmpty
                try #require(!isStuck, "trial \(trial) is stuck")
                simulation.finishOne(&random)
            }
            #expect(simulation.missing.allSatisfy { $0.isEmpty })
            #expect(simulation.closed.count == layers.count { !$0.reading.rows.isEmpty })
            #expect(simulation.list.stages.indices.allSatisfy { simulation.isFinished($0) })
            #expect(simulation.started == simulation.finished)
        }
    }

    @Test("the units of a stage are its columns, cut at edges of tiles, with the outermost tiles alone")
    func units() throws {
        var random = SplitMix(seed: 71)
        for _ in 0..<30 {
            let plan = try RandomPlan.make(&random)
            let tiles = Int.random(in: 1...6, using: &random)
            var simulation = Simulation(
                plan, [Layer(.upright, reader: 0, of: plan)], tilesPerUnit: tiles)
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
                let all = level.matrix.tiles(ofPixels: level.window.columns)
                #expect(columns.first?.lowerBound == all.lowerBound * level.tileSize)
                #expect(columns.last?.upperBound == all.upperBound * level.tileSize)
                for (left, right) in zip(columns, columns.dropFirst()) {
                    #expect(left.upperBound == right.lowerBound)
                    #expect(left.upperBound % level.matrix.tileSize == 0)
                }
                let counts = columns.map { level.matrix.tiles(ofPixels: $0).count }
                // The first tile and the last one are alone; but for what is left over, the others are as many as may be.
                #expect(counts.first == 1 && counts.last == 1)
                let inner = counts.dropFirst().dropLast()
                #expect(inner.dropLast().allSatisfy { $0 == tiles })
                #expect(inner.last.map { $0 <= tiles } ?? true)
            }
        }
    }
}
