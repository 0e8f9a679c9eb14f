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
    ///
    /// - Parameters:
    ///   - hasModule: whether the code needs the module.
    ///   - readsPMTiles: whether MapLibre reads an archive.
    func page(_ code: String, title: String, hasModule: Bool, readsPMTiles: Bool = false) -> String {
        var values: SourceTemplate.Values = [
            "HEADING": [Page.escaped(title)], "LEAFLET": [], "PMTILES": readsPMTiles ? ["1"] : [],
            "MODULE": hasModule ? [String(TileModule.script.dropLast())] : [],
            "CODE": [String(code.dropLast())],
        ]
        let block = rawValue.uppercased().replacing("-", with: "_")
        values[block] = self == .leaflet ? MapLibrary.hosted.elements : ["1"]
        return SourceTemplate(snippet_page_html).filled(values)
    }

    /// The import of types of the module, for code outside a page.
    func moduleImport(_ types: String) -> [String] {
        [
            "",
            "// The module comes from the command: tilewright snippet --library --for \(rawValue) "
                + "> tilewright-tiles.js",
            "import { \(types) } from \"./tilewright-tiles.js\";",
        ]
    }
}

/// Source text with placeholders. They are identifiers such as `__LIMITS__`, so that editors can show
/// the text as code. The block between `// __IF_NAME__` and `// __END_NAME__` is left out if NAME has no
/// lines, and `// __PART_NAME__` stands for a text that several templates have.
struct SourceTemplate: Sendable {
    /// The lines for each placeholder. Without lines, the placeholder's line is left out.
    typealias Values = [String: [String]]

    private static let parts: [Substring: EmbeddedFile] = [
        "ARCHIVE_JS": archive_js, "ARCHIVE_SWIFT": archive_swift, "BUILDING_JS": building_js,
        "BUILDING_SWIFT": building_swift, "CAMERA_M": camera_google_ios_m, "DISTANCE_SWIFT": distance_swift,
        "LAYER_GOOGLE_JS": layer_google_js, "LAYER_LEAFLET_JS": layer_leaflet_js,
        "LAYER_SWIFT": layer_google_ios_swift, "LOAD_OPENLAYERS_JS": load_openlayers_js,
        "TARGET_MAPLIBRE_JS": target_maplibre_js,
    ]

    private let lines: [Substring]

    /// Uses a text.
    init(_ text: String) {
        lines = text.split(separator: "\n", omittingEmptySubsequences: false).flatMap(Self.included)
    }

    /// Uses the text of a file.
    init(_ file: EmbeddedFile) { self.init(file.text) }

    /// The lines of the part that a line stands for, as far to the right; other lines are as they are.
    private static func included(_ line: Substring) -> [Substring] {
        guard line.contains("__PART_"), let name = line.firstMatch(of: /__PART_([A-Z_]+?)__/)?.1 else {
            return [line]
        }
        guard let part = parts[name] else { preconditionFailure("there is no part \(name)") }
        let indent = line.prefix { $0 == " " }
        return SourceTemplate(part).lines.dropLast().map { $0.isEmpty ? $0 : indent + $0 }
    }

    /// The text with all placeholders filled in. Placeholders in the values are not filled in.
    ///
    /// A placeholder that is alone on a line, except for comment marks before it and a comma after it,
    /// may have any number of lines; elsewhere it must have one, or none.
    func filled(_ values: Values) -> String { filledLines(values).joined(separator: "\n") }

    /// The text in lines, with all placeholders filled in: for a place in another template.
    func lines(_ values: Values) -> [String] { filledLines(values).dropLast() }

    private func filledLines(_ values: Values) -> [String] {
        // The number of blocks around a line that are left out.
        var unwanted = 0
        return lines.flatMap { line -> [String] in
            guard line.contains("__"), let mark = line.firstMatch(of: /__(IF|END)_([A-Z_]+?)__/) else {
                return unwanted == 0 ? Self.filled(line, values) : []
            }
            if mark.1 == "END" {
                unwanted = max(0, unwanted - 1)
            } else if unwanted > 0 || values[String(mark.2), default: []].isEmpty {
                unwanted += 1
            }
            return []
        }
    }

    private static func filled(_ line: Substring, _ values: Values) -> [String] {
        guard line.contains("__") else { return [String(line)] }
        if let (_, before, name, after) = line.wholeMatch(of: /([ \/*]*)__([A-Z_]+?)__(,?)/)?.output {
            let isIndent = before.allSatisfy { $0 == " " }
            let lines = value(of: name, values).map { $0.isEmpty && isIndent ? "" : before + $0 }
            return lines.dropLast() + lines.suffix(1).map { $0 + after }
        }
        var isLeftOut = false
        let text = line.replacing(/__([A-Z_]+?)__/) { mark in
            let lines = value(of: mark.1, values)
            precondition(lines.count < 2, "one line fits in the place of \(mark.1)")
            if lines.isEmpty { isLeftOut = true }
            return lines.first ?? ""
        }
        return isLeftOut ? [] : [String(text)]
    }

    private static func value(of name: Substring, _ values: Values) -> [String] {
        guard let value = values[String(name)] else {
            preconditionFailure("the template has the unknown placeholder \(name)")
        }
        return value
    }
}
