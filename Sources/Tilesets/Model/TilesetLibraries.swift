import CSQLite
import CXXHash
package import Platform

/// The libraries that tilesets are stored and compared with.
package enum TilesetLibraries {
    /// All of them, with their versions.
    package static var versions: [LibraryVersion] {
        // 801 is 0.8.1.
        let xxHash = XXH_versionNumber()
        return [
            LibraryVersion("SQLite", String(cString: sqlite3_libversion())),
            LibraryVersion("xxHash", "\(xxHash / 10_000).\(xxHash / 100 % 100).\(xxHash % 100)"),
        ]
    }
}
