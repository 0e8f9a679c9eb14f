package import Tilesets
import Tiling

extension TilesetMetadata {
    /// The document that tells clients where the tiles are: TileJSON 3.0.0, as `tilejson.json`, or
    /// `tilejson-FLOOR.json` for a floor.
    ///
    /// Beyond the specification it has `format`, the members of all documents of tilewright, and
    /// `tileMatrixSetLimits`, which lists the tiles that exist. Its form is that of OGC's Two Dimensional
    /// Tile Matrix Set: rows count from the north in both schemes, and a zoom that crosses the antimeridian has
    /// two entries.
    package var tileJSON: SideFile {
        let names =
            ["tilejson", "name"] + (description.isEmpty ? [] : ["description"])
            + (attribution.isEmpty ? [] : ["attribution"])
            + ["version", "scheme", "tiles", "minzoom", "maxzoom", "bounds", "center", "format"]
        let limits = limits.map { limits in
            JSONValue.record([
                "tileMatrix": .string(String(limits.zoom)),
                "minTileRow": .integer(limits.rows.lowerBound),
                "maxTileRow": .integer(limits.rows.upperBound),
                "minTileCol": .integer(limits.columns.lowerBound),
                "maxTileCol": .integer(limits.columns.upperBound),
            ])
        }
        return SideFile(
            name: SideFile.name("tilejson", floor: floor),
            bytes: JSONValue.file(members(names) + [("tileMatrixSetLimits", .array(limits))]))
    }

    /// The document that MBTiles tools keep with a tree of tiles, as `metadata.json`, or `metadata-FLOOR.json`
    /// for a floor: the rows of the `metadata` table.
    ///
    /// Every value is a text, because importers copy it into that table unchanged, and fail on anything else.
    package var metadataJSON: SideFile {
        let members = metadataRows.map { JSONValue.Member($0.name, .string($0.value)) }
        return SideFile(
            name: SideFile.name("metadata", floor: floor), bytes: JSONValue.file(members))
    }

    /// The rows of MBTiles 1.3, and `scheme`, which a tree needs.
    package var metadataRows: [MetadataRow] {
        let names = [
            "name", "description", "version", "type", "format", "scheme", "bounds", "center", "minzoom",
            "maxzoom", "attribution",
        ]
        return members(names).map { MetadataRow($0.name, $0.value.text) }
    }

    /// The JSON object in a PMTiles archive. The archive's header has the rest: type, bounds, zooms.
    ///
    /// - Parameter origin: the job and images of the tiles, as far as known.
    package func archiveJSON(origin: TilesetOrigin = TilesetOrigin()) -> [UInt8] {
        let images = origin.images.map { JSONValue.string($0.text) }
        let originMembers = JSONValue.members([
            SourceImage.member: images.isEmpty ? nil : .array(images),
            Self.jobMember: (origin.job?.hex).map(JSONValue.string),
        ])
        return JSONValue.file(
            members(["name", "description", "attribution", "type", "version"]) + originMembers)
    }

    /// The members of a document by their names, and those beyond all specifications, which every document has:
    /// `tileSize`, which clients of raster tiles need; `floor`; `mediaTypes`, if tiles of two types share an
    /// extension; `tileCount` and `digest`, which show that a copy is complete; and `generator`.
    private func members(_ names: [String]) -> [JSONValue.Member] {
        let extent = PublishedExtent(of: self)
        let center = extent.centerZoom.map {
            JSONValue.array(extent.center.map(JSONValue.degrees) + [.integer($0)])
        }
        let specified = JSONValue.members([
            "tilejson": .string("3.0.0"), "name": .string(name), "description": .string(description),
            "attribution": .string(attribution), "version": .string("1.0.0"), "type": .string("overlay"),
            "scheme": .string(scheme.rawValue), "tiles": .array([.string(address)]),
            "format": .string(format.fileExtension), "bounds": .array(extent.bounds.map(JSONValue.degrees)),
            "center": center, "minzoom": (extent.zooms?.lowerBound).map(JSONValue.integer),
            "maxzoom": (extent.zooms?.upperBound).map(JSONValue.integer),
        ])
        let mediaTypes = format.mediaTypes.map(JSONValue.string)
        let own = JSONValue.members([
            "tileSize": .integer(tileSize), "floor": floor.map(JSONValue.string),
            "mediaTypes": mediaTypes.count > 1 ? .array(mediaTypes) : nil,
            "tileCount": (contents?.tileCount).map(JSONValue.integer),
            "digest": (contents?.digest).map(JSONValue.string), "generator": .string(Self.generator),
        ])
        return names.compactMap { name in specified.first { $0.name == name } } + own
    }
}

extension TilesetDocuments {
    /// The documents of a tileset for every container.
    package init(_ metadata: TilesetMetadata) {
        let files = [metadata.metadataJSON, TileMapResource.file(of: metadata), metadata.tileJSON]
        // In the table itself, tile rows always count from the south, and the version is a number.
        let rows = metadata.metadataRows.filter { $0.name != "scheme" }.map { row in
            row.name == "version" ? MetadataRow(row.name, "1") : row
        }
        self.init(
            sideFiles: files.compactMap(\.self), rows: rows, json: metadata.archiveJSON,
            extent: PublishedExtent(of: metadata), format: metadata.format, baseURL: metadata.baseURL)
    }
}
