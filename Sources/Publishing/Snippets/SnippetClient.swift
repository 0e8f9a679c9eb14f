internal import CPublishing

/// A client of tiles for which code is provided.
public enum SnippetClient: String, CaseIterable, Sendable {
    /// Google Maps SDK for iOS, in Swift.
    case iosSwift = "ios-swift"
    /// Google Maps SDK for iOS, in Objective-C.
    case iosObjC = "ios-objc"
    /// Google Maps SDK for Android, in Kotlin.
    case androidKotlin = "android-kotlin"
    /// Google Maps JavaScript API.
    case googleJS = "google-js"
    /// MapKit, in Swift.
    case mapkitSwift = "mapkit-swift"
    /// Leaflet 1.
    case leaflet
    /// MapLibre GL JS.
    case maplibre
    /// OpenLayers.
    case openlayers

    /// The programming language of the client's code.
    var language: SnippetLanguage {
        switch self {
        case .iosSwift, .mapkitSwift: .swift
        case .iosObjC: .objectiveC
        case .androidKotlin: .kotlin
        case .googleJS, .leaflet, .maplibre, .openlayers: .javaScript
        }
    }

    /// Whether the client itself reads PMTiles archives.
    package var readsPMTiles: Bool { self == .maplibre }

    /// The code with placeholders: for a tileset (block `TILES`) or a camera (`CAMERA`), and for a building.
    var templates: (map: EmbeddedFile, building: EmbeddedFile) {
        switch self {
        case .iosSwift: (google_ios_swift, building_google_ios_swift)
        case .iosObjC: (google_ios_m, building_google_ios_m)
        case .androidKotlin: (google_android_kt, building_google_android_kt)
        case .googleJS: (google_js, building_google_js)
        case .mapkitSwift: (mapkit_swift, building_mapkit_swift)
        case .leaflet: (leaflet_js, building_leaflet_js)
        case .maplibre: (maplibre_js, building_maplibre_js)
        case .openlayers: (openlayers_js, building_openlayers_js)
        }
    }

    /// The parts that the code for tilesets and for buildings shares, as values of their placeholders.
    ///
    /// - Parameter values: the values that the parts need.
    func parts(_ values: SourceTemplate.Values) -> SourceTemplate.Values {
        func part(_ file: EmbeddedFile, _ blocks: String...) -> [String] {
            SourceTemplate(file).lines(values, with: blocks)
        }
        return switch self {
        case .iosSwift: ["ENLARGING": part(members_swift, "ENLARGED")]
        // MapKit needs a file, not a picture.
        case .mapkitSwift: ["ENLARGING": part(members_swift, "ENLARGED", "FILE", "DISTANCE", "RECT")]
        case .iosObjC: ["ENLARGING": part(enlarging_m)]
        case .androidKotlin: ["ENLARGING": part(enlarging_kt)]
        case .googleJS: ["ENLARGING": part(enlarging_js)]
        case .maplibre: ["TARGET_LIMIT": part(target_maplibre_js)]
        case .leaflet, .openlayers: [:]
        }
    }
}

/// Source text with placeholders. They are identifiers such as `__LIMITS__`, so that editors can show
/// the text as code. The block between `// __IF_NAME__` and `// __END_NAME__` is left out if NAME has no
/// lines, and `// __PART_NAME__` becomes the lines of NAME without the comment's mark.
struct SourceTemplate: Sendable {
    /// The lines for each placeholder. Without lines, the placeholder's line is left out.
    typealias Values = [String: [String]]

    private let text: String

    /// Uses a text.
    init(_ text: String) { self.text = text }

    /// Uses the text of a file.
    init(_ file: EmbeddedFile) { text = file.text }

    /// The text with all placeholders filled in. Placeholders in the values are not filled in.
    ///
    /// A placeholder that is alone on a line, except for comment marks before it and a comma after it,
    /// may have any number of lines; elsewhere it must have one.
    ///
    /// - Parameter blocks: blocks that are wanted in addition to those whose names have lines.
    func filled(_ values: Values, with blocks: [String] = []) -> String {
        let wanted = values.filter { !$1.isEmpty }.map(\.key) + blocks
        return Self.chosen(text.split(separator: "\n", omittingEmptySubsequences: false), Set(wanted))
            .flatMap { Self.lines($0, values) }.joined(separator: "\n")
    }

    /// The text in lines, with all placeholders filled in: for a place in another template.
    func lines(_ values: Values, with blocks: [String] = []) -> [String] {
        filled(values, with: blocks).split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            .map(String.init)
    }

    /// The lines without blocks that are left out, and without the lines that begin and end blocks.
    private static func chosen(_ lines: [Substring], _ wanted: Set<String>) -> [Substring] {
        var unwanted: Substring?
        return lines.filter { line in
            let mark = parts(of: line).first(where: \.isPlaceholder)?.text ?? ""
            if mark.hasPrefix("IF_") {
                let name = mark.dropFirst(3)
                if unwanted == nil, !wanted.contains(String(name)) { unwanted = name }
            } else if mark.hasPrefix("END_") {
                if unwanted == mark.dropFirst(4) { unwanted = nil }
            } else {
                return unwanted == nil
            }
            return false
        }
    }

    private static func lines(_ line: Substring, _ values: Values) -> [String] {
        let parts = parts(of: line)
        guard let index = parts.firstIndex(where: \.isPlaceholder) else { return [String(line)] }
        let before = parts[..<index].map(\.text).joined()
        let after = parts[(index + 1)...].map(\.text).joined()
        if parts[index].text.hasPrefix("PART_") {
            let indent = before.prefix { $0 == " " }
            return value(of: parts[index].text.dropFirst(5), values).map { $0.isEmpty ? "" : indent + $0 }
        }
        if before.allSatisfy({ " /*".contains($0) }), ["", ","].contains(after) {
            let isIndent = before.allSatisfy { $0 == " " }
            let lines = value(of: parts[index].text, values)
                .map { $0.isEmpty && isIndent ? "" : before + $0 }
            return lines.dropLast() + lines.suffix(1).map { $0 + after }
        }
        return [
            parts.map { part in
                guard part.isPlaceholder else { return String(part.text) }
                let lines = value(of: part.text, values)
                // Only one line fits here.
                precondition(lines.count == 1)
                return lines[0]
            }.joined()
        ]
    }

    private static func value(of name: Substring, _ values: Values) -> [String] {
        guard let value = values[String(name)] else {
            preconditionFailure("the template has the unknown placeholder \(name)")
        }
        return value
    }

    private typealias Part = (text: Substring, isPlaceholder: Bool)

    /// Divides a line into names of placeholders, without their underscores, and the text between them.
    private static func parts(of line: Substring) -> [Part] {
        var parts: [Part] = []
        var start = line.startIndex
        var rest = line
        while let mark = rest.firstRange(of: "__") {
            let name = rest[mark.upperBound...].prefix { $0 == "_" || ("A"..."Z").contains($0) }
            guard name.hasSuffix("__"), name.count > 2 else {
                rest = rest[mark.upperBound...]
                continue
            }
            parts.append((line[start..<mark.lowerBound], false))
            parts.append((name.dropLast(2), true))
            start = name.endIndex
            rest = rest[start...]
        }
        return parts + [(line[start...], false)]
    }
}
