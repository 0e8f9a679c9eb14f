import Foundation

/// All files below a directory at a time.
struct Snapshot: Equatable {
    /// What is in the files, by their paths inside the directory.
    let contents: [String: Data]
    /// The images alone.
    let tiles: [String: Data]

    /// Reads them all.
    init(of directory: URL) throws {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: directory.path)
        var contents: [String: Data] = [:]
        for path in paths {
            let file = directory.appending(path: path)
            var isDirectory: ObjCBool = false
            _ = FileManager.default.fileExists(atPath: file.path, isDirectory: &isDirectory)
            if !isDirectory.boolValue { contents[path] = try Data(contentsOf: file) }
        }
        self.contents = contents
        tiles = contents.filter { file in
            [".png", ".jpg", ".webp"].contains { file.key.hasSuffix($0) }
        }
    }

    /// What is neither an image nor the program's own state.
    var sideFiles: [String: Data] {
        contents.filter { tiles[$0.key] == nil && !$0.key.hasPrefix(".tilewright") }
    }
}

/// Which file each path of a directory is, and when it was last written.
struct FileIdentities: Equatable {
    /// Inode and modification time, by path.
    let identities: [String: Identity]

    struct Identity: Hashable {
        var number: Int
        var modified: Date
    }

    /// Looks at all files but the program's own state.
    init(of directory: URL) throws {
        let manager = FileManager.default
        var identities: [String: Identity] = [:]
        for path in try manager.subpathsOfDirectory(atPath: directory.path)
        where !path.hasPrefix(".tilewright") {
            let file = directory.appending(path: path).path
            let attributes = try manager.attributesOfItem(atPath: file)
            guard attributes[.type] as? FileAttributeType == .typeRegular else { continue }
            identities[path] = Identity(
                number: attributes[.systemFileNumber] as? Int ?? 0,
                modified: attributes[.modificationDate] as? Date ?? .distantPast)
        }
        self.identities = identities
    }

    /// The paths that are new, or another file, or written since.
    func changes(since earlier: FileIdentities) -> Set<String> {
        Set(identities.filter { earlier.identities[$0.key] != $0.value }.keys)
    }
}
