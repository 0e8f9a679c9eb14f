import Tiling

/// Compares the `metadata` table of an MBTiles file with the specification, and with its tiles.
struct MBTilesMetadataCheck {
    private static let formats = ["png", "jpg", "webp"]

    /// What the file says of itself.
    let rows: [MetadataRow]

    /// Checks all of it.
    ///
    /// - Parameters:
    ///   - tileCount: the number of tiles that are there.
    ///   - zooms: those at which there are tiles.
    func run(tileCount: Int, zooms: Set<Int>, _ report: (TilesetFault) -> Void) {
        for name in ["name", "format"] where value(name) == nil {
            fault(name, "is missing", report)
        }
        if let format = value("format"), !Self.formats.contains(format) {
            fault("format", "is '\(format)', not png, jpg or webp", report)
        }
        compare("minzoom", with: zooms.min(), report)
        compare("maxzoom", with: zooms.max(), report)
        compare("tileCount", with: tileCount, report)
        if let bounds = value("bounds"), !Self.areBounds(bounds) {
            fault("bounds", "are '\(bounds)': no west, south, east, north around an area", report)
        }
        if let center = value("center"), Self.numbers(center)?.count != 3 {
            fault("center", "is '\(center)': not longitude, latitude, zoom", report)
        }
    }

    private func value(_ name: String) -> String? { rows.last { $0.name == name }?.value }

    private func fault(_ name: String, _ problem: String, _ report: (TilesetFault) -> Void) {
        report(TilesetFault("metadata '\(name)'", problem))
    }

    private func compare(
        _ name: String, with actual: Int?, _ report: (TilesetFault) -> Void
    ) {
        guard let value = value(name), let actual, Int(value) != actual else { return }
        fault(name, "is '\(value)', and the tiles say \(actual)", report)
    }

    private static func areBounds(_ text: String) -> Bool {
        guard let edges = numbers(text), edges.count == 4 else { return false }
        return edges[0] < edges[2] && edges[1] < edges[3]
    }

    /// Numbers between commas, or nil if one of them is not a number.
    private static func numbers(_ list: String) -> [Double]? {
        let parts = list.split(separator: ",", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { part in
            Double(part.filter { $0 != " " }).flatMap { $0.isFinite ? $0 : nil }
        }
        return numbers.count == parts.count ? numbers : nil
    }
}
