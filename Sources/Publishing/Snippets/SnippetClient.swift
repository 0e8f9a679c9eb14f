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

    /// The language that the client is programmed in.
    var language: SnippetLanguage {
        switch self {
        case .iosSwift, .mapkitSwift: .swift
        case .iosObjC: .objectiveC
        case .androidKotlin: .kotlin
        case .googleJS, .leaflet, .maplibre, .openlayers: .javaScript
        }
    }

    /// Whether the client reads a PMTiles archive by itself.
    package var readsPMTiles: Bool { self == .maplibre }

    /// The code with placeholders, for an address of tiles or of an archive.
    func template(for address: ClientAddress) -> SourceTemplate {
        switch (self, address) {
        case (.iosSwift, _): SourceTemplate(google_ios_swift)
        case (.iosObjC, _): SourceTemplate(google_ios_m)
        case (.androidKotlin, _): SourceTemplate(google_android_kt)
        case (.googleJS, _): SourceTemplate(google_js)
        case (.mapkitSwift, _): SourceTemplate(mapkit_swift)
        case (.leaflet, _): SourceTemplate(leaflet_js)
        case (.maplibre, .archive): SourceTemplate(maplibre_pmtiles_js)
        case (.maplibre, _): SourceTemplate(maplibre_js)
        case (.openlayers, _): SourceTemplate(openlayers_js)
        }
    }
}
