internal import CPublishing
import Platform

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
    /// A style as JSON, for MapLibre Native and libraries that use it.
    case maplibreStyle = "maplibre-style"
    /// flutter_map, in Dart.
    case flutterMap = "flutter-map"
    /// react-native-maps, in JSX.
    case reactNativeMaps = "react-native-maps"

    /// The programming language of the client's code.
    var language: SnippetLanguage {
        switch self {
        case .iosSwift, .mapkitSwift: .swift
        case .iosObjC: .objectiveC
        case .androidKotlin: .kotlin
        case .googleJS, .leaflet, .maplibre, .openlayers, .reactNativeMaps: .javaScript
        case .maplibreStyle: .json
        case .flutterMap: .dart
        }
    }

    /// Whether the client reads PMTiles archives: by itself, or by the library.
    package var readsPMTiles: Bool {
        switch self {
        case .iosObjC, .flutterMap, .reactNativeMaps: false
        default: true
        }
    }

    /// Whether the client reads MBTiles inside an app.
    package var readsMBTilesInApps: Bool { [.iosSwift, .mapkitSwift, .androidKotlin].contains(self) }

    /// Whether there is code for tiles inside an app.
    package var hasLocal: Bool { self != .iosObjC && self != .reactNativeMaps }

    /// Whether there is code for all floors of a building.
    package var hasBuildings: Bool { ![.maplibreStyle, .flutterMap, .reactNativeMaps].contains(self) }

    /// Whether there is code for a camera.
    package var hasCamera: Bool { hasBuildings }

    /// Whether the code can be a whole page.
    package var hasPages: Bool { language == .javaScript && hasBuildings }

    /// The file that the code imports.
    ///
    /// - Throws: `.usage` if it needs none.
    package func library() throws -> String {
        switch language {
        case .kotlin: return tilewright_tiles_kt.text
        case .javaScript where hasPages: return tilewright_tiles_js.text
        case .swift:
            throw Failure(
                .usage, "the code for \(rawValue) needs no file, but a package",
                remedy: "add the product TilewrightTiles of tilewright's package to the app")
        default:
            throw Failure(
                .usage, "the code for \(rawValue) needs no other file", remedy: "leave --library out")
        }
    }

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
        case .maplibreStyle: (maplibre_style_json, maplibre_style_json)
        case .flutterMap: (flutter_dart, flutter_dart)
        case .reactNativeMaps: (react_native_jsx, react_native_jsx)
        }
    }

    /// A whole page with code for a tileset or a building.
    package func page(_ code: String, title: String) -> String {
        let needsLibrary = code.contains("TileArchive") || code.contains("FloorPicker")
        var values: SourceTemplate.Values = [
            "LANGUAGE": ["en"], "HEADING": [Page.escaped(title)], "LIBRARY": Self.elements(pageLibrary),
            "LIBRARY_CODE": needsLibrary ? [String(TileModule.script.dropLast())] : [],
            "CODE": [String(code.dropLast())],
        ]
        switch self {
        case .leaflet: values.merge(["LEAFLET": ["1"], "LIBRARY": MapLibrary.hosted.elements]) { $1 }
        case .maplibre: values["MAPLIBRE"] = ["1"]
        case .openlayers: values["OPENLAYERS"] = ["1"]
        default: values["GOOGLE"] = ["1"]
        }
        if code.contains("pmtiles.Protocol") {
            values["LIBRARY"]? += Self.elements([("https://unpkg.com/pmtiles@4.3.0/dist/pmtiles.js", nil)])
        }
        return SourceTemplate(snippet_page_html).filled(values)
    }

    /// The files of a client on a public host, with their hashes; nil for a file that cannot have one.
    private var pageLibrary: [(url: String, hash: String?)] {
        switch self {
        case .maplibre:
            [
                (
                    "https://unpkg.com/maplibre-gl@5.3.0/dist/maplibre-gl.css",
                    "sha384-Nq6PQ+9vJPvw7U/VfDELyrWoGQMsy0gi6QShhaSrGzkpF5KkM40csg2leky+YMTd"
                ),
                (
                    "https://unpkg.com/maplibre-gl@5.3.0/dist/maplibre-gl.js",
                    "sha384-lwoweBvLd/SJV/pFn4C9Dj9MR+0hltVUArfmLy5PPNG2vOnTCmy+w+gxbO/wzFgH"
                ),
            ]
        case .openlayers:
            [
                (
                    "https://cdnjs.cloudflare.com/ajax/libs/openlayers/10.6.1/dist/ol.min.css",
                    "sha512-oVyisN6T8O7H9DnBc1w/IipxzLhNvJERKa0Rx9fKEtaodE7UXQAypIHamYzQPAqVxp0pVl25e4spVQWIVfu6eA=="
                ),
                (
                    "https://cdnjs.cloudflare.com/ajax/libs/openlayers/10.6.1/dist/ol.min.js",
                    "sha512-NEUbbO7KI1OYn+IHcF70vm3ON0obczJz9PJFwxHkfPCsT14UqDD4roG7rF5WpwkXRTPvysFb6Wvw/Tjh5tfv8g=="
                ),
            ]
        case .googleJS: [("https://maps.googleapis.com/maps/api/js?key=YOUR_API_KEY", nil)]
        default: []
        }
    }

    private static func elements(_ files: [(url: String, hash: String?)]) -> [String] {
        files.map { url, hash in
            let check = hash.map { " integrity=\"\($0)\" crossorigin=\"\"" } ?? ""
            return url.hasSuffix(".css")
                ? "<link rel=\"stylesheet\" href=\"\(url)\"\(check)>"
                : "<script src=\"\(url)\"\(check)></script>"
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
        case .iosSwift:
            [
                "LAYER": SourceTemplate(layer_google_ios_swift).lines(
                    values.merging(
                        ["LAYER": [values["LOCAL"] == nil ? "GMSTileLayer" : "GMSSyncTileLayer"]]) { $1 })
            ]
        case .mapkitSwift: ["DISTANCE": part(members_swift, "DISTANCE")]
        case .maplibre: ["TARGET_LIMIT": part(target_maplibre_js)]
        default: [:]
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
