import Platform
import Publishing
import Tiling

// The last step: one file for colleagues.

/// The page to write, as the page of the last step asks for it.
package struct SharingChange: Decodable, Sendable {
    /// The zooms of the tiles, such as `15-19`; nil for all.
    let zoom: String?
    let maxBytes: Int?
    /// Whether the page shows the map of OpenStreetMap, which needs a network.
    let basemap: Bool?
}

/// The result of a try to write a page.
package enum SharingOutcome: Sendable {
    /// The name of the file that was written, as JSON.
    case written(String)
    /// It would be too large, as JSON: why, and the zooms that would fit.
    case tooLarge(String)
}

extension PlanProject {
    private struct Written: Encodable {
        let file: String
        let bytes: Int
    }

    private struct TooLarge: Encodable {
        let text: String
        let zoom: String?
        let bytes: Int?
    }

    /// The page that is shared.
    package var sharedPage: String { manifest.splitExtension.stem + ".html" }

    /// The bytes of the page that was written; nil if there is none.
    package func sharedBytes() throws -> [UInt8]? {
        try WholeFile.found(sharedPage, atMost: SharedPageRequest.largestMaxBytes)
    }

    /// Writes the page with all floors.
    ///
    /// - Parameter assets: a folder with Leaflet; nil for the system's.
    /// - Throws: a `Failure` if nothing is built yet, or if the page cannot be written.
    package func share(_ change: SharingChange, assets: String?) throws -> SharingOutcome {
        var request = SharedPageRequest([manifest])
        request.zooms = try change.zoom.map { try ZoomRange(parsing: $0) } ?? ZoomRange()
        request.maxBytes = change.maxBytes ?? request.maxBytes
        request.background = change.basemap == true ? .openStreetMap : .none
        request.assets = assets
        switch try SharedPage.fitting(request) {
        case .success(let page):
            try PageFile.write(page.bytes, as: .shared, to: sharedPage, isTyped: false, force: false)
            return .written(try Self.json(Written(file: sharedPage.fileName, bytes: page.bytes.count)))
        case .failure(let size):
            return .tooLarge(
                try Self.json(TooLarge(text: size.failure.line, zoom: size.zooms, bytes: size.bytes)))
        }
    }
}
