import Georeferencing
import Platform
import Rendering
import Tilesets
import Tiling

/// A pyramid, planned to be made in parts by many machines, as `tilewright split` writes it.
///
/// ```swift
/// let split = try JobSplit(images, pyramid: PyramidRequest(), shards: 100)
/// try split.write(to: "job")
/// ```
public struct JobSplit: Sendable {
    /// The plan of the whole pyramid.
    public let plan: TilesetPlan
    /// Warnings for the user, a line each.
    public let warnings: [Warning]

    private let job: ShardJob
    /// The folder of an earlier job, and that job.
    private let earlier: (folder: String, job: ShardJob)?
    private let inputs: ReadFiles
    private let budget: ReadingBudget

    /// The maximum number of parts of a job.
    public static let mostShards = 100_000

    /// Plans a job: places the images, and hashes each file once.
    ///
    /// - Parameters:
    ///   - images: at least one, each over the ones before it.
    ///   - pyramid: the tiles to make.
    ///   - shards: the number of parts.
    ///   - resources: what may be used of this machine.
    ///   - lists: files that named the images.
    ///   - earlier: the folder of an earlier job, whose cut and ownership are kept.
    /// - Throws: a `Failure`, as `TilesetBuild` does; `usage` if the earlier job has another number of parts
    ///   or other zooms.
    public init(
        _ images: [ImageRequest], pyramid: PyramidRequest, shards: Int, lists: [String] = [],
        earlier: String? = nil, resources: BuildResources = BuildResources()
    ) throws {
        guard 1...Self.mostShards ~= shards else {
            throw Failure(.usage, "--shards \(shards) is not between 1 and \(Self.mostShards)")
        }
        try Self.checkAddresses(of: images)
        FarSources.useScratch(in: resources.scratchDirectory)
        try FarSources.open(images)
        let placed = try PlacedImages(images, resources: resources)
        plan = try TilesetPlan(deferringRowsOf: placed.all, request: pyramid, resources: resources)
        let isReadFromTop = placed.all.contains { $0.blockSize == nil && $0.drawn == nil }
        let before = try earlier.map { (folder: $0, job: try ShardJob(in: $0)) }
        let cut = try ShardCut(plan.pyramid, into: shards, byRows: isReadFromTop, keeping: before?.job)
        job = try ShardJob(plan, cut: cut, lists: lists)
        self.earlier = before
        inputs = ReadFiles(try BuildInputs(images, others: lists + pyramid.files).paths)
        budget = ReadingBudget(tiles: resources.maxTiles)
        let busy = cut.shards.count { $0.work > 0 }
        var warnings = placed.warnings + plan.warnings
        if isReadFromTop, busy > 1 {
            warnings.append(
                Warning(
                    "read-from-top",
                    "an image can only be read from the top: each of \(busy) shards also decodes the rows "
                        + "above its own; a tiled TIFF would be read by its blocks"))
        }
        self.warnings = warnings
    }

    /// Refuses images whose addresses have a query: workers could not read them without it, and it may be a
    /// secret, which the file of the job must not hold.
    ///
    /// - Throws: `.usage`.
    private static func checkAddresses(of images: [ImageRequest]) throws(Failure) {
        guard let image = images.first(where: { FarSources.hasQuery($0.path) }) else { return }
        throw Failure(
            .usage, cannot: "split '\(image.path)'",
            "its address has a query, which may be a secret, and the job is read by other machines",
            remedy:
                "name it as s3://BUCKET/KEY, with credentials on each machine, or split a copy of the file")
    }

    /// The lowest zoom that shards make; `merge` makes those below it.
    public var cut: Int { job.cut }

    /// Whether a palette is chosen by a survey of all shards before tiles are made.
    public var needsSurvey: Bool { job.needsSurvey }

    /// The approximate number of tiles of the maximum zoom that each shard makes.
    public var work: [Int] { job.shards.map(\.work) }

    /// Writes the job into a folder, which is made if needed; another job in it is replaced.
    ///
    /// - Returns: the numbers of shards that are reused from an earlier job.
    /// - Throws: `.outputRefused` if the folder cannot be made, or if an input has the name of a file of the
    ///   job.
    @discardableResult public func write(to folder: String) throws -> [Int] {
        if let address = RemoteAddress(folder) { throw address.writingFailure }
        try inputs.check(folder: folder, isWritten: ShardJob.isFile)
        let json = try job.json
        if json.count > ShardJob.largest {
            throw Failure(
                .usage, cannot: "split into '\(folder)'",
                "its \(ShardJob.fileName) would have \(json.count.byteText)", remedy: ShardJob.wayToSmaller)
        }
        var created = CreatedDirectories()
        try created.make(folder.path(of: ShardJob.shardFolder))
        try WholeFile.write(json, to: folder.path(of: ShardJob.fileName), isTyped: false)
        return try copyEarlierShards(to: folder)
    }

    /// Copies the shards of the earlier job that this job would make unchanged.
    ///
    /// - Returns: the numbers of the shards that now exist.
    private func copyEarlierShards(to folder: String) throws -> [Int] {
        // A palette is chosen again.
        guard let earlier, !job.needsSurvey,
            let source = try Directory.open(earlier.folder.path(of: ShardJob.shardFolder)),
            let target = try Directory.open(folder.path(of: ShardJob.shardFolder))
        else { return [] }
        return try job.shards.indices.filter { index in
            let identity = try job.identity(index)
            guard earlier.job.shards.indices.contains(index), try earlier.job.identity(index) == identity
            else { return false }
            do { _ = try ShardReader(identity, in: source, budget: budget) } catch is ShardReader.Fault {
                return false
            }
            if !OutputFile.areSame(earlier.folder, folder) {
                try source.copyFile(identity.fileName, to: target)
            }
            return true
        }
    }
}

extension ShardJob {
    /// Describes a job: hashes each file once.
    ///
    /// - Parameter lists: files that named the images.
    init(_ plan: TilesetPlan, cut: ShardCut, lists: [String]) throws {
        var known: [String: Source] = [:]
        func source(_ path: String) throws -> Source {
            if let source = known[path] { return source }
            let source = try Source(path, size: SourceCheck.size(of: path))
            known[path] = source
            return source
        }
        images = try zip(plan.images, plan.reductionFactors).map { image, factor in
            let paths = try BuildInputs([image.request], others: []).paths
            return try Image(image, reducedBy: factor, paths.map(source))
        }
        var pyramid = plan.request
        // Defaults depend on all images, but a worker has only some of them.
        pyramid.zoom = ZoomRange(plan.zooms)
        pyramid.resampling = plan.resampling
        pyramid.overviewResampling = plan.overviewResampling
        self.pyramid = pyramid
        self.lists = lists
        testTile = try TestTile.hash(pyramid.encoding)
        testImage = try TestTile.hashOfJPEG()
        whole = plan.pyramid.whole
        sources = try pyramid.files.map(source)
        fingerprint = try JobFingerprint(plan.onDemand) { try source($0).digest }.hash.hex
        self.cut = cut.zoom
        shards = cut.shards.map { part in
            Shard(tiles: part.tiles, images: plan.onDemand.images(touching: part.tiles), work: part.work)
        }
        let least = shards.indices.min { shards[$0].work < shards[$1].work }
        if plan.onDemand.isRedrawn, let least {
            shards[least].makesRest = true
            shards[least].images = Array(images.indices)
        }
    }
}

extension TilesOnDemand {
    /// The numbers of the images that some tiles, and the finer tiles under them, are made from.
    fileprivate func images(touching tiles: [TileRange]) -> [Int] {
        if images.count == 1 || images.contains(where: { $0.drawn != nil }) { return Array(images.indices) }
        let touched = tiles.flatMap { limits in
            pyramid.confined(to: TileWindow(limits, downTo: ZoomRange.possible.upperBound))?.touchedLayers
                ?? []
        }
        return Set(touched).sorted()
    }
}
