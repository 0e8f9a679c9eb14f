extension String {
    /// The path before the last slash, nil if there is none, and the name behind it.
    ///
    /// Bytes are compared, as the system does: to Swift, a slash and an accent behind it are one character,
    /// which is not a slash.
    package var splitAtLastSlash: (parent: Substring?, name: Substring) {
        guard let slash = utf8.lastIndex(of: UInt8(ascii: "/")) else { return (nil, Substring(self)) }
        return (self[..<slash], self[utf8.index(after: slash)...])
    }

    /// The names between slashes, compared as bytes likewise.
    package func pathComponents(omittingEmpty: Bool = true) -> [String] {
        utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: omittingEmpty)
            .map { String(Substring($0)) }
    }

    /// The directory and the name behind the last slash: `.` is the directory of a name alone, and the
    /// name of a path that ends with a slash is empty.
    package var splitPath: (directory: String, name: String) {
        let (parent, name) = splitAtLastSlash
        guard let parent else { return (".", String(name)) }
        return (parent.isEmpty ? "/" : String(parent), String(name))
    }

    /// The directory that holds a path; slashes at the end of the path do not count.
    package var parentDirectory: String { trimmed.splitPath.directory }

    /// The path of a file in this directory, which may end with a slash.
    package func path(of name: String) -> String { hasSuffix("/") ? self + name : "\(self)/\(name)" }

    /// The path of something below this directory.
    package func path(of path: ContainedPath) -> String { self.path(of: path.text) }

    /// A file's name without its directory; slashes at the end of the path do not count. The root is its
    /// own name.
    package var fileName: String {
        let name = trimmed.splitPath.name
        return name.isEmpty ? self : name
    }

    /// A file's name without its directory and its last extension.
    package var fileStem: String { fileName.splitExtension.stem }

    /// A path without its file's extension, and the extension, which is empty if there is none; a dot
    /// that the name begins with starts none.
    package var splitExtension: (stem: String, fileExtension: String) {
        let name = splitAtLastSlash.name.utf8
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot != name.startIndex else {
            return (self, "")
        }
        return (String(self[..<dot]), String(self[name.index(after: dot)...]))
    }

    /// Whether a path ends with some letters, which are lower case, in either case.
    package func hasEnding(_ ending: String) -> Bool { lowercased().hasSuffix(ending) }

    /// The path without slashes at its end, but for the root.
    private var trimmed: String {
        var path = Substring(self).utf8
        while path.count > 1, path.last == UInt8(ascii: "/") { path.removeLast() }
        return String(Substring(path))
    }
}

/// Where a path leads from the root, without links, as far as it exists.
///
/// To compare, not to open: names that are not UTF-8 are not what they were.
package struct CanonicalPath: Equatable {
    /// The names of directories from the root on, and the last name.
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
    /// Components from a directory to a file or directory, `..` among them; none to itself.
    package static func components(from directory: String, to path: String) -> [String] {
        let from = CanonicalPath(directory).components
        let to = CanonicalPath(path).components
        let common = zip(from, to).prefix { $0 == $1 }.count
        return Array(repeating: "..", count: from.count - common) + to[common...]
    }
}

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

    /// If its path is not text, it is known by its dot alone, and the names above it are unknown.
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

    /// Where a symbolic link leads; nil if it is not one.
    private static func target(of path: String) -> String? {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(path, &bytes, bytes.count)
        return count < 0
            ? nil : String(decoding: bytes.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

/// A path of something below a folder, as a document in that folder names it: joined to the folder, it does not lead
/// out of it.
///
/// A path that was read from a file becomes such a path before anything is opened or removed by it, and the
/// check is the only way to make one. It is about names. A link below the folder can lead out of it as well:
/// `Directory` follows none.
package struct ContainedPath: Hashable, Sendable {
    /// The path, components joined by `/`.
    package let text: String

    /// The longest path, and the longest component of one, in bytes: PATH_MAX less its NUL, and NAME_MAX.
    private static let longestPath = 4095
    private static let longestComponent = 255

    /// Checks a path: it is relative, has no control character, and no component is empty, `.`, `..` or too long.
    package init?(_ text: String) {
        guard text.utf8.count <= Self.longestPath,
            !text.unicodeScalars.contains(where: \.properties.isControl),
            text.pathComponents(omittingEmpty: false).allSatisfy(Self.isName)
        else { return nil }
        self.text = text
    }

    /// Takes a path from a document.
    ///
    /// - Throws: `.badInput` that names the document and the path, if it could lead out of the document's folder.
    package init(_ text: String, readFrom document: String) throws(Failure) {
        guard let path = ContainedPath(text) else {
            throw Failure(
                .badInput, cannot: "use '\(document)'",
                "it names '\(text.excerpt(60))', which is not a path below its folder",
                remedy: "it was not made so by this program: make it again, or remove it")
        }
        self = path
    }

    /// The names of the folders on the way, and the name in the last one.
    package var components: [String] { text.pathComponents(omittingEmpty: false) }

    /// Whether it is the name of something in the folder itself.
    package var isName: Bool { !text.utf8.contains(UInt8(ascii: "/")) }

    private static func isName(_ component: String) -> Bool {
        !["", ".", ".."].contains(component) && component.utf8.count <= longestComponent
    }
}
