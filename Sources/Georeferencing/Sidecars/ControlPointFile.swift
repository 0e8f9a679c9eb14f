import Platform

/// A file of control points: what QGIS or Allmaps saves, or a table of `COL,ROW,LON,LAT[,NAME]`, as Global Mapper's
/// `.gcp` is.
package enum ControlPointFile {
    /// Reads a file. It is one of QGIS if it is called so, or if it has a header of QGIS or its `#CRS:` line.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - crs: the system of its map coordinates, in place of what the file says.
    ///   - width: columns of the image.
    ///   - height: rows of the image.
    /// - Returns: all points in the order of the file, also those that are switched off.
    /// - Throws: a `Failure` that names the file; of kind `badInput` with the line, if it is damaged.
    package static func points(
        of path: String, crs: CRS?, width: Int, height: Int
    ) throws -> [ControlPoint] {
        let text = try InputFile.text(of: path)
        if GeoreferenceAnnotation.isMarked(text) {
            return try GeoreferenceAnnotation(parsing: text, path: path, width: width, height: height).points
        }
        let isOfQGIS = path.lowercased().hasSuffix(".points") || QGISPointsTable.isMarked(text)
        return isOfQGIS
            ? try QGISPoints(parsing: text, path: path, crs: crs, width: width, height: height).points
            : try ControlPointTable(parsing: text, path: path, crs: crs).points
    }
}
