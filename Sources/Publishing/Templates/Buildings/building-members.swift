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
