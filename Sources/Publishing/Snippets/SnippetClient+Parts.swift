extension SnippetClient {
    /// The parts of the code that templates share, as values of their placeholders.
    ///
    /// - Parameter values: those that the parts need.
    func parts(_ values: SourceTemplate.Values) -> SourceTemplate.Values {
        func part(_ bytes: [UInt8]) -> [String] { SourceTemplate(bytes).lines(values) }
        switch self {
        case .iosSwift:
            return ["ENLARGING": Self.enlargingSwift(asFile: false, values)]
        case .mapkitSwift:
            return [
                "ENLARGING": Self.enlargingSwift(asFile: true, values),
                "DISTANCE": part(PackageResources.distance_swift),
            ]
        case .iosObjC: return ["ENLARGING": part(PackageResources.enlarging_m)]
        case .androidKotlin: return ["ENLARGING": part(PackageResources.enlarging_kt)]
        case .googleJS: return ["ENLARGING": part(PackageResources.enlarging_js)]
        case .maplibre: return ["TARGET_LIMIT": part(PackageResources.target_maplibre_js)]
        case .leaflet, .openlayers: return [:]
        }
    }

    /// - Parameter asFile: whether the map wants a file, and not a picture.
    private static func enlargingSwift(
        asFile: Bool, _ values: SourceTemplate.Values
    ) -> [String] {
        SourceTemplate(PackageResources.enlarging_swift)
            .lines(values.merging(["FILE": asFile ? ["1"] : []]) { $1 })
    }
}
