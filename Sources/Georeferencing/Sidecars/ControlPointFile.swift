import Platform
import Tiling

/// A file of control points from QGIS or Allmaps, or a table of `COL,ROW,LON,LAT[,NAME]` such as Global
/// Mapper's `.gcp`.
package enum ControlPointFile {
    /// Reads a file. It is a QGIS file if it has that extension, a QGIS header or a `#CRS:` line.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - crs: the system of its map coordinates, which overrides the file's own.
    ///   - width: columns of the image.
    ///   - height: rows of the image.
    /// - Returns: all points in the order of the file, including disabled ones; and the scale, if the file asks
    ///   for a rigid transform.
    /// - Throws: a `Failure` that names the file; if the file is damaged, of kind `badInput` with the line.
    package static func points(
        of path: String, crs: CRS?, width: Int, height: Int
    ) throws -> (points: [ControlPoint], kept: KeptScale?) {
        let text = try InputFile.text(of: path)
        if GeoreferenceAnnotation.isMarked(text) {
            let annotation = try GeoreferenceAnnotation(
                parsing: text, path: path, width: width, height: height)
            return (annotation.points, nil)
        }
        guard path.lowercased().hasSuffix(".points") || QGISPointsTable.isMarked(text) else {
            return (try ControlPointTable(parsing: text, path: path, crs: crs).points, nil)
        }
        let file = try QGISPoints(parsing: text, path: path, crs: crs, width: width, height: height)
        return (file.points, file.kept)
    }

    /// Adds the file's name to failures about its points.
    static func naming<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
        do { return try body() } catch var failure as Failure {
            failure.kind = .badInput
            throw failure.inAttempt("use the control points '\(path)'")
        }
    }
}

/// Control points as a text table: a pixel, counted from the top-left corner, and its place.
package struct ControlPointTable {
    /// All points in the order of the file.
    package let points: [ControlPoint]

    /// Reads a text: one point per line, with values between commas, semicolons, tabs or spaces. A header may
    /// name the columns; without one they are `COL,ROW,LON,LAT[,NAME]`. Lines that begin with `#` are
    /// ignored.
    ///
    /// - Parameter crs: the system of the places; nil for degrees on WGS 84.
    /// - Throws: a `Failure` of kind `badInput` that names the file and the line.
    package init(parsing text: String, path: String, crs: CRS?) throws {
        points = try ControlPointFile.naming(path) {
            let places = try MapPlaces(crs ?? .wgs84)
            var columns: TableColumns?
            var points: [ControlPoint] = []
            let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            for (index, line) in lines.enumerated() {
                let fields = line.delimitedFields
                if fields.allSatisfy(\.isEmpty) || fields[0].hasPrefix("#") { continue }
                if columns == nil {
                    columns = try TableColumns(header: fields, line: index + 1)
                    if columns != nil { continue }
                }
                let known = columns ?? TableColumns()
                columns = known
                points.append(try known.point(fields, line: index + 1, places))
            }
            guard !points.isEmpty else {
                throw Failure(
                    .badInput, "it holds no points", remedy: "write COL,ROW,LON,LAT,NAME on each line")
            }
            return points
        }
    }
}

/// The columns of a table.
private struct TableColumns {
    private var column = 0
    private var row = 1
    private var longitude = 2
    private var latitude = 3
    private var name: Int? = 4

    /// The columns of a table without a header.
    init() {}

    /// Reads a header; nil if the line begins with numbers, as points do.
    init?(header fields: [String], line: Int) throws {
        let numbers = fields.prefix(4).compactMap(Double.init(inTable:))
        guard numbers.isEmpty else { return nil }
        let names = fields.map { $0.lowercased().filter { $0.isLetter } }
        func index(_ words: String...) -> Int? { names.firstIndex(where: words.contains) }
        func needed(_ index: Int?, _ name: String) throws -> Int {
            if let index { return index }
            throw Failure(
                .badInput, "line \(line): its header has no column '\(name)'",
                remedy: "name the columns col, row, lon, lat and name, or remove the header")
        }
        column = try needed(index("col", "column", "pixelx", "px", "pixel", "x"), "col")
        row = try needed(index("row", "pixely", "py", "line", "y"), "row")
        longitude = try needed(
            index("lon", "lng", "long", "longitude", "easting", "east", "mapx"), "lon")
        latitude = try needed(index("lat", "latitude", "northing", "north", "mapy"), "lat")
        name = index("name", "id", "label", "point")
    }

    func point(_ fields: [String], line: Int, _ places: MapPlaces) throws -> ControlPoint {
        func value(_ column: Int) throws -> Double {
            guard column < fields.count else {
                throw Failure(
                    .badInput, "line \(line) has \(fields.count) values, but a point needs four or more",
                    remedy: "write COL,ROW,LON,LAT,NAME")
            }
            guard let value = Double(inTable: fields[column]) else {
                throw Failure(
                    .badInput, "line \(line): '\(fields[column].shortened)' is not a number")
            }
            return value
        }
        let pixel = Point(x: try value(column), y: try value(row))
        let place = try places.lonLat(of: Point(x: try value(longitude), y: try value(latitude)), line: line)
        let title = name.flatMap { $0 < fields.count && !fields[$0].isEmpty ? fields[$0].oneLine : nil }
        return ControlPoint(pixel: pixel, lonLat: place, name: title ?? "line \(line)")
    }
}

extension Substring {
    /// The values of a line of a table, as spreadsheets write them (RFC 4180): a quoted value may contain the
    /// separator, and quotes in it are doubled.
    fileprivate var delimitedFields: [String] {
        var (fields, field) = ([String](), "")
        var (isQuoted, wasQuoted) = (false, false)
        let separator: Character? = ["\t", ";", ","].first { contains($0) }
        func isEnd(_ character: Character) -> Bool {
            separator.map { character == $0 } ?? character.isWhitespace
        }
        func close() {
            // Adjacent spaces separate only once.
            if separator != nil || wasQuoted || !field.isEmpty {
                fields.append(wasQuoted ? field : field.trimmed())
            }
            (field, wasQuoted) = ("", false)
        }
        for character in self {
            if character == "\"", isQuoted || field.trimmed().isEmpty || wasQuoted {
                // The second of two quotes reopens the value that the first one has ended.
                if !isQuoted { field = wasQuoted ? field + "\"" : "" }
                (isQuoted, wasQuoted) = (!isQuoted, true)
            } else if !isQuoted, isEnd(character) {
                close()
            } else if isQuoted || !wasQuoted {
                field.append(character)
            }
        }
        close()
        return fields
    }
}

extension Double {
    /// A number as spreadsheets write it, even with a decimal comma; nil for anything else.
    fileprivate init?(inTable text: String) {
        let number = text.contains(".") ? text : text.replacing(",", with: ".")
        guard let value = Double(number), value.isFinite else { return nil }
        self = value
    }
}

/// Converts map coordinates in a file's lines into longitudes and latitudes.
struct MapPlaces {
    private let crs: CRS
    private let conversion: CRSConversion

    init(_ crs: CRS) throws {
        self.crs = crs
        conversion = try CRSConversion(crs)
    }

    /// The place of a point.
    ///
    /// - Parameters:
    ///   - line: the number of its line.
    ///   - isNeeded: whether a point that is not a place is an error.
    /// - Throws: `.badInput` if the point is not a place, and must be one.
    func lonLat(of point: Point, line: Int, isNeeded: Bool = true) throws -> Point {
        var place = [point]
        conversion.lonLat(of: &place)
        guard place[0].isPlace || !isNeeded else {
            throw Failure.unclearSystem(
                "line \(line) is at \(point.x),\(point.y), which is not a place in \(crs.name)")
        }
        return place[0]
    }
}
