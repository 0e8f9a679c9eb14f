internal import CPublishing

extension SnippetClient {
    /// The parts of the code that templates share, as values of their placeholders.
    ///
    /// - Parameter values: those that the parts need.
    func parts(_ values: SourceTemplate.Values) -> SourceTemplate.Values {
        func part(_ file: EmbeddedFile) -> [String] { SourceTemplate(file).lines(values) }
        switch self {
        case .iosSwift:
            return ["ENLARGING": Self.enlargingSwift(asFile: false, values)]
        case .mapkitSwift:
            return [
                "ENLARGING": Self.enlargingSwift(asFile: true, values),
                "DISTANCE": part(distance_swift),
            ]
        case .iosObjC: return ["ENLARGING": part(enlarging_m)]
        case .androidKotlin: return ["ENLARGING": part(enlarging_kt)]
        case .googleJS: return ["ENLARGING": part(enlarging_js)]
        case .maplibre: return ["TARGET_LIMIT": part(target_maplibre_js)]
        case .leaflet, .openlayers: return [:]
        }
    }

    /// - Parameter asFile: whether the map wants a file, and not a picture.
    private static func enlargingSwift(
        asFile: Bool, _ values: SourceTemplate.Values
    ) -> [String] {
        SourceTemplate(enlarging_swift)
            .lines(values.merging(["FILE": asFile ? ["1"] : []]) { $1 })
    }
}
