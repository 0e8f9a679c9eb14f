import Tilesets
import Tiling

extension ClientSnippet {
    /// A comment on what a tile's pixels mean to the client, and on the alternative for tiles of 512
    /// pixels.
    ///
    /// - Parameters:
    ///   - lowest: the lowest zoom.
    ///   - highest: the highest zoom.
    func sizeNote(_ lowest: Int, _ highest: Int) -> [String] {
        metadata.tileSize == 512 ? largeNote(lowest, highest) : smallNote
    }

    private var smallNote: [String] {
        switch client {
        case .iosSwift, .iosObjC:
            [
                "Pixels of a file, not points: on displays of double density a tile is drawn at 128",
                "points, in four times the number. Tiles of 512 pixels are better there.",
            ]
        case .androidKotlin:
            [
                "Pixels of a file; the map draws a tile at 256 dp. Tiles of 512 pixels are sharper",
                "on dense displays.",
            ]
        case .googleJS: ["Pixels of the page, which are those of the files."]
        case .mapkitSwift:
            [
                "Pixels of a file: on displays of double density a tile is drawn at 128 points.",
                "Tiles of 512 pixels are better there.",
            ]
        case .leaflet: ["Pixels of the page, which are those of the files."]
        case .maplibre: ["Pixels of the page, which are those of the files; 512 is the default."]
        case .openlayers: ["Pixels of the files per pixel of the page."]
        }
    }

    private func largeNote(_ lowest: Int, _ highest: Int) -> [String] {
        switch client {
        case .iosSwift, .iosObjC:
            ["Pixels of a file, not points: 256 points on displays of double density."]
        case .androidKotlin: ["Pixels of a file; the map draws a tile at 256 dp."]
        case .mapkitSwift: ["Pixels of a file: 256 points on displays of double density."]
        case .googleJS:
            [
                "Pixels of the page: files of 512 pixels are shown sharper on dense displays. With",
                "Size(512, 512) they would be tiles of the next lower zoom.",
            ]
        case .leaflet:
            [
                "Pixels of the page: files of 512 pixels are shown sharper on dense displays. To show",
                "them larger instead: tileSize: 512, zoomOffset: -1, and zooms of the map, one more",
                "than the tiles': minZoom: \(lowest + 1), maxNativeZoom: \(highest + 1), "
                    + "maxZoom: \(lastZoom + 1).",
            ]
        case .maplibre:
            [
                "Pixels of the page: files of 512 pixels are shown sharper on dense displays. With",
                "512 they are shown larger, at zooms of the map that are one less.",
            ]
        case .openlayers:
            [
                "Files of 512 pixels are shown in 256 of the page, sharper on dense displays. To show",
                "them larger instead, put tileSize: 512 in its place.",
            ]
        }
    }
}
