import Platform
import Tiling

/// The tiles that are in their places in OUTPUT, compared with what a record says.
struct PublishedTiles {
    /// How a file compares with its record.
    enum Comparison { case absent, different, same, foreign }

    private var directories: TileDirectories

    /// Looks below OUTPUT.
    init(root: Directory) { directories = TileDirectories(root: root) }

    /// Compares a file with the record of what it should hold; reads it if its size is right.
    ///
    /// - Parameter bySize: do without reading: a file of the right size is the same.
    /// - Returns: `foreign` if a link or another thing that is not a file has the name.
    /// - Throws: `.outputRefused` if a directory or a component of the path is in the way.
    mutating func compare(
        _ record: TileRecord, at path: String, bySize: Bool = false
    ) throws -> Comparison {
        let (parent, name) = TileDirectories.split(path)
        guard let directory = try directories.open(parent),
            let status = try directory.status(of: name)
        else { return .absent }
        if status.kind == .directory {
            throw Failure(
                .outputRefused, "cannot write '\(directory.path(of: name))': it is a directory",
                remedy: "give another --template or OUTPUT")
        }
        if status.kind != .file { return .foreign }
        guard status.size == record.size else { return .different }
        if bySize { return .same }
        return try directory.hash(ofFile: name) == record.hash ? .same : .different
    }
}

extension TilesetManifest.Section {
    /// The tiles whose files hold what the records say, or, `bySize`, have the size that they say.
    func intact(in root: Directory, bySize: Bool = false) throws -> [TileRecord] {
        var published = PublishedTiles(root: root)
        return try records.sorted.filter {
            let path = names.path(of: $0.coordinate)
            return try published.compare($0, at: path, bySize: bySize) == .same
        }
    }
}
