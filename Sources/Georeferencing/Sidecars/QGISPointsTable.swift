import Platform
import Tiling

/// The rows of a `.points` file as they stand there.
struct QGISPointsTable {
    /// A line that holds a point.
    struct Row {
        /// The number of the line, from 1.
        var line: Int
        /// Where the point lies, in the file's CRS.
        var map: Point
        /// Where it lies on the image: pixels right of the left edge, negative pixels below the top.
        var source: Point
        /// Whether it takes part.
        var isEnabled: Bool
        /// The CRS in the row's own column.
        var crs: String?
        /// What the point is called, in a column that QGIS does not write.
        var name: String?
        /// Columns and rows of the image that the point was set on, likewise.
        var imageSize: String?
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

    /// Whether a text has a header of these files, or the line that names their CRS.
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

/// Which column of a row holds what; without a header, the order of all versions so far.
private struct Columns {
    private var mapX = 0
    private var mapY = 1
    private var sourceX = 2
    private var sourceY = 3
    private var enable: Int? = 4
    private var crs: Int? = 8
    private var name: Int?
    private var imageSize: Int?

    init() {}

    /// No version has as many columns.
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
        // Only a header that ends before it leaves room for one that it does not name.
        let isRest = name == nil && imageSize == nil && names.dropFirst(8).allSatisfy(\.isEmpty)
        crs = names.firstIndex(of: "crs") ?? (isRest ? crs : nil)
    }

    /// Reads a row. WKT has commas of its own, so the CRS is all the rest.
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
            crs: text(crs), name: text(name), imageSize: text(imageSize))
    }

    /// The values of a line without white space and quotes around them. The oldest files have tabs.
    private static func fields(of line: Substring, atMost count: Int) -> [String] {
        line.split(
            separator: line.contains("\t") ? "\t" : ",", maxSplits: count,
            omittingEmptySubsequences: false
        ).map { field in
            let isPadding = { (character: Character) in character.isWhitespace || character == "\""
            }
            let head = field.drop(while: isPadding)
            let padding = head.reversed().prefix(while: isPadding).count
            return String(head.dropLast(padding)).replacing("\"\"", with: "\"")
        }
    }
}
