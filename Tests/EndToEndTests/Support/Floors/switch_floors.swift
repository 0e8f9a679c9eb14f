import Foundation
import GoogleMaps

/// Uses the code for a building as an app does, and prints what came of it: a line each.
///
/// Its argument is the server's folder, in which it puts other indexes, second.json and third.json, in the place of the
/// first.
@main
struct SwitchFloors {
    @MainActor
    static func main() async throws {
        let floors = try await HarbourMallFloors.load()
        print("floors", floors.name, floors.floors.map(\.floor), floors.floor.floor)
        floors.onTileError = { print("error", ($0 as? URLError)?.code.rawValue ?? 0) }
        floors.onChange = { print("change", $0.floor) }
        do { try floors.show("9") } catch { print(error.localizedDescription) }

        let mapView = GMSMapView()
        floors.add(to: mapView)
        let tiles: [(UInt, UInt, UInt)] = [
            (3, 3, 5), (3, 4, 5), (3, 3, 6), (3, 3, 4), (4, 7, 11), (4, 6, 10), (5, 13, 22), (6, 26, 44),
            (4, 8, 10), (4, 6, 12), (7, 52, 88),
        ]
        for (zoom, x, y) in tiles { print("\(zoom)/\(x)/\(y)", await tile(x, y, zoom: zoom)) }
        floors.showAll()
        floors.limitCamera()
        let (camera, bounds) = (mapView.camera, mapView.cameraTargetBounds)
        print("camera", camera.target.latitude, camera.target.longitude, camera.zoom)
        if let west = bounds?.southWest, let east = bounds?.northEast {
            print(
                "limits", mapView.minZoom, mapView.maxZoom, west.latitude, west.longitude, east.latitude,
                east.longitude)
        }

        // The server does not answer for the tiles of this floor.
        try floors.show("1")
        let old = GMSTileLayer.shown
        async let late = tile(3, 5)
        try await Task.sleep(for: .milliseconds(300))
        let start = ContinuousClock.now
        try floors.show("0")
        print("late", await late, ContinuousClock.now - start < .seconds(2))
        print("old", old?.map == nil, await tile(3, 5, of: old))
        print("new", await tile(3, 5))

        floors.remove()
        print("removed", GMSTileLayer.shown == nil)
        try change("second.json")
        try await floors.reload()
        print("reloaded", floors.floors.map(\.label))
        try change("third.json")
        do { try await floors.reload() } catch { print(error.localizedDescription, floors.floor.floor) }
    }

    static func change(_ name: String) throws {
        let folder = URL(filePath: CommandLine.arguments[1])
        let bytes = try Data(contentsOf: folder.appending(path: name))
        try bytes.write(to: folder.appending(path: "building.json"))
    }

    /// What the map gets for a tile: the file's text, "never" or "later".
    @MainActor
    static func tile(
        _ x: UInt, _ y: UInt, zoom: UInt = 3, of layer: GMSTileLayer? = GMSTileLayer.shown
    ) async -> String {
        await withCheckedContinuation { continuation in
            layer?.requestTileFor(x: x, y: y, zoom: zoom, receiver: Receiver(continuation))
        }
    }

    final class Receiver: GMSTileReceiver {
        let continuation: CheckedContinuation<String, Never>

        init(_ continuation: CheckedContinuation<String, Never>) { self.continuation = continuation }

        func receiveTileWith(x: UInt, y: UInt, zoom: UInt, image: UIImage?) {
            let text = image.map { String(decoding: $0.data, as: UTF8.self) }
            continuation.resume(returning: image === kGMSTileLayerNoTile ? "never" : text ?? "later")
        }
    }
}
