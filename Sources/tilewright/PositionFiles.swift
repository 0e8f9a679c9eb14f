import Diagnostics
import Georeferencing

/// What the image's own file and the files beside it say of where it lies, in their order of
/// precedence.
struct PositionFiles {
    /// The path of the image.
    let image: String
    /// The tags of the image, where it is a TIFF that has them.
    let tags: GeoTIFFTags?
    /// What the command line names in place of the files' own systems.
    let crs: CRS?

    /// The first position of all; nil where no file has one.
    func position() throws -> Position? {
        if let placement = try tags?.placement() {
            let crs = try crs ?? tags.flatMap { try CRS(geoTIFF: $0) } ?? projectionBeside()
            return .stored(
                try FilePosition(
                    source: "GeoTIFF tags", placement: placement,
                    crs: crs ?? Self.missingCRS("GeoTIFF tags")))
        }
        if let path = QGISPoints.find(beside: image) { return .pointsFile(path, crs) }
        return try WorldFile.find(beside: image).map(worldFile)
    }

    /// A world file; without a `.prj` its system is the one that the image's own file names.
    func worldFile(_ path: String) throws -> Position {
        if let crs { return .worldFile(path, crs) }
        let isNamed = WorldFile.findProjection(beside: path) != nil
        return .worldFile(path, isNamed ? nil : try tags.flatMap { try CRS(geoTIFF: $0) })
    }

    private func projectionBeside() throws -> CRS? {
        try WorldFile.findProjection(beside: image).map { try CRS(contentsOf: $0) }
    }

    private static func missingCRS(_ source: String) throws -> CRS {
        throw Failure(
            .badInput,
            "its \(source) do not say in which coordinate reference system their numbers are",
            remedy: "add --crs EPSG:3857 if they are Web Mercator metres, --crs EPSG:4326 if they "
                + "are degrees, or put a .prj file beside it")
    }
}
