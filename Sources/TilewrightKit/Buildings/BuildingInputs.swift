import Platform

/// The files that a run reads of buildings, as the manifests are when it begins.
struct BuildingInputs: Sendable {
    /// All files, each once: the manifests, and what the floors are made of.
    let paths: [String]
    private let manifests: [String]
    private let stamps: [FileStamp?]

    /// Lists the files of buildings.
    init(_ builds: [BuildingBuild]) {
        var seen: Set<String> = []
        manifests = builds.flatMap(\.request.manifests).filter { seen.insert($0).inserted }
        stamps = manifests.map { FileStamp($0) }
        let floors = builds.flatMap(\.floors).flatMap(\.inputs)
        paths = manifests + floors.filter { seen.insert($0).inserted }
    }

    /// What is wrong if a manifest is no longer what it was: an index would be newer than both.
    func change() -> Failure? {
        let changed = zip(manifests, stamps).first { path, stamp in FileStamp(path) != stamp }
        return changed.map { path, _ in .changed(path) }
    }

    /// What make is to know of the files.
    ///
    /// - Parameter index: what depends on them.
    func dependencies(of index: String) -> DependencyFile {
        DependencyFile(target: index, dependencies: paths)
    }
}
