// __IF_CLASS__
/// The name of the building.
var name: String { index.name }
/// The floors from the lowest.
var floors: [Floor] { index.floors }
/// The floor that is shown.
private(set) var floor: Floor
/// Called with the floor when another floor is shown, or when the floor changed.
var onChange: ((Floor) -> Void)?
/// Called on the main thread with the error if a tile cannot be loaded.
var onTileError: ((any Error) -> Void)?

private var index: Index
private weak var mapView: __MAP__?

private init(_ index: Index, floor: Floor) {
    (self.index, self.floor) = (index, floor)
}

/// Adds the floor to a map. Beyond the floor's last zoom, up to `lastZoom`, its tiles are enlarged.
func add(to mapView: __MAP__) {
    self.mapView = mapView
    lay()
}

/// Removes the floor from its map.
func remove() {
    clear()
    mapView = nil
}
// __END_CLASS__
// __IF_EXTENSION__
extension __NAME__ {
    /// The address of the folder with the building's index and tiles.
    nonisolated static let address = URL(string: __INDEX__)

    /// A floor, with members of building.json.
    struct Floor: Decodable, Hashable, Sendable {
        /// The name by which `show(_:)` finds it.
        let floor: String
        /// The name for people.
        let label: String
        /// The text of its button.
        let shortName: String
        /// Its position in the order of floors: 0 for the ground floor.
        let ordinal: Int
        /// True for the one floor that is shown first.
        let `default`: Bool?
        /// West, south, east, north in degrees; the east is beyond 180 across the antimeridian.
        let bounds: [Double]
        let minzoom: Int
        let maxzoom: Int
        /// The tiles that exist: zoom, first column and row, last column and row, from the north.
        let limits: [[Int]]
        let tileSize: Int
        /// The address of the tiles, perhaps relative to the index.
        let tiles: String
        let scheme: String
        /// Whom to credit.
        let attribution: String?
        /// Changes if a tile changes.
        let digest: String
    }

    private struct Version: Decodable {
        let version: Int
    }

    private struct Index: Decodable {
        struct Camera: Decodable {
            let target: [Double]
            let zoom: Double
        }
        let name: String
        let bounds: [Double]
        let camera: Camera
        let floors: [Floor]
    }

    /// The lowest zoom, at which the whole building is in view.
    private var firstZoom: Int {
        floors.map(\.minzoom).reduce(Int(index.camera.zoom), min)
    }

    /// The zoom up to which tiles are enlarged.
    private var lastZoom: Int {
        let last = floors.map(\.maxzoom).reduce(0, max)
        return __LAST_ZOOM__
    }

    /// Reads the building's index.
    static func load() async throws -> __NAME__ {
        let index = try await readIndex()
        return __NAME__(index, floor: try first(of: index))
    }

    /// Reads the index again and shows its changes. If that fails, everything stays as it is.
    func reload() async throws {
        let index = try await Self.readIndex()
        let shown = floor.floor
        let floor = try index.floors.first { $0.floor == shown } ?? Self.first(of: index)
        self.index = index
        if floor != self.floor { change(to: floor) }
    }

    /// Shows this floor instead of the current one.
    ///
    /// - Parameter name: the `floor` of one of the floors; it throws if there is none.
    func show(_ name: String) throws {
        guard let floor = floors.first(where: { $0.floor == name }) else {
            throw Problem(errorDescription: "there is no floor '\(name)'")
        }
        if floor != self.floor { change(to: floor) }
    }

    /// An error in the index, or in its use.
    struct Problem: LocalizedError {
        let errorDescription: String?
    }

    private func change(to floor: Floor) {
        self.floor = floor
        lay()
        onChange?(floor)
    }

    private static func first(of index: Index) throws -> Floor {
        guard let floor = index.floors.first(where: { $0.default == true }) ?? index.floors.first else {
            throw Problem(errorDescription: "building.json: there are no floors")
        }
        return floor
    }

    nonisolated private static func readIndex() async throws -> Index {
        guard let address else { throw URLError(.badURL) }
        // The server says whether the app's copy is still valid.
        let request = URLRequest(url: address, cachePolicy: .reloadRevalidatingCacheData)
        let (data, response) = try await URLSession.shared.data(for: request)
        if let status = (response as? HTTPURLResponse)?.statusCode, status != 200 {
            throw Problem(errorDescription: "\(address): status \(status)")
        }
        let version = try JSONDecoder().decode(Version.self, from: data).version
        guard version == 1 else {
            throw Problem(errorDescription: "\(address): version \(version) needs newer code")
        }
        let index = try JSONDecoder().decode(Index.self, from: data)
        let areWhole = index.floors.allSatisfy { floor in
            floor.bounds.count == 4 && floor.limits.allSatisfy { $0.count == 5 }
        }
        guard areWhole, index.bounds.count == 4, index.camera.target.count == 2 else {
            throw Problem(errorDescription: "\(address): a part of the index is incomplete")
        }
        return index
    }

    /// The requests for a floor's tiles.
    private final class Requests: @unchecked Sendable {
        private let lock = NSLock()
        private let session = URLSession(configuration: .default)
        private var isOver = false

        /// Requests a tile. The result is nil if the server does not have it.
        func start(_ url: URL, completion: @escaping @Sendable (Result<Data?, any Error>) -> Void) {
            // The address changes with the tiles, so that a cached copy is valid.
            let request = URLRequest(url: url, cachePolicy: .returnCacheDataElseLoad)
            lock.lock()
            defer { lock.unlock() }
            if isOver { return completion(.failure(URLError(.cancelled))) }
            session.dataTask(with: request) { data, response, error in
                let status = (response as? HTTPURLResponse)?.statusCode
                if let error {
                    completion(.failure(error))
                } else if status == 200 {
                    completion(.success(data))
                } else if [403, 404, 410].contains(status) {
                    completion(.success(nil))
                } else {
                    completion(.failure(URLError(.badServerResponse)))
                }
            }.resume()
        }

        /// Cancels requests that are not finished. An invalidated session accepts no new requests.
        func cancel() {
            lock.lock()
            defer { lock.unlock() }
            isOver = true
            session.invalidateAndCancel()
        }
    }
}

extension __NAME__.Floor {
    /// The address of a tile, or nil if there is none; `y` counts from the north.
    func url(x: Int, y: Int, zoom: Int) -> URL? {
        let exists = limits.contains {
            $0[0] == zoom && $0[1] <= x && x <= $0[3] && $0[2] <= y && y <= $0[4]
        }
        guard exists else { return nil }
        let isFromSouth = scheme == "tms" || tiles.contains("{-y}")
        let row = isFromSouth ? (1 << zoom) - 1 - y : y
        // One digit per zoom: 0 NW, 1 NE, 2 SW, 3 SE.
        let digits = (0..<zoom).reversed().map { (x >> $0 & 1) | (y >> $0 & 1) << 1 }
        let values = [
            "{z}": "\(zoom)", "{x}": "\(x)", "{y}": "\(row)", "{-y}": "\(row)",
            "{quadkey}": digits.map(String.init).joined(),
        ]
        let path = values.reduce(tiles) { $0.replacingOccurrences(of: $1.key, with: $1.value) }
        // The address contains the first digits of the digest, so that a cache keeps tiles until they change.
        let version = (path.contains("?") ? "&v=" : "?v=") + digest.prefix(8)
        return URL(string: path + version, relativeTo: __NAME__.address)
    }
}
// __END_EXTENSION__
