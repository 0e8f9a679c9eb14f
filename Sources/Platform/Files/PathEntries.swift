#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The names by which the system finds a file: those of the symbolic links on its way, and its own. If one of them is
/// removed, or becomes another file, the path leads elsewhere.
package struct PathEntries {
    /// Each on a path without links.
    private var entries: [(directory: String, name: String)] = []

    /// Links that are followed; Linux itself gives up at so many (path_resolution(7)).
    private static let mostLinks = 40

    /// Follows a path, as far as it leads; readlink(2).
    package init(_ path: String) {
        var directory = path.hasPrefix("/") ? "/" : Self.workingDirectory
        var rest = Self.names(in: path)
        var links = 0
        while !rest.isEmpty {
            let name = rest.removeFirst()
            let place = directory.path(of: name)
            if name == ".." {
                directory = Self.above(directory)
            } else if links < Self.mostLinks, let target = Self.target(of: place) {
                links += 1
                entries.append((directory, name))
                rest = Self.names(in: target) + rest
                if target.hasPrefix("/") { directory = "/" }
            } else {
                if rest.isEmpty { entries.append((directory, name)) }
                directory = place
            }
        }
    }

    /// The names as paths below a directory, of those that are in it.
    package func paths(below directory: String) -> [String] { Self.paths(of: [self], below: directory)[0] }

    /// The same of several files. Directories are compared by what they are, however they are reached.
    package static func paths(of files: [PathEntries], below directory: String) -> [[String]] {
        guard let root = FileStatus(at: directory) else { return files.map { _ in [] } }
        // Many files stand in one directory.
        var places: [String: [String]?] = [:]
        return files.map { file in
            file.entries.compactMap { entry in
                let place = places[entry.directory] ?? place(of: entry.directory, below: root)
                places[entry.directory] = .some(place)
                return place.map { ($0 + [entry.name]).joined(separator: "/") }
            }
        }
    }

    /// The names that lead from a directory down to another one; nil if it is not below it.
    private static func place(of directory: String, below root: FileStatus) -> [String]? {
        var (directory, names): (String, [String]) = (directory, [])
        while let status = FileStatus(at: directory), names.count < mostNames {
            if status.isSameFile(as: root) { return names.reversed() }
            if directory == "/" { return nil }
            names.append(directory.fileName)
            directory = above(directory)
        }
        return nil
    }

    /// More than a path has: the system takes no longer ones.
    private static let mostNames = Int(PATH_MAX) / 2

    /// Without a path that is text, it is known by its dot alone, and names above it are not.
    private static var workingDirectory: String {
        guard let path = realpath(".", nil) else { return "." }
        defer { free(path) }
        let text = String(cString: path)
        return FileStatus(at: text) == nil ? "." : text
    }

    private static func above(_ directory: String) -> String {
        [".", ".."].contains(directory.fileName) ? directory.path(of: "..") : directory.parentDirectory
    }

    private static func names(in path: String) -> [String] {
        // Bytes: see `splitAtLastSlash`.
        path.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }.filter { $0 != "." }
    }

    /// Where a symbolic link leads; nil if it is none.
    private static func target(of path: String) -> String? {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(path, &bytes, bytes.count)
        return count < 0
            ? nil : String(decoding: bytes.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
