/// What the building is called.
var name: String { index.name }
/// The floors from the lowest.
var floors: [Floor] { index.floors }
/// The one of them that is shown.
private(set) var floor: Floor
/// Called with the floor when another one is shown, or something of it changed.
var onChange: ((Floor) -> Void)?
/// Called on the main thread with what kept a tile from coming.
var onTileError: ((any Error) -> Void)?

private var index: Index
private weak var mapView: __MAP__?

private init(_ index: Index, floor: Floor) {
    (self.index, self.floor) = (index, floor)
}

/// Lays the floor over a map. Beyond the floor's last zoom, up to `lastZoom`, its tiles are enlarged.
func add(to mapView: __MAP__) {
    self.mapView = mapView
    lay()
}

/// Takes the floor off its map.
func remove() {
    clear()
    mapView = nil
}
