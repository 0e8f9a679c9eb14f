import CExpat
import CGeodesy
package import Platform

/// The libraries that read an image's position, except PROJ, which `PROJData` describes.
package enum GeoreferencingLibraries {
    /// All of them, with their versions.
    package static var versions: [LibraryVersion] {
        let expat = XML_ExpatVersionInfo()
        // 1710 is 1.7.1.
        let geotiff = LIBGEOTIFF_VERSION
        return [
            LibraryVersion(
                "libgeotiff", "\(geotiff / 1000).\(geotiff / 100 % 10).\(geotiff / 10 % 10)",
                isOfHeaders: true),
            LibraryVersion("expat", "\(expat.major).\(expat.minor).\(expat.micro)"),
        ]
    }
}

/// The data of PROJ, the library for reference systems: its database, and grids that make datum shifts more
/// accurate.
public struct PROJData: Sendable {
    /// A folder where PROJ looks for grids.
    public struct Folder: Sendable {
        /// Its path.
        public let path: String

        /// How many grids are in it.
        public let gridCount: Int
    }

    /// The version of PROJ.
    public let library: String

    /// The file of the database.
    public let database: String

    /// The version of the EPSG dataset in the database, such as `v10.076`; nil if the database does not state
    /// it.
    public let version: String?

    /// When EPSG published that version, such as `2022-08-31`; nil if the database does not state it.
    public let date: String?

    /// Where PROJ looks for grids; it takes a grid from the first folder that has it.
    public let folders: [Folder]

    /// The extensions of the grid files that `projsync` and PROJ know: GeoTIFF, NTv2, NTv1 and VERTCON.
    private static let endings = [".tif", ".gsb", ".gtx", ".gvb"]

    /// Asks PROJ.
    ///
    /// - Throws: `.systemLimit` if PROJ is not installed.
    package init() throws {
        let context = try PROJContext()
        database = proj_context_get_database_path(context.handle).map { String(cString: $0) } ?? ""
        version = Self.metadata("EPSG.VERSION", context)
        date = Self.metadata("EPSG.DATE", context)
        let info = proj_info()
        library = String(cString: info.version)
        let paths = info.searchpath.map { String(cString: $0) } ?? ""
        folders = paths.split(separator: ":").map { path in
            let path = String(path)
            let names = (try? Directory.open(path)?.names()) ?? []
            return Folder(
                path: path, gridCount: names.count { name in Self.endings.contains { name.hasSuffix($0) } })
        }
    }

    private static func metadata(_ key: String, _ context: borrowing PROJContext) -> String? {
        proj_context_get_database_metadata(context.handle, key).map { String(cString: $0) }
    }
}
