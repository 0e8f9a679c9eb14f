import Platform
import Tiling

/// A tile that does not exist, and which ones do.
struct MissingTile {
    private let address: String
    private let name: String
    private let limits: [TileRange]
    private let scheme: TileScheme

    /// - Parameters:
    ///   - address: as it was written, three numbers.
    ///   - name: the tileset's, or that of the first image.
    ///   - limits: the tiles that there may be.
    ///   - scheme: how the address counts rows.
    init(
        _ address: String, of name: String, limits: [TileRange], scheme: TileScheme = .xyz
    ) {
        (self.address, self.name) = (address, name)
        (self.limits, self.scheme) = (limits, scheme)
    }

    /// The error, with the zooms that there are, or the columns and rows of the zoom.
    var failure: Failure {
        Failure(.checkFailed, "there is no tile \(address) of '\(name)'", remedy: remedy)
    }

    private var remedy: String? {
        let zooms = limits.map(\.zoom)
        guard let first = zooms.min(), let last = zooms.max() else { return nil }
        let rectangles = limits.filter { address.hasPrefix("\($0.zoom)/") }.map(text)
        return rectangles.isEmpty
            ? "its zooms are \(first) to \(last)"
            : "its tiles lie in " + rectangles.joined(separator: " and in ")
    }

    private func text(_ limits: TileRange) -> String {
        let rows = [limits.rows.lowerBound, limits.rows.upperBound].map {
            TileCoordinate(zoom: limits.zoom, column: 0, row: $0).row(in: scheme)
        }.sorted()
        return "columns \(limits.columns.lowerBound) to \(limits.columns.upperBound), "
            + "rows \(rows[0]) to \(rows[1])"
    }
}
