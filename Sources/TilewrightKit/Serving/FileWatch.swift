import Files

/// Files as they were at some moment: what tells that something made of them has to be made anew.
struct FileWatch: Sendable {
    private let files: [String]
    private let folders: [String]
    private let stamps: [FileStamp?]

    /// Looks at files, which need not be there, and at folders, in which files may come and go.
    init(_ files: [String], folders: [String] = []) {
        (self.files, self.folders) = (files, folders)
        stamps = Self.stamps(files, folders)
    }

    /// Whether nothing changed: a call of the system for each of them.
    var isCurrent: Bool {
        for (index, file) in files.enumerated() where FileStamp(file) != stamps[index] { return false }
        for (index, folder) in folders.enumerated()
        where FileStamp(folder: folder) != stamps[files.count + index] {
            return false
        }
        return true
    }

    /// Whether all files were there.
    var isThere: Bool { !stamps.contains(nil) }

    private static func stamps(_ files: [String], _ folders: [String]) -> [FileStamp?] {
        files.map { FileStamp($0) } + folders.map { FileStamp(folder: $0) }
    }
}
