import Platform
import Tiling

/// The control points of a `.points` file of the QGIS Georeferencer.
package struct QGISPoints: Hashable, Sendable {
    /// All points in the order of the file, also those that are switched off.
    package let points: [ControlPoint]
    /// Columns and rows of the image that the points were set on, as `1936x1474`, if the file says so.
    package let imageSize: String?

    /// Reads the text of a file, as any version of QGIS writes it: with a `#CRS:` line or a CRS per
    /// row or neither, which means WGS 84; with a new, an old or no header; with commas or tabs.
    ///
    /// - Throws: a `Failure` of kind `badInput` that names the file and the line.
    package init(
        parsing text: String, path: String, crs: CRS?, width: Int, height: Int
    ) throws {
        do {
            let table = try QGISPointsTable(parsing: text)
            try QGISPoints.checkPixels(of: table, width: width, height: height)
            points = try QGISPoints.located(table, crs: crs)
            imageSize = table.rows.lazy.compactMap(\.imageSize).first
        } catch var failure as Failure {
            failure.kind = .badInput
            throw failure.inAttempt("use the control points '\(path)'")
        }
    }

    /// The file that QGIS leaves beside an image, or nil if there is none.
    ///
    /// - Parameter page: of the image's file, counted from 1. A later page may have a file of its own, which
    ///   QGIS does not know.
    /// - Throws: `.missingInput` if it is no regular file.
    package static func find(beside image: String, page: Int = 1) throws -> String? {
        let own = page == 1 ? [] : [path(beside: image, page: page)]
        return try InputFile.first(of: own + ["\(image).points", "\(image.splitExtension.stem).points"])
    }

    /// The name of the file of a page: `plan.tif.points`, `plan.tif.page2.points`.
    package static func path(beside image: String, page: Int) -> String {
        page == 1 ? "\(image).points" : "\(image).page\(page).points"
    }

    /// Rows of the image are negative in these files. If the image was already georeferenced when
    /// its points were taken, QGIS writes its map coordinates instead of pixels.
    private static func checkPixels(
        of table: QGISPointsTable, width: Int, height: Int
    ) throws {
        let sources = table.rows.filter(\.isEnabled).map(\.source)
        guard !sources.isEmpty else { return }
        let (w, h) = (Double(width), Double(height))
        let areFar = sources.contains { $0.x < -w || $0.x > 2 * w || -$0.y < -h || -$0.y > 2 * h }
        guard areFar || sources.allSatisfy({ $0.y > 0 }) else { return }
        throw Failure(
            .badInput,
            "its sourceX, sourceY are not pixels of this image of \(width) x \(height), "
                + "whose rows count negative downwards",
            remedy: (areFar ? "" : "if its rows were typed, write them with a minus sign; ")
                + "if the image was already georeferenced, QGIS wrote map coordinates: "
                + "take the points on the image without its world file or tags")
    }

    private static func located(_ table: QGISPointsTable, crs: CRS?) throws -> [ControlPoint] {
        var places: [String?: MapPlaces] = [:]
        return try table.rows.map { row in
            let definition = row.crs ?? table.crs
            let place =
                try places[definition]
                ?? MapPlaces(crs ?? definition.map { try CRS($0, failure: .badInput) } ?? .wgs84)
            places[definition] = place
            return ControlPoint(
                pixel: Point(x: row.source.x, y: -row.source.y),
                lonLat: try place.lonLat(of: row.map, line: row.line, isNeeded: row.isEnabled),
                name: row.name ?? "line \(row.line)", isEnabled: row.isEnabled)
        }
    }
}
