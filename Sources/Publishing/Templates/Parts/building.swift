/// The address of building.json.
nonisolated static let address = __OPEN__

let building: Building
@Published private(set) var floor: Floor

private init(_ building: Building) { (self.building, floor) = (building, building.defaultFloor) }

// __IF_LOCAL__
/// Reads the building in the app.
static func load() async throws -> __NAME__ {
    __NAME__(try Building(inApp: address) { print("__NAME__:", $0.reason) })
}
// __END_LOCAL__
// __IF_FAR__
/// Reads the building: from its address, the last copy, or the building.json in the app.
static func load() async throws -> __NAME__ {
    let inside = Bundle.main.url(forResource: "building", withExtension: "json")
    return __NAME__(try await Building(address, inside: inside) { print("__NAME__:", $0.reason) })
}
// __END_FAR__

/// Shows this floor instead of the current one.
func show(_ name: String) {
    guard let next = building.floors.first(where: { $0.name == name }), name != floor.name else { return }
    floor = next
    lay()
}

/// The zoom up to which tiles are enlarged.
private var lastZoom: Int { __LAST_ZOOM__ }

/// The buttons, for a view of UIKit; in SwiftUI, use `__NAME__.Picker(floors: floors)`.
var picker: UIView { UIHostingConfiguration { Picker(floors: self) }.makeContentView() }

struct Picker: View {
    @ObservedObject var floors: __NAME__

    var body: some View {
        FloorPicker(
            floors.building, selection: Binding(get: { floors.floor.name }, set: { floors.show($0) }))
    }
}
