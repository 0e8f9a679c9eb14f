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
        for (x, y): (UInt, UInt) in [(3, 5), (4, 5), (3, 6), (3, 4)] { print(x, y, await tile(x, y)) }

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
    static func tile(_ x: UInt, _ y: UInt, of layer: GMSTileLayer? = GMSTileLayer.shown) async -> String {
        await withCheckedContinuation { continuation in
            layer?.requestTileFor(x: x, y: y, zoom: 3, receiver: Receiver(continuation))
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
