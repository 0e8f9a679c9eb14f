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

    /// The code with placeholders: for a tileset, for a camera, and for a building.
    var templates: (tileset: EmbeddedFile, camera: EmbeddedFile, building: EmbeddedFile) {
        switch self {
        case .iosSwift: (google_ios_swift, camera_google_ios_swift, building_google_ios_swift)
        case .iosObjC: (google_ios_m, camera_google_ios_m, building_google_ios_m)
        case .androidKotlin: (google_android_kt, camera_google_android_kt, building_google_android_kt)
        case .googleJS: (google_js, camera_google_js, building_google_js)
        case .mapkitSwift: (mapkit_swift, camera_mapkit_swift, building_mapkit_swift)
        case .leaflet: (leaflet_js, camera_leaflet_js, building_leaflet_js)
        case .maplibre: (maplibre_js, camera_maplibre_js, building_maplibre_js)
        case .openlayers: (openlayers_js, camera_openlayers_js, building_openlayers_js)
        }
    }

    /// The parts that the code for tilesets and for buildings shares, as values of their placeholders.
    ///
    /// - Parameter values: the values that the parts need.
    func parts(_ values: SourceTemplate.Values) -> SourceTemplate.Values {
        func part(_ file: EmbeddedFile) -> [String] { SourceTemplate(file).lines(values) }
        return switch self {
        case .iosSwift: ["ENLARGING": SourceTemplate.members(enlarging: true, values)]
        // MapKit needs a file, not a picture.
        case .mapkitSwift:
            [
                "ENLARGING": SourceTemplate.members(
                    enlarging: true, file: true, distance: true, rect: true, values)
            ]
        case .iosObjC: ["ENLARGING": part(enlarging_m)]
        case .androidKotlin: ["ENLARGING": part(enlarging_kt)]
        case .googleJS: ["ENLARGING": part(enlarging_js)]
        case .maplibre: ["TARGET_LIMIT": part(target_maplibre_js)]
        case .leaflet, .openlayers: [:]
        }
    }
}

extension SourceTemplate {
    /// The members that types in Swift share: some of those in the template, each a function.
    static func members(
        enlarging: Bool = false, file: Bool = false, distance: Bool = false, rect: Bool = false,
        _ values: Values
    ) -> [String] {
        let wanted = ["ENLARGED": enlarging, "FILE": file, "DISTANCE": distance, "RECT": rect]
        return SourceTemplate(members_swift).lines(
            values.merging(wanted.mapValues { $0 ? ["1"] : [] }) { $1 })
    }
}
