package import Platform

/// What `--report` writes; `report.schema.json` describes it for scripts.
package struct RunReport: Encodable {
    /// The exit status.
    var status: Int32
    /// The reason why the run failed.
    var error: RunError?
    /// Everything that the user should know, even with `--quiet`.
    var warnings: [Warning]
    /// The duration of the run.
    var seconds: Double
    /// The tilesets, in an order that does not depend on the run.
    var outputs: [RunOutput]
    /// What `verify` found; nil for other commands.
    var faults: RunFaults?

    /// The version of this form. It changes if members are removed, or get another meaning.
    private static let version = 1

    private enum CodingKeys: CodingKey {
        case version, status, error, warnings, seconds, outputs, faults, faultCount
    }

    package func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(Self.version, forKey: .version)
        try members.encode(status, forKey: .status)
        try members.encode(error, forKey: .error)
        try members.encode(warnings, forKey: .warnings)
        try members.encode((seconds * 1000).rounded() / 1000, forKey: .seconds)
        try members.encode(outputs, forKey: .outputs)
        try members.encodeIfPresent(faults?.first, forKey: .faults)
        try members.encodeIfPresent(faults?.count, forKey: .faultCount)
    }
}

/// An error, for programs.
package struct RunError: Encodable, Sendable {
    /// A name: that of a `Failure.Kind`, `interrupted` or `internal`.
    let kind: String
    /// A line for people.
    let message: String
    /// What the user can do about it.
    let remedy: String?

    /// Makes an error.
    init(kind: String, _ message: String, remedy: String?) {
        (self.kind, self.message, self.remedy) = (kind, message, remedy)
    }

    /// The error of a failure.
    package init(_ failure: Failure) {
        self.init(kind: failure.kind.rawValue, failure.message, remedy: failure.remedy)
    }

    private enum CodingKeys: CodingKey { case kind, message, remedy }

    package func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(kind, forKey: .kind)
        try members.encode(message, forKey: .message)
        try members.encode(remedy, forKey: .remedy)
    }
}

/// A tileset of a run, for programs: in the report, and in the events `floor` and `result`.
package struct RunOutput: Encodable, Sendable {
    /// How far the run came with it.
    package enum State: String, Encodable, Sendable {
        /// It is as it should be.
        case done
        /// It has an error of its own, and is as it was; or `verify` found faults.
        case failed
        /// The run ended before.
        case unfinished
        /// The manifest no longer names it.
        case removed
    }

    /// Numbers of tiles.
    package struct Tiles: Encodable, Sendable {
        var written, unchanged, removed, skipped: Int

        /// Makes numbers.
        package init(written: Int = 0, unchanged: Int, removed: Int = 0, skipped: Int = 0) {
            (self.written, self.unchanged) = (written, unchanged)
            (self.removed, self.skipped) = (removed, skipped)
        }
    }

    /// A folder or an archive.
    package let path: String
    /// The building's name, if there are several.
    var building: String?
    /// The floor's name.
    var floor: String?
    /// How far the run came with it.
    package var state: State
    /// The numbers of its tiles, if it is done.
    package var tiles: Tiles?
    /// The bytes of its tiles, or of the archive.
    package var bytes: Int?
    /// The hash of its tiles, as in its metadata.
    package var digest: String?
    /// Its own error, if other tilesets did not fail with it.
    package var error: RunError?

    /// Names a tileset that a run will make or check.
    package init(
        _ path: String, floor: String? = nil, of building: String? = nil, state: State = .unfinished
    ) {
        (self.path, self.floor, self.building, self.state) = (path, floor, building, state)
    }

    /// Whether both are about the same tileset.
    package func isSame(as other: RunOutput) -> Bool {
        path == other.path && floor == other.floor && building == other.building
    }

    private enum CodingKeys: CodingKey { case path, building, floor, state, tiles, bytes, digest, error }

    package func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(path, forKey: .path)
        try members.encodeIfPresent(building, forKey: .building)
        try members.encode(floor, forKey: .floor)
        try members.encode(state, forKey: .state)
        try members.encode(tiles, forKey: .tiles)
        try members.encode(bytes, forKey: .bytes)
        try members.encode(digest, forKey: .digest)
        try members.encodeIfPresent(error, forKey: .error)
    }
}

/// The faults that `verify` found.
package struct RunFaults: Sendable {
    /// A fault.
    package struct Fault: Encodable, Sendable {
        let place, problem: String
        let tile: String?

        /// Makes a fault.
        ///
        /// - Parameter tile: the address `z/x/y` of the tile that is missing or cannot be read.
        package init(_ place: String, _ problem: String, tile: String?) {
            (self.place, self.problem, self.tile) = (place, problem, tile)
        }

        private enum CodingKeys: CodingKey { case place, problem, tile }

        package func encode(to encoder: any Encoder) throws {
            var members = encoder.container(keyedBy: CodingKeys.self)
            try members.encode(place, forKey: .place)
            try members.encode(problem, forKey: .problem)
            try members.encode(tile, forKey: .tile)
        }
    }

    /// More would take too much memory: a tileset may have millions of tiles, and all may be missing.
    private static let most = 10_000

    /// The first faults.
    private(set) var first: [Fault] = []
    /// The number of all faults.
    private(set) var count = 0

    /// Adds a fault.
    mutating func add(_ fault: Fault) {
        count += 1
        if first.count < Self.most { first.append(fault) }
    }
}
