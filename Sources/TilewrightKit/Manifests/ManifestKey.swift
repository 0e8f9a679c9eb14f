import Platform

/// A key of manifests: where it stands, and what its value changes.
struct ManifestKey: Sendable {
    /// Where a key may stand.
    enum Level: Sendable, CaseIterable {
        /// At the top of a manifest of buildings.
        case campus
        /// At the top of a building.
        case building
        /// At a floor.
        case floor
    }

    /// As it is written: a long option of `build` without its dashes, if there is one.
    let name: String
    /// Where it may stand.
    let levels: Set<Level>
    /// Whether it says where an image lies, and not only how that is to be understood.
    let saysWhere: Bool
    /// What a value changes.
    let change: @Sendable (ManifestValue) throws -> Change

    /// What a value that has been read changes.
    typealias Change = @Sendable (inout FloorDraft) -> Void

    /// Makes a key whose value becomes a property.
    init<Result: Sendable>(
        _ name: String, at levels: Set<Level> = [.building, .floor], saysWhere: Bool = false,
        _ property: any WritableKeyPath<FloorDraft, Result> & Sendable,
        read: @escaping @Sendable (ManifestValue) throws -> Result
    ) {
        self.name = name
        self.levels = levels
        self.saysWhere = saysWhere
        change = { value in
            let result = try read(value)
            return { $0[keyPath: property] = result }
        }
    }

    /// Makes a key whose value is read elsewhere.
    init(_ name: String, at levels: Set<Level>) {
        self.name = name
        self.levels = levels
        saysWhere = false
        change = { _ in { _ in } }
    }

    /// The key of a name.
    static func named(_ name: String, at level: Level) -> ManifestKey? { table[level]?[name] }

    private static let table: [Level: [String: ManifestKey]] = Dictionary(
        uniqueKeysWithValues: Level.allCases.map { level in
            (
                level,
                Dictionary(
                    uniqueKeysWithValues: all.filter { $0.levels.contains(level) }.map { ($0.name, $0) })
            )
        })

    /// The names of the keys that may stand somewhere.
    static func names(at level: Level) -> [String] {
        all.filter { $0.levels.contains(level) }.map(\.name)
    }

    /// Options that say how to run, not what to build.
    static let ofTheRun: Set<String> = [
        "jobs", "memory", "tmpdir", "max-tiles", "max-pixels", "changes", "depfile", "force", "fsync",
        "progress", "quiet", "verbose", "dry-run", "only",
    ]

    /// Why a key may not stand somewhere.
    static func refusal(of name: String, at level: Level) -> Failure {
        if ofTheRun.contains(name) {
            return Failure(
                .usage, "'\(name)' says how to run, not what to build",
                remedy: "give --\(name) on the command line")
        }
        if let key = all.first(where: { $0.name == name }) {
            return Failure(.usage, "'\(name)' does not belong \(level.place)", remedy: key.remedy)
        }
        let hint = NearestWord.of(name, among: names(at: level))
        let words = "unknown key '\(name.excerpt())'" + (hint.map { "; did you mean '\($0)'?" } ?? "")
        return Failure(
            .usage, words,
            remedy: hint == nil ? "keys are the long options of 'build', as zoom or tile-size" : nil)
    }

    private var remedy: String {
        if levels.contains(.building) {
            return levels.contains(.floor)
                ? "put it at a building or at one of its floors" : "put it at the top of a building"
        }
        return levels.contains(.floor)
            ? "put it at one of the floors" : "put it at the top of a manifest of buildings"
    }
}

extension ManifestKey.Level {
    /// Where that is.
    fileprivate var place: String {
        switch self {
        case .campus: "at the top of a manifest of buildings"
        case .building: "at the top of a building"
        case .floor: "at a floor"
        }
    }
}
