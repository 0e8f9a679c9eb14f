package import Platform
package import Tilesets
package import Tiling

extension BuildingIndex {
    /// A floor, and what a client needs to know of its tiles.
    package struct Floor: Hashable, Sendable {
        /// Where the tiles are.
        package enum Place: Hashable, Sendable {
            /// In a folder: the name of its TileJSON, and the address of the tiles.
            case folder(tileJSON: String, tiles: String)
            /// In an archive below the folder of the index.
            case archive(ContainedPath)

            /// The archive, if it is one.
            var archive: ContainedPath? { if case .archive(let path) = self { path } else { nil } }
        }

        /// The floor's name, as it stands in the addresses of tiles.
        package var floor: String
        /// What people read.
        package var label: String
        /// What a button of a floor switch says.
        package var shortName: String
        /// The place among the floors: 0 for the ground floor.
        package var ordinal: Int
        /// Whether it is shown first; one floor of a building is.
        package var isDefault: Bool
        /// Where the tiles are.
        package var place: Place
        /// Degrees; the east is beyond 180 across the antimeridian.
        package var bounds: BoundingBox
        /// The lowest and the highest zoom with a tile.
        package var zooms: ClosedRange<Int>
        /// The tiles that exist, per zoom from the lowest; rows count from the north.
        package var limits: [TileRange]
        /// Pixels along a tile's edge.
        package var tileSize: Int
        /// How rows count in the addresses of tiles.
        package var scheme: String
        /// The file type of the tiles, as their names end.
        package var format: String
        /// Whom to credit; may be empty.
        package var attribution: String
        /// How many tiles there are.
        package var tileCount: Int
        /// A hash of all tiles: what a client's cache of them is good for.
        package var digest: String
    }
}

extension BuildingIndex.Floor {
    /// The path of its archive; nil if its tiles are in the folder itself.
    ///
    /// - Parameter folder: that of the index.
    /// - Throws: `.missingInput` if what is there is a link, or something else than a file.
    package func archive(in folder: String) throws -> String? {
        guard case .archive(let archive) = place else { return nil }
        let path = folder.path(of: archive)
        let found = try Failure.ofInput {
            try archive.components.last.flatMap {
                try Directory.open(folder)?.parent(of: archive)?.status(of: $0)
            }
        }
        if let found, found.kind != .file {
            throw Failure(.missingInput, cannot: "read '\(path)'", SystemError.notRegular.text)
        }
        return path
    }

    /// Describes a floor that was built; it has at least one tile.
    ///
    /// - Parameter archive: the archive's path from the index; nil for a folder.
    package init?(
        _ metadata: TilesetMetadata, archive: ContainedPath?, label: String, shortName: String, ordinal: Int,
        isDefault: Bool
    ) {
        guard let floor = metadata.floor, let contents = metadata.contents,
            let zooms = PublishedExtent(of: metadata).zooms
        else { return nil }
        self.init(
            floor: floor, label: label, shortName: shortName, ordinal: ordinal,
            isDefault: isDefault,
            place: archive.map { .archive($0) }
                ?? .folder(of: metadata),
            bounds: metadata.bounds, zooms: zooms, limits: metadata.limits, tileSize: metadata.tileSize,
            scheme: metadata.scheme.rawValue, format: metadata.format.fileExtension,
            attribution: metadata.attribution, tileCount: contents.tileCount, digest: contents.digest)
    }

    /// The floor as a member of the document.
    var value: JSONValue {
        var members: [JSONValue.Member] = [
            .init("floor", .string(floor)), .init("label", .string(label)),
            .init("shortName", .string(shortName)), .init("ordinal", .integer(ordinal)),
        ]
        if isDefault { members.append(.init("default", .boolean(true))) }
        switch place {
        case .folder(let tileJSON, let tiles):
            members += [
                .init("tilejson", .string(TilesetMetadata.escaped(tileJSON))), .init("tiles", .string(tiles)),
                .init("scheme", .string(scheme)),
            ]
        case .archive(let path): members.append(.init("archive", .string(TilesetMetadata.escaped(path.text))))
        }
        members += [
            .init("bounds", IndexExtent.value(bounds)), .init("minzoom", .integer(zooms.lowerBound)),
            .init("maxzoom", .integer(zooms.upperBound)), .init("limits", .array(limits.map(Self.value))),
            .init("tileSize", .integer(tileSize)), .init("format", .string(format)),
        ]
        if !attribution.isEmpty { members.append(.init("attribution", .string(attribution))) }
        return .object(
            members + [.init("tileCount", .integer(tileCount)), .init("digest", .string(digest))])
    }

    /// Zoom, first column, first row, last column, last row; rows count from the north.
    private static func value(_ limits: TileRange) -> JSONValue {
        .array(
            [
                limits.zoom, limits.columns.lowerBound, limits.rows.lowerBound, limits.columns.upperBound,
                limits.rows.upperBound,
            ].map(JSONValue.integer))
    }
}

extension BuildingIndex.Floor.Place {
    /// Where the tiles of a floor are that goes into a folder.
    package static func folder(of metadata: TilesetMetadata) -> Self {
        .folder(tileJSON: TileJSON.fileName(floor: metadata.floor), tiles: metadata.address)
    }
}
