import Foundation
import Testing

/// A page of `share` as a browser without a network shows it.
struct SeenPage {
    /// A floor that it shows.
    struct Floor {
        let name: String
        /// A tile's name, and its left, top and width in the picture.
        let tiles: [(name: String, left: Int, top: Int, width: Int)]
        /// The map's size; it begins at the picture's corner.
        let width: Int, height: Int
        /// Whether the view after printing was that before.
        let isRestored: Bool
    }

    /// What the browser says.
    let said: [String: Any]
    let floors: [Floor]
    private let folder: URL

    /// Looks at it; pictures and printed sheets of its floors, by number, are left in a folder.
    init(_ page: URL, to folder: URL, screenshots: String) throws {
        self.folder = folder
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        said = try Browser.act(
            "Viewer/share_page.py", on: page, [folder.path] + Browser.screenshots(screenshots))
        floors = try #require(said["floors"] as? [[String: Any]]).map { floor in
            Floor(
                name: try #require(floor["name"] as? String),
                tiles: try #require(floor["tiles"] as? [[Any]]).map {
                    (
                        try #require($0[0] as? String), try #require($0[1] as? Int),
                        try #require($0[2] as? Int), try #require($0[3] as? Int)
                    )
                }, width: try #require(floor["width"] as? Int), height: try #require(floor["height"] as? Int),
                isRestored: floor["isRestored"] as? Bool == true)
        }
        #expect(said["problems"] as? [String] == [])
        // It is opened, and asks for nothing else.
        #expect(Set(said["requests"] as? [String] ?? []) == [page.absoluteString])
    }

    /// The ratio of signal to noise, in decibels, of a floor's picture to the tiles that it shows.
    ///
    /// - Parameter tile: the path of a tile with a name.
    func ratio(_ index: Int, tile: (String) -> String) throws -> Double {
        let picture = try Picture(contentsOf: folder.appending(path: "\(index).png").path)
        let floor = floors[index]
        var sum = 0.0, count = 0.0
        for place in floor.tiles {
            let file = try Picture(contentsOf: tile(place.name))
            #expect(place.width == file.width)
            for row in 0..<file.height where (0..<floor.height).contains(place.top + row) {
                for column in 0..<file.width where (0..<floor.width).contains(place.left + column) {
                    let (seen, own) = (picture[place.left + column, place.top + row], file[column, row])
                    let alpha = Double(own.alpha) / 255
                    for (one, other) in [(seen.red, own.red), (seen.green, own.green), (seen.blue, own.blue)]
                    {
                        let difference = Double(one) - (Double(other) * alpha + 255 * (1 - alpha))
                        sum += difference * difference
                    }
                    count += 3
                }
            }
        }
        #expect(count > 100_000)
        return 10 * log10(255 * 255 / (sum / count + 1e-9))
    }
}
