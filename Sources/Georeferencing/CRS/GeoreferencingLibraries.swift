import CExpat
import CGeoTIFF
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
