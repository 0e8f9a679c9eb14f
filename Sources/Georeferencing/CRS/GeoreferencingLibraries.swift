import CExpat
import CGeoTIFF
import CPROJ
package import Platform

/// The libraries that say where an image lies, besides PROJ: `PROJData` describes that.
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

/// What PROJ, the library for reference systems, brings along: its database, and grids that make shifts between datums
/// better.
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

    /// The version of EPSG's dataset in the database, such as `v10.076`; nil if the database does not say it.
    public let version: String?

    /// When EPSG published that version, such as `2022-08-31`; nil if the database does not say it.
    public let date: String?

    /// Where PROJ looks for grids; the first folder that has a grid decides.
    public let folders: [Folder]

    /// What `projsync` and PROJ itself know as grids: GeoTIFF, NTv2, NTv1 and VERTCON files.
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
