import Tilesets

/// What a floor switch says of a tileset.
struct ServedFloor: Sendable {
    /// The floor's name.
    let floor: String
    /// What people read.
    let label: String
    /// What a button says.
    let shortName: String
    /// The place among the floors; nil if nobody says it.
    let ordinal: Int?
    /// Whether it is shown first.
    let isDefault: Bool
}

/// Tilesets that belong together: the floors of a building, or one that is alone.
struct ServedGroup: Sendable {
    /// The building's name; nil if it is none.
    let building: String?
    /// What the names of the floors begin with, up to the slash; empty if they begin with nothing.
    let prefix: String
    /// The tilesets, the uppermost first.
    let tilesets: [ServedTileset]

    /// Where its index is; nil if it has none.
    var indexPath: String? { building.map { _ in prefix + IndexFile.buildingName } }
}

/// What a thing gives at some moment.
struct SourceContents: Sendable {
    /// The buildings and tilesets.
    var groups: [ServedGroup]
    /// The name of all of them, and where their index is; nil if they are no campus.
    var campus: (name: String, path: String)?
    /// The files that say what there is; nil if none was read yet.
    var watch: FileWatch?
}
