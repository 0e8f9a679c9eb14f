import Raster
import Tiling

/// The way the images of a plan are read, and the memory that this takes.
struct SourceMemory: Sendable {
    /// The part of an image that is read.
    struct Read {
        /// Its columns.
        var columns: Range<Int>
        /// Bytes of its weights, if rows and columns are resampled separately.
        var weightBytes: Int
    }

    /// When each layer is open, and how far it must be decoded.
    let schedules: [LayerSchedule]
    /// The way each layer is read.
    let readings: [LayerProgress.Reading]
    /// The maximum number of bytes that decoders need at a time.
    let decoderBytes: Int
    /// The maximum number of bytes of weights, and of what rows take besides their pixels, at a time.
    let tableBytes: Int
    /// The maximum number of bytes of rows at a time. Fewer are touched if most of an image has one colour.
    let rowBytes: Int

    /// The maximum number of bytes by which a band lengthens a row: to a whole cache line.
    static let rowPadding = 64

    private let isInBlocks: [Bool]
    /// Rows of each image's band.
    private let capacities: [Int]
    /// The first needed row of each image.
    private let firstRows: [Int]
    private let blockBytes: Int
    /// The bytes of all pixels of images that are read by blocks and open together, at most.
    private let pixelsInBlocks: Int
    /// The number of these images.
    private let blocksAtOnce: Int

    /// Plans the reading.
    ///
    /// - Parameter inBlocks: the memory for blocks of images that can be read by blocks, in bytes; nil to
    ///   read all images by rows.
    init(
        plan: PyramidPlan, list: StageList, reads: [Read], jobs: Int, inBlocks: Int?
    ) {
        let target = plan.target
        let isInBlocks = plan.layers.indices.map {
            inBlocks != nil && plan.layers[$0].isTiled && !target.isSeparable($0)
        }
        let rows = Self.rowsToRead(plan, list)
        let readings = plan.layers.indices.map { index in
            isInBlocks[index]
                ? LayerProgress.Reading(rows[index])
                : LayerProgress.Reading(rows[index], of: plan.layers[index], jobs: jobs)
        }
        let schedules = LayerSchedule.schedules(
            of: readings.map(\.rows), stages: list.stages,
            rowsAhead: readings.map { $0.rowsPerTask * $0.tasksAtOnce })
        let capacities = schedules.map { SourceRows.capacity(forRows: $0.capacity) }
        let rowBytes = plan.layers.indices.map {
            reads[$0].columns.count * plan.layers[$0].info.pixelFormat.bytesPerPixel + Self.rowPadding
        }
        func peak(_ value: (Int) -> Int) -> Int {
            // An image of which nothing is read is not opened at all.
            let values = plan.layers.indices.map { rows[$0].isEmpty ? 0 : value($0) }
            return LayerSchedule.peak(of: values, schedules)
        }
        decoderBytes = peak {
            plan.layers[$0].info.decoderBytes(
                tasks: isInBlocks[$0] ? jobs : readings[$0].tasksAtOnce)
        }
        self.rowBytes = peak { isInBlocks[$0] ? 0 : rowBytes[$0] * capacities[$0] }
        tableBytes = peak { index in
            let tables = SourceRows.tableBytes(
                columns: reads[index].columns.count, capacity: capacities[index], rowBytes: rowBytes[index])
            return reads[index].weightBytes + (isInBlocks[index] ? 0 : tables)
        }
        pixelsInBlocks = peak { isInBlocks[$0] ? plan.layers[$0].info.pixelBytes : 0 }
        blocksAtOnce = peak { isInBlocks[$0] ? 1 : 0 }
        blockBytes = blocksAtOnce > 0 ? inBlocks ?? 0 : 0
        (self.isInBlocks, self.readings, self.schedules) = (isInBlocks, readings, schedules)
        self.capacities = capacities
        firstRows = rows.map(\.lowerBound)
    }

    /// Bytes of rows and blocks; blocks count only as far as they exist.
    var bytes: Int { rowBytes + min(blockBytes, pixelsInBlocks) }

    /// Bytes of decoders and tables, which cannot go to a scratch file.
    var fixedBytes: Int { decoderBytes + tableBytes }

    /// The way each layer's pixels are read into memory.
    ///
    /// - Parameter scratchDirectory: the folder for rows that do not stay in memory; nil if all do.
    func access(scratchDirectory: String?) -> [LayerReader.Access] {
        isInBlocks.indices.map { index in
            isInBlocks[index]
                ? .blocks(cacheBytes: blockBytes / max(1, blocksAtOnce))
                : .rows(
                    capacity: capacities[index], first: firstRows[index],
                    scratchDirectory: scratchDirectory)
        }
    }

    /// The rows of each image that are read: all rows, so that damage anywhere in a file is found. For a
    /// confined plan, only the rows that it needs, or none.
    private static func rowsToRead(_ plan: PyramidPlan, _ list: StageList) -> [Range<Int>] {
        var rows = plan.layers.map { 0..<(plan.isConfined ? 0 : $0.info.height) }
        guard plan.isConfined else { return rows }
        for source in list.stages.lazy.flatMap(\.sources) {
            let known = rows[source.layer]
            rows[source.layer] = known.isEmpty ? source.rows : known.hull(with: source.rows)
        }
        return rows
    }
}

extension LayerProgress.Reading {
    /// For an image that is read by blocks, on demand: all rows count as read when it is opened.
    fileprivate init(_ rows: Range<Int>) {
        self.init(rows: rows, rowsPerTask: max(1, rows.count), tasksAtOnce: 1)
    }

    /// For an image that is read by rows, some at a time: if it has blocks, in whole rows of blocks by
    /// several tasks; otherwise from its top.
    fileprivate init(_ rows: Range<Int>, of layer: ImageLayer, jobs: Int) {
        guard let block = layer.blockSize else {
            let first = rows.isEmpty ? rows.lowerBound : 0
            self.init(rows: first..<rows.upperBound, rowsPerTask: LayerReader.rowsPerTask, tasksAtOnce: 1)
            return
        }
        let first = rows.isEmpty ? rows.lowerBound : rows.lowerBound / block.height * block.height
        let across = (layer.info.width + block.width - 1) / block.width
        let down = max(
            (LayerReader.rowsPerTask + block.height - 1) / block.height,
            (layer.blocksPerTask + across - 1) / across)
        self.init(
            rows: first..<rows.upperBound, rowsPerTask: down * block.height, tasksAtOnce: max(1, jobs))
    }
}

extension LayerSchedule {
    /// The largest sum of the values of layers that are open at a time.
    fileprivate static func peak(of values: [Int], _ schedules: [LayerSchedule]) -> Int {
        var changes: [(stage: Int, change: Int)] = []
        for (value, schedule) in zip(values, schedules) {
            changes.append((schedule.opening, value))
            changes.append((schedule.last + 1, -value))
        }
        // Layers that end come before layers that begin.
        changes.sort { ($0.stage, $0.change) < ($1.stage, $1.change) }
        var (sum, peak) = (0, 0)
        for change in changes {
            sum += change.change
            peak = max(peak, sum)
        }
        return peak
    }
}

/// The schedule of a layer's image, as the stages of the finest level proceed: when it is open, how far it
/// must be decoded, and which of its rows are still needed.
struct LayerSchedule: Sendable {
    /// A stage that needs the image, and the rows that it needs.
    private struct Need {
        var stage: Int
        var rows: Range<Int>
        /// The oldest row that this stage or a later one needs.
        var oldest: Int
    }

    /// The number of rows that a ring for the image must hold.
    let capacity: Int
    /// The image may be opened once this stage is the first incomplete one.
    let opening: Int

    private let needs: [Need]
    private let end: Int

    /// Makes the schedules of all layers.
    ///
    /// - Parameters:
    ///   - rows: the rows of each layer's image that are read.
    ///   - rowsAhead: the number of rows of each image that may be decoded ahead at a time.
    static func schedules(
        of rows: [Range<Int>], stages: [Stage], rowsAhead: [Int]
    ) -> [LayerSchedule] {
        let sampling = stages.indices.filter { !stages[$0].sources.isEmpty }
        var needs = [[Need]](repeating: [], count: rows.count)
        var openings = rows.map { _ in 0 }
        for (place, index) in sampling.enumerated() {
            for source in stages[index].sources {
                // While two stages run, the images of the next one may be read.
                if needs[source.layer].isEmpty {
                    openings[source.layer] = sampling[max(0, place - 2)]
                }
                needs[source.layer].append(
                    Need(stage: index, rows: source.rows, oldest: source.rows.lowerBound))
            }
        }
        return rows.indices.map { layer in
            LayerSchedule(
                needs: needs[layer], opening: openings[layer], rows: rows[layer],
                rowsAhead: rowsAhead[layer])
        }
    }

    private init(needs: [Need], opening: Int, rows: Range<Int>, rowsAhead: Int) {
        var needs = needs
        var oldest = rows.upperBound
        for index in needs.indices.reversed() {
            oldest = min(oldest, needs[index].rows.lowerBound)
            needs[index].oldest = oldest
        }
        // Two stages run at once: the first incomplete one, and the next.
        var capacity = rowsAhead
        for (index, need) in needs.enumerated() {
            let newest = needs[index...].prefix(2).map(\.rows.upperBound).reduce(0, max)
            capacity = max(capacity, newest - need.oldest + rowsAhead)
        }
        self.needs = needs
        self.opening = opening
        end = rows.upperBound
        self.capacity = min(capacity, rows.count)
    }

    /// The last stage that needs the image; if no stage does, the stage at which it is opened.
    var last: Int { needs.last?.stage ?? opening }

    /// The row up to which (exclusive) rows may be decoded while a stage is the first incomplete one.
    func limit(firstOpenStage: Int) -> Int {
        let next = needs.sortedFirstIndex { $0.stage >= firstOpenStage }
        return (next < needs.count ? needs[next].oldest : end) + capacity
    }

    /// The first stage, from a given one on, that needs rows that are not decoded yet; nil if there is none.
    func nextStage(from firstOpenStage: Int, decoded: Int) -> Int? {
        needs[needs.sortedFirstIndex { $0.stage >= firstOpenStage }...]
            .first { $0.rows.upperBound > decoded }?.stage
    }
}
