import Platform

/// Files as they were at some moment: what tells that something made of them has to be made anew.
struct FileWatch: Sendable {
    private var files: [String]
    private var fileStamps: [FileStamp?]
    private var folders: [String]
    private var folderStamps: [FileStamp?]

    /// Looks at files, which need not be there, and at folders, in which files may come and go.
    init(_ files: [String], folders: [String] = []) {
        (self.files, self.folders) = (files, folders)
        fileStamps = files.map { FileStamp($0) }
        folderStamps = folders.map { FileStamp(folder: $0) }
    }

    /// All that two of them watch.
    static func + (one: FileWatch, other: FileWatch) -> FileWatch {
        var both = one
        both.files += other.files
        both.fileStamps += other.fileStamps
        both.folders += other.folders
        both.folderStamps += other.folderStamps
        return both
    }

    /// Whether nothing changed: a call of the system for each of them.
    var isCurrent: Bool {
        for (file, stamp) in zip(files, fileStamps) where FileStamp(file) != stamp { return false }
        for (folder, stamp) in zip(folders, folderStamps) where FileStamp(folder: folder) != stamp {
            return false
        }
        return true
    }

    /// Whether all files were there.
    var isThere: Bool { !fileStamps.contains(nil) }
}
