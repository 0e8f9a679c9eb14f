import CommandSupport
import Platform

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Rows of text in columns.
enum TextTable {
    /// Columns as wide as their text, two spaces apart, without spaces at the ends of lines.
    ///
    /// - Parameters:
    ///   - rows: at least one row; all rows have the same number of cells.
    ///   - left: the columns that are aligned at the left. Numbers are aligned at the right.
    static func lines(_ rows: [[String]], left: Set<Int>) -> [String] {
        // The console escapes control characters; here, too, so that the widths are right.
        let rows = rows.map { $0.map(\.printable) }
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.reduce(0, max) }
        return rows.map { row in
            let cells = row.indices.map { column in
                left.contains(column)
                    ? row[column].aligned(left: widths[column])
                    : row[column].aligned(right: widths[column])
            }
            var line = Substring(cells.joined(separator: "  "))
            while line.last == " " { line.removeLast() }
            return String(line)
        }
    }
}

extension Console {
    /// Prints a report, for programs or for people.
    static func result(_ report: some Encodable, _ lines: [String], json: Bool) throws {
        if json { try result(json: report) } else { try result(lines: lines) }
    }

    /// Prints a report for programs on several lines, its members in the order of their names.
    static func result(json report: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try result(json: String(decoding: try encoder.encode(report), as: UTF8.self))
    }
}
