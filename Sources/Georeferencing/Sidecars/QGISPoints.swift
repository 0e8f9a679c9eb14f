import Platform
import Tiling

/// The control points of a `.points` file of the QGIS Georeferencer.
package struct QGISPoints: Hashable, Sendable {
    /// All points in the order of the file, including disabled ones.
    package let points: [ControlPoint]
    /// Columns and rows of the image that the points were set on, such as `1936x1474`; nil if the file does
    /// not state them.
    package let imageSize: String?
    /// The scale of the rigid transform that the file asks for; nil if it names no transform.
    package let kept: KeptScale?

    /// Reads the text of a file from any version of QGIS. The CRS may be in a `#CRS:` line or in each row;
    /// without either, it is WGS 84. The header may be new, old or missing; the separators are commas or
    /// tabs. Columns `transform`, `scale` and `bearing`, which QGIS ignores, may ask for a rigid transform.
    ///
    /// - Throws: a `Failure` of kind `badInput` that names the file and the line.
    package init(
        parsing text: String, path: String, crs: CRS?, width: Int, height: Int
    ) throws {
        (points, imageSize, kept) = try ControlPointFile.naming(path) {
            let table = try QGISPointsTable(parsing: text)
            try QGISPoints.checkPixels(of: table, width: width, height: height)
            return (
                try QGISPoints.located(table, crs: crs), table.rows.lazy.compactMap(\.imageSize).first,
                try QGISPoints.kept(by: table)
            )
        }
    }

    /// The file that QGIS saves next to an image; nil if there is none.
    ///
    /// - Parameter page: the page of the image's file, counted from 1. A later page may have its own file,
    ///   which QGIS does not know about.
    /// - Throws: `.missingInput` if it is not a regular file.
    package static func find(nextTo image: String, page: Int = 1) throws -> String? {
        let own = page == 1 ? [] : [path(nextTo: image, page: page)]
        return try InputFile.first(of: own + ["\(image).points", "\(image.splitExtension.stem).points"])
    }

    /// The name of the file of a page: `plan.tif.points`, `plan.tif.page2.points`.
    package static func path(nextTo image: String, page: Int) -> String {
        page == 1 ? "\(image).points" : "\(image).page\(page).points"
    }

    /// Rows of the image are negative in these files. If the image was already georeferenced when its points
    /// were set, QGIS writes map coordinates instead of pixels.
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
            "its sourceX and sourceY are outside this image of \(width) x \(height) pixels "
                + "(rows are negative in this format)",
            remedy: (areFar ? "" : "if you typed its rows, write them with a minus sign; ")
                + "if the image was already georeferenced, QGIS wrote map coordinates: "
                + "set the points again on a copy of the image without world file or tags")
    }

    /// The rigid transform that the rows name, which has to be the same in all of them.
    private static func kept(by table: QGISPointsTable) throws -> KeptScale? {
        guard let first = table.rows.first?.keeping else { return nil }
        if let other = table.rows.first(where: { $0.keeping != first }) {
            throw Failure(
                .badInput,
                "line \(other.line) names another transform, scale or bearing than the line before",
                remedy: "write the same into all rows, or leave the columns out")
        }
        if first == QGISPointsTable.Keeping() { return nil }
        guard first.transform == TransformModel.rigid.rawValue else {
            throw Failure(
                .badInput,
                "its transform '\((first.transform ?? "").excerpt())' is not one that a file of "
                    + "points can name", remedy: "write 'rigid', or leave the column out")
        }
        guard let scale = first.scale.flatMap({ Double($0) }), scale > 0, scale.isFinite else {
            throw Failure(
                .badInput,
                "its scale '\((first.scale ?? "").excerpt())' is not the edge of a pixel in metres",
                remedy: "write a number, such as 0.02")
        }
        let bearing = first.bearing.map { Double($0) ?? .nan }
        guard bearing?.isFinite != false else {
            throw Failure(.badInput, "its bearing '\((first.bearing ?? "").excerpt())' is not a number")
        }
        return KeptScale(metresPerPixel: scale, bearing: bearing)
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

/// The rows of a `.points` file, unconverted.
struct QGISPointsTable {
    /// A line that holds a point.
    struct Row {
        /// The number of the line, from 1.
        var line: Int
        /// The point in the file's CRS.
        var map: Point
        /// The point on the image: pixels right of the left edge, negative pixels below the top.
        var source: Point
        /// Whether the point takes part in fits.
        var isEnabled: Bool
        /// The CRS in the row's own column.
        var crs: String?
        /// The point's name, in a column that QGIS does not write.
        var name: String?
        /// Columns and rows of the image that the point was set on, in such a column.
        var imageSize: String?
        /// The transform, in such columns.
        var keeping = Keeping()
    }

    /// The transform that a row names, as text.
    struct Keeping: Equatable {
        var transform: String?
        var scale: String?
        var bearing: String?
    }

    /// The CRS of the line that begins with `#CRS:`.
    private(set) var crs: String?
    /// The points.
    private(set) var rows: [Row] = []

    private var columns = Columns()

    /// Reads a file's text.
    init(parsing text: String) throws {
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (index, line) in lines.enumerated() {
            let line = line.drop(while: \.isWhitespace)
            if line.isEmpty { continue }
            if line.hasPrefix("#") {
                readComment(line)
            } else if let header = Columns(header: line) {
                columns = header
            } else {
                rows.append(try columns.row(line, number: index + 1))
            }
        }
    }

    /// Whether a text has a QGIS header, or a line with the CRS.
    static func isMarked(_ text: String) -> Bool {
        text.split(whereSeparator: \.isNewline).contains { line in
            let line = line.drop(while: \.isWhitespace)
            return line.uppercased().hasPrefix(Self.label) || Columns(header: line) != nil
        }
    }

    private static let label = "#CRS:"

    private mutating func readComment(_ line: Substring) {
        guard line.uppercased().hasPrefix(Self.label) else { return }
        let definition = line.dropFirst(Self.label.count).drop(while: \.isWhitespace)
        if !definition.isEmpty { crs = String(definition) }
    }
}

/// The columns of a row; without a header, in the order of all versions so far.
private struct Columns {
    private var mapX = 0
    private var mapY = 1
    private var sourceX = 2
    private var sourceY = 3
    private var enable: Int? = 4
    private var crs: Int? = 8
    private var name: Int?
    private var imageSize: Int?
    private var (transform, scale, bearing): (Int?, Int?, Int?)

    init() {}

    /// The maximum number of columns; no version has as many.
    private static let most = 64

    /// Reads a header; nil if the line is not one.
    init?(header line: Substring) {
        let names = Columns.fields(of: line, atMost: Columns.most).map { $0.lowercased() }
        guard
            let mapX = names.firstIndex(of: "mapx"), let mapY = names.firstIndex(of: "mapy"),
            let sourceX = names.firstIndex(where: { $0 == "sourcex" || $0 == "pixelx" }),
            let sourceY = names.firstIndex(where: { $0 == "sourcey" || $0 == "pixely" })
        else { return nil }
        (self.mapX, self.mapY, self.sourceX, self.sourceY) = (mapX, mapY, sourceX, sourceY)
        enable = names.firstIndex(of: "enable")
        name = names.firstIndex(of: "name")
        imageSize = names.firstIndex(of: "imagesize")
        transform = names.firstIndex(of: "transform")
        // Without a transform, these columns are another program's.
        scale = transform == nil ? nil : names.firstIndex(of: "scale")
        bearing = transform == nil ? nil : names.firstIndex(of: "bearing")
        // Rows may end with a CRS that the header does not name, unless it names other columns there.
        let isRest = name == nil && imageSize == nil && names.dropFirst(8).allSatisfy(\.isEmpty)
        crs = names.firstIndex(of: "crs") ?? (isRest ? crs : nil)
    }

    /// Reads a row. As WKT contains commas, the CRS is the whole rest of the line.
    func row(_ line: Substring, number: Int) throws -> QGISPointsTable.Row {
        let fields = Columns.fields(of: line, atMost: crs ?? Columns.most)
        func value(_ column: Int) throws -> Double {
            guard column < fields.count else {
                throw Failure(
                    .badInput, "line \(number) has \(fields.count) values instead of four or more")
            }
            guard let value = Double(fields[column]), value.isFinite else {
                throw Failure(
                    .badInput, "line \(number): '\(fields[column].shortened)' is not a number")
            }
            return value
        }
        func text(_ column: Int?) -> String? {
            guard let column, column < fields.count, !fields[column].isEmpty else { return nil }
            return fields[column]
        }
        return QGISPointsTable.Row(
            line: number, map: Point(x: try value(mapX), y: try value(mapY)),
            source: Point(x: try value(sourceX), y: try value(sourceY)),
            isEnabled: try enable.map { $0 >= fields.count ? true : try value($0) != 0 } ?? true,
            crs: text(crs), name: text(name), imageSize: text(imageSize),
            keeping: QGISPointsTable.Keeping(
                transform: text(transform), scale: text(scale), bearing: text(bearing)))
    }

    /// The values of a line without white space and quotes around them. The oldest files have tabs.
    private static func fields(of line: Substring, atMost count: Int) -> [String] {
        line.split(
            separator: line.contains("\t") ? "\t" : ",", maxSplits: count,
            omittingEmptySubsequences: false
        ).map { field in
            field.trimmed { $0.isWhitespace || $0 == "\"" }.replacing("\"\"", with: "\"")
        }
    }
}
