extension ViewerPage {
    /// A building: floors of which one is shown at a time.
    package struct Building: Sendable {
        /// A name for people; nil for tilesets that share a switch and are no building.
        package let name: String?
        /// The floors, the uppermost first.
        package let floors: [Tileset]

        /// The folder of its floors, as the page sees it: what tells two buildings of one name apart.
        package var folder: String

        /// Describes a building.
        package init(_ name: String?, floors: [Tileset]) {
            (self.name, self.floors) = (name, floors)
            let path = floors.first.map { $0.isArchive ? $0.path.dropLast() : $0.path[...] } ?? []
            folder = path.joined(separator: "/")
        }

        /// The floor that is shown first: the one that says so, else the ground floor, else the uppermost.
        private var first: Int {
            floors.firstIndex(where: \.isDefault) ?? floors.firstIndex { $0.ordinal == 0 } ?? 0
        }

        /// The data for the script.
        ///
        /// - Parameter key: what links to the page call the building.
        func json(key: String) -> JSONValue {
            let names = DistinctNames(floors.map { ($0.floor, $0.way) })
            let list = zip(floors, names.all).map { $0.json(key: $1) }
            return .object([
                .init("key", .string(key)), .init("name", .string(name == nil ? "" : key)),
                .init("isBuilding", .boolean(name != nil)), .init("first", .integer(first)),
                .init("floors", .array(list)),
            ])
        }
    }
}
