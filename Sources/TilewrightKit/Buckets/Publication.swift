public import Platform
import Publishing
import Stores
import Tilesets

/// A request to bring a tileset, a building or a campus to a store.
public struct PublishRequest: Hashable, Sendable {
    /// A folder that tilewright made, or an archive.
    public var output: String
    /// The address of the place, `s3://BUCKET/PREFIX`; for an archive, also that of one object.
    public var address: String
    /// Whether objects that are no longer in the output are removed. Only those that earlier runs have put
    /// are known.
    public var deletes = false
    /// The Cache-Control of tiles; nil for a week. Documents have a minute.
    public var cacheControl: String?
    /// The number of requests at a time.
    public var jobs = Self.standardJobs
    /// The maximum number of tiles of an output.
    public var maxTiles = BuildResources.standardMaxTiles

    /// The default number of requests at a time: they wait for the network, not for a core.
    public static let standardJobs = 16
    private static let mostJobs = 256

    /// Asks to publish an output.
    public init(_ output: String, to address: String) {
        (self.output, self.address) = (output, address)
    }

    /// Whether the output, an archive, becomes the object at the address.
    var isOneObject: Bool {
        let container = TilesetContainer(existing: output)
        return container.isArchive && container == TilesetContainer(path: address)
    }

    /// An address for messages and reports: without a query, which may be secret.
    public static func title(_ address: String) -> String { StoreAddress(address)?.title ?? address }

    /// Refuses values that cannot be used.
    ///
    /// - Throws: `.usage`.
    package func check() throws {
        guard 1...Self.mostJobs ~= jobs else {
            throw Failure(.usage, "--jobs is 1 to \(Self.mostJobs)")
        }
        if let cacheControl {
            // RFC 9110, 5.5, without tabs and bytes outside ASCII.
            guard 1...1024 ~= cacheControl.utf8.count, cacheControl.utf8.allSatisfy({ 0x20...0x7E ~= $0 })
            else {
                throw Failure(
                    .usage, "--cache-control is not the value of a header field",
                    remedy: "such as 'public, max-age=31536000, immutable'")
            }
        }
        if TilesetContainer(path: address).isArchive, !isOneObject {
            throw Failure(
                .usage, cannot: "publish '\(output)' as '\(address)'", "it is not such an archive",
                remedy: "convert it first, tilewright convert \(ShellWord.quoted(output)) OUT."
                    + (address.splitExtension.fileExtension.lowercased()) + "; or leave the ending out")
        }
    }
}

/// The publication of an output: what a store lacks, tiles first, documents next, removals last.
///
/// ```swift
/// let publication = try Publication(PublishRequest("tiles", to: "s3://plans/tower"))
/// let summary = try publication.run()
/// ```
public struct Publication: Sendable {
    /// The name of the list of what is published, which is an object at the same place.
    package static let listName = ".tilewright-published"

    /// Warnings for the user.
    public let warnings: [Warning]
    /// What a run will do.
    public let summary: PublishingSummary

    /// The least time between two lists of what is done.
    package var listInterval = Duration.seconds(20)

    private let local: LocalObjects
    private let plan: PublishingPlan
    private let store: any ObjectStore
    private let list: String
    private let threads: Int

    /// Compares an output with what is published: one request. Reads no tile of a folder, all tiles of an
    /// archive.
    ///
    /// - Throws: a `Failure`: `usage` if the address is not that of a bucket, `missingInput` or `badInput` if
    ///   the output cannot be read or tilewright did not make it, `busy` if a run writes it, `inputOutput` if
    ///   the store does not answer.
    public init(_ request: PublishRequest) throws {
        try request.check()
        try self.init(request, to: BucketStore(request.address, isOneObject: request.isOneObject))
    }

    /// Likewise with any store.
    package init(_ request: PublishRequest, to store: any ObjectStore) throws {
        try request.check()
        let isOneObject = request.isOneObject
        local = try LocalObjects.all(
            of: request.output, CacheControl(request.cacheControl), maxTiles: request.maxTiles,
            isOneObject: isOneObject, named: request.address.fileName)
        (self.store, threads) = (store, request.jobs)
        list = isOneObject ? request.address.fileName + Self.listName : Self.listName
        let title = store.title(of: list)
        var known = PublishedList()
        var warnings: [Warning] = []
        do {
            if let bytes = try store.bytes(of: list, atMost: PublishedList.largest) {
                known = try PublishedList(decoding: bytes)
            }
        } catch is PublishedList.Damage {
            warnings.append(Self.damaged(title))
        } catch let failure as Failure where failure.kind == .missingInput {
            // S3 says of a missing object that access is denied, unless the bucket may be listed. If access is
            // denied, the first put fails.
            warnings.append(
                Warning(
                    "unread-list",
                    "\(failure.message); so all objects count as new, as before a first run"))
        } catch let failure as Failure where failure.kind == .badInput {
            warnings.append(Self.damaged(title))
        }
        self.warnings = warnings
        plan = PublishingPlan(local, with: known, deletes: request.deletes)
        summary = PublishingSummary(plan)
    }

    private static func damaged(_ title: String) -> Warning {
        Warning(
            "damaged-list",
            "'\(title)' is damaged: everything is put again, and what earlier runs put and is no longer here "
                + "stays")
    }

    /// The hash of all objects of the output, with their paths: the same for the same files.
    public var digest: String {
        ContentHash(of: local.entries.flatMap { Array($0.object.path.utf8) + [0] + $0.object.hash.bytes }).hex
    }

    /// The objects that a run puts and removes, a line each, as in lists of changes: `added`, `changed` or
    /// `removed`, and the address.
    public var lines: [String] {
        plan.tasks.enumerated().compactMap { index, task in
            let address = store.title(of: plan.objects[index].path)
            return switch task {
            case .keep: nil
            case .put: (plan.known[index] ? "changed " : "added ") + address
            case .remove: plan.deletes ? "removed " + address : nil
            }
        }
    }

    /// Puts and removes what differs; the next run completes one that was stopped or killed.
    ///
    /// Returns when everything is done: call it from a task that may wait. No request is made if nothing
    /// differs.
    ///
    /// - Parameter progress: receives the number of objects that are put or removed.
    /// - Throws: a `Failure`: `outputRefused` if the store refuses an object, `inputOutput` if it does not
    ///   answer or the output changes meanwhile, `busy` if a run writes the output, or another run publishes
    ///   to the same place; `CancellationError` if the task was cancelled.
    public func run(progress: (Int) -> Void = { _ in }) throws -> PublishingSummary {
        if plan.isEmpty { return summary }
        let run = PublishingRun(
            local, plan, to: store, list: list, threads: threads, interval: listInterval)
        try run.run(progress: progress)
        return summary
    }
}
