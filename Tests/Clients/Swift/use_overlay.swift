import MapKit
import TilewrightTiles

/// Asks the overlay of a tileset for tiles as a map does.
let overlay = PlanTiles.add(to: MKMapView())
PlanTiles.showAll(in: MKMapView())
PlanTiles.limitCamera(of: MKMapView())
_ = overlay.makeRenderer()
print("zooms", overlay.minimumZ, overlay.maximumZ, overlay.tileSize.width)
for argument in CommandLine.arguments.dropFirst() {
    let numbers = argument.split(separator: "/").compactMap { Int($0) }
    let path = MKTileOverlayPath(x: numbers[1], y: numbers[2], z: numbers[0], contentScaleFactor: 2)
    let line: String = await withCheckedContinuation { continuation in
        overlay.loadTile(at: path) { file, error in
            let size = file.map { $0.count < 80 ? "transparent" : "picture" }
            let kind = file.map { $0.starts(with: Array("GIF8".utf8)) ? "enlarged" : size ?? "" }
            continuation.resume(returning: error == nil ? kind ?? "nothing" : "error")
        }
    }
    print(argument, line)
}
