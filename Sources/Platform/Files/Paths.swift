extension String {
    /// The path before the last slash, nil if there is no slash, and the name after it.
    ///
    /// It compares bytes, as the system does: for Swift, a slash followed by a combining accent is a single
    /// character, which is not a slash.
    package var splitAtLastSlash: (parent: Substring?, name: Substring) {
        guard let slash = utf8.lastIndex(of: UInt8(ascii: "/")) else { return (nil, Substring(self)) }
        return (self[..<slash], self[utf8.index(after: slash)...])
    }

    /// The names between slashes; it compares bytes, too.
    package func pathComponents(omittingEmpty: Bool = true) -> [String] {
        utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: omittingEmpty)
            .map { String(Substring($0)) }
    }

    /// The directory, and the name after the last slash. The directory is `.` if there is no slash; the name
    /// is empty if the path ends with a slash.
    package var splitPath: (directory: String, name: String) {
        let (parent, name) = splitAtLastSlash
        guard let parent else { return (".", String(name)) }
        return (parent.isEmpty ? "/" : String(parent), String(name))
    }

    /// The directory that contains a path; slashes at the end of the path are ignored.
    package var parentDirectory: String { trimmed.splitPath.directory }

    /// The nearest directory above a path that exists.
    package var existingParent: String {
        var folder = parentDirectory
        while FileStatus(at: folder)?.kind != .directory, folder.parentDirectory != folder {
            folder = folder.parentDirectory
        }
        return folder
    }

    /// The path of a file in this directory, which may end with a slash.
    package func path(of name: String) -> String { hasSuffix("/") ? self + name : "\(self)/\(name)" }

    /// The path of something below this directory.
    package func path(of path: ContainedPath) -> String { self.path(of: path.text) }

    /// A file's name without its directory; slashes at the end of the path are ignored. The name of the root
    /// is `/`.
    package var fileName: String {
        let name = trimmed.splitPath.name
        return name.isEmpty ? self : name
    }

    /// A file's name without its directory and its last extension.
    package var fileStem: String { fileName.splitExtension.stem }

    /// A path without its file's extension, and the extension, which may be empty. A dot at the start of the
    /// name does not begin an extension.
    package var splitExtension: (stem: String, fileExtension: String) {
        let name = splitAtLastSlash.name.utf8
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot != name.startIndex else {
            return (self, "")
        }
        return (String(self[..<dot]), String(self[name.index(after: dot)...]))
    }

    /// Whether a path has a lower-case ending; the path's case is ignored.
    package func hasEnding(_ ending: String) -> Bool { lowercased().hasSuffix(ending) }

    /// The path without slashes at its end; the root stays `/`.
    private var trimmed: String {
        var path = Substring(self).utf8
        while path.count > 1, path.last == UInt8(ascii: "/") { path.removeLast() }
        return String(Substring(path))
    }
}

/// The absolute path without symbolic links, resolved as far as the path exists.
///
/// Only for comparing, not for opening: names that are not UTF-8 are changed.
package struct CanonicalPath: Equatable {
    /// The names of the directories from the root, and the last name.
    package let components: [String]

    /// Follows a path; realpath(3).
    package init(_ path: String) {
        components = Self.absolute(path).pathComponents()
    }

    private static func absolute(_ path: String) -> String {
        if let target = realpath(path, nil) {
            defer { free(target) }
            return String(cString: target)
        }
        let parent = path.parentDirectory
        return (parent == path ? path : absolute(parent)) + "/" + path.fileName
    }
}

/// The way from one place in the file system to another.
package enum RelativePath {
    /// The components of the relative path from a directory to a file or directory, with `..`; empty if both
    /// are the same.
    package static func components(from directory: String, to path: String) -> [String] {
        let from = CanonicalPath(directory).components
        let to = CanonicalPath(path).components
        let common = zip(from, to).prefix { $0 == $1 }.count
        return Array(repeating: "..", count: from.count - common) + to[common...]
    }
}

/// The names by which the system finds a file: those of the symbolic links that a path goes through, and that
/// of the file. If one of these is removed, or becomes another file, the path leads elsewhere.
package struct PathEntries {
    /// The directories are paths without links.
    private var entries: [(directory: String, name: String)] = []

    /// The maximum number of links that are followed, as on Linux (path_resolution(7)).
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

    /// The names that are somewhere below a directory, as paths from this directory.
    package func paths(below directory: String) -> [String] { Self.paths(of: [self], below: directory)[0] }

    /// These paths for each of several files. Directories are compared by inode, whatever path leads to them.
    package static func paths(of files: [PathEntries], below directory: String) -> [[String]] {
        guard let root = FileStatus(at: directory) else { return files.map { _ in [] } }
        // Many files are in one directory.
        var places: [String: [String]?] = [:]
        return files.map { file in
            file.entries.compactMap { entry in
                let place = places[entry.directory] ?? place(of: entry.directory, below: root)
                places[entry.directory] = .some(place)
                return place.map { ($0 + [entry.name]).joined(separator: "/") }
            }
        }
    }

    /// The names on the path from `root` down to `directory`; nil if `directory` is not below `root`.
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

    /// More names than a path can have, since the system limits its length.
    private static let mostNames = Int(PATH_MAX) / 2

    /// `.` if the path is not valid UTF-8; the names of the directories above are then unknown.
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
        path.pathComponents().filter { $0 != "." }
    }

    /// The target of a symbolic link; nil if the path is not a link.
    private static func target(of path: String) -> String? {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(path, &bytes, bytes.count)
        return count < 0
            ? nil : String(decoding: bytes.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

/// A path below a folder, as a document in that folder gives it: it cannot lead out of the folder.
///
/// A path that was read from a file is converted to this type, which checks it, before anything is opened or
/// removed. The check is only about names. A symbolic link below the folder could also lead out of it, but
/// `Directory` does not follow links.
package struct ContainedPath: Hashable, Sendable {
    /// The path, components joined by `/`.
    package let text: String

    /// The longest path and the longest component, in bytes: PATH_MAX without the NUL, and NAME_MAX.
    private static let longestPath = 4095
    private static let longestComponent = 255

    /// Checks a path: relative, no control character, and no component that is empty, `.`, `..` or too long.
    package init?(_ text: String) {
        guard text.utf8.count <= Self.longestPath,
            !text.unicodeScalars.contains(where: \.properties.isControl),
            text.pathComponents(omittingEmpty: false).allSatisfy(Self.isName)
        else { return nil }
        self.text = text
    }

    /// Checks a path from a document.
    ///
    /// - Throws: `.badInput`, with the document and the path, if the path could lead out of the document's
    ///   folder.
    package init(_ text: String, readFrom document: String) throws(Failure) {
        guard let path = ContainedPath(text) else {
            throw Failure(
                .badInput, cannot: "use '\(document)'",
                "it names '\(text.excerpt(60))', which is not a path below its folder",
                remedy: "tilewright did not write this: make the file again, or remove it")
        }
        self = path
    }

    /// The names of the folders, and the name in the last folder.
    package var components: [String] { text.pathComponents(omittingEmpty: false) }

    /// Whether the path is a single name, directly in the folder.
    package var isName: Bool { !text.utf8.contains(UInt8(ascii: "/")) }

    private static func isName(_ component: String) -> Bool {
        !["", ".", ".."].contains(component) && component.utf8.count <= longestComponent
    }
}
