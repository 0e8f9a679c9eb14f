import Platform

/// What a program takes beside what a build plans for: its own pages, those of its libraries, and small things.
///
/// Measured on Linux, with the runtime of Swift as a part of the program: 21.4 to 21.9 MB of files' pages are resident in
/// builds of all kinds, and 30.9 to 32 MB in those that need PROJ. A build of a single tile has 2 MB beside them. Where
/// the runtime stands in libraries of its own, it is some 4 MB more.
enum ProgramMemory {
    /// Bytes of files' pages, without those of PROJ.
    private static let fileBytes = 21_600_000
    /// The same of PROJ and of the libraries that it brings along.
    private static let projBytes = 9_500_000
    /// Bytes of small things, which the runtime and libraries allocate.
    private static let smallBytes = 2 << 20
    /// Bytes for each tile, of lists of what is written: an archive has 60 to 90, a folder up to 150.
    private static let bytesPerTile = 128

    /// Bytes of memory for a build of at most so many tiles, which is planned already: if it needs PROJ, that is loaded.
    ///
    /// The same plan has the same each time.
    static func bytes(tiles: Int) -> Int {
        let proj = isMapped("libproj.", in: "/proc/self/maps") ? projBytes : 0
        return fileBytes + proj + smallBytes + tiles * bytesPerTile
    }

    /// Whether a library's file is mapped, as proc(5) says; false where nothing says it.
    ///
    /// - Parameter name: how the name of the file begins.
    static func isMapped(_ name: String, in path: String) -> Bool {
        guard let file = fopen(path, "r") else { return false }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 8192)
        while fgets(&line, Int32(line.count), file) != nil {
            if strstr(line, "/\(name)") != nil { return true }
        }
        return false
    }
}
