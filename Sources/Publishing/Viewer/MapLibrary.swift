internal import CPublishing

/// The map library of a page, Leaflet: from the web, or a copy in the page.
package enum MapLibrary: Hashable, Sendable {
    /// From a public host, pinned by version and hash.
    case hosted
    /// The contents of `leaflet.js` and `leaflet.css`, for use without a network.
    case embedded(script: String, style: String)

    /// The elements of the page's head.
    var elements: [String] {
        switch self {
        case .hosted: Self.hostedElements
        case .embedded(let script, let style):
            // A browser ends the element at the first of these words, wherever it is.
            [
                "<style>", style.replacing("</style", with: "<\\/style"), "</style>",
                // A copy must contain its licence, of which Leaflet's own files have only the first lines.
                "<script>", leaflet_license_txt.text,
                script.replacing("</script", with: "<\\/script")
                    .replacing("<!--", with: "<\\!--"),
                "</script>",
            ]
        }
    }

    /// Version and hashes from https://leafletjs.com/download.html.
    private static let hostedElements = [
        #"<link rel="stylesheet" href="https://unpkg.com/leaflet@1.9.4/dist/leaflet.css""#,
        #"  integrity="sha256-p4NxAoJBhIIN+hmNHrzRCf9tD/miZyoHS5obTRR9BMY=" crossorigin="">"#,
        #"<script src="https://unpkg.com/leaflet@1.9.4/dist/leaflet.js""#,
        #"  integrity="sha256-20nQCchB9co0qIjJZRGuk2/Z9VM+kNiyxNV1lvTlZBo=" crossorigin=""></script>"#,
    ]
}
