package import Tiling

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension PMTilesReader {
    package func check(
        _ report: (TilesetFault) -> Void, tiles body: (EncodedTile) throws -> Void
    ) throws {
        var places: Set<String> = []
        try check { fault in
            places.insert(fault.place)
            report(fault)
        }
        guard let header = try? header.get() else { return }
        do {
            try forEachEntry(header) { entry, cost in
                do { try lend(entry, header, &cost, to: body) } catch let damage as PMTilesDamage {
                    if !places.contains(damage.fault.place) { report(damage.fault) }
                }
            }
        } catch is PMTilesDamage {
            // A damaged directory: reported by the check before.
        } catch let excess as ReadingExcess {
            // So is a directory that costs too much.
            if !places.contains(Self.excessPlace) { try giveUp(excess, report) }
        }
    }

    private static let excessPlace = "the archive"

    /// Reports that it takes too long; having too many tiles is not a fault.
    private func giveUp(_ excess: ReadingExcess, _ report: (TilesetFault) -> Void) throws {
        if case .tiles = excess { throw excess.failure(reading: path) }
        report(TilesetFault(Self.excessPlace, "is given up: \(excess.reason)"))
    }

    /// Looks for what is wrong with the archive, whatever its tiles hold. Holds 16 bytes for each
    /// content in memory.
    func check(_ report: (TilesetFault) -> Void) throws {
        var header: PMTilesHeader
        switch self.header {
        case .success(let found): header = found
        case .failure(let damage): return report(damage.fault)
        }
        if header.data.length == 0, header.data.offset < UInt64(size) {
            report(TilesetFault("header", "gives 0 as the length of its tile data"))
            header.data.length = UInt64(size) - header.data.offset
        }
        checkSections(header, report)
        checkEnumerations(header, report)
        checkPlace(header, report)
        do {
            try checkMetadata(header, report)
            var census = DirectoryAudit(header)
            try forEachEntry(header) { entry, _ in census.count(entry) }
            census.finish().forEach(report)
        } catch let damage as PMTilesDamage {
            report(damage.fault)
        } catch let excess as ReadingExcess {
            try giveUp(excess, report)
        }
    }

    /// The parts of the file: all of them inside, one behind the other, and nothing between.
    private func checkSections(_ header: PMTilesHeader, _ report: (TilesetFault) -> Void) {
        let sections = [
            ("root directory", header.root), ("metadata", header.metadata),
            ("leaf directories", header.leaves), ("tile data", header.data),
        ]
        for (name, section) in sections {
            if section.offset == 0 {
                report(TilesetFault("header", "gives 0 as the place of its \(name)"))
            }
            if section.end.map({ $0 > UInt64(size) }) ?? true {
                report(TilesetFault(name, "lies beyond the end of the file"))
            }
        }
        var end = UInt64(PMTilesHeader.size)
        let filled = sections.filter { $0.1.length > 0 }.sorted { $0.1.offset < $1.1.offset }
        for (name, section) in filled {
            if section.offset < end { report(TilesetFault(name, "overlaps what lies before it")) }
            end = max(end, section.end ?? end)
        }
        if let rootEnd = header.root.end, rootEnd > UInt64(PMTilesHeader.sizeWithRoot) {
            report(
                TilesetFault(
                    "root directory",
                    "ends behind the \(PMTilesHeader.sizeWithRoot) bytes that clients read at first"
                ))
        }
        checkSize(header, report)
    }

    private func checkSize(_ header: PMTilesHeader, _ report: (TilesetFault) -> Void) {
        let rest = [header.metadata, header.leaves, header.data].reduce(Double(0)) {
            $0 + Double($1.length)
        }
        // Some writers leave room for the largest root.
        let sums = [
            Double(PMTilesHeader.size) + Double(header.root.length) + rest,
            Double(PMTilesHeader.sizeWithRoot) + rest,
        ]
        if !sums.contains(Double(size)) {
            report(TilesetFault("file", "is not as long as its parts together"))
        }
    }

    private func checkEnumerations(_ header: PMTilesHeader, _ report: (TilesetFault) -> Void) {
        func fault(_ problem: String) { report(TilesetFault("header", problem)) }
        if header.internalCompression == .unknown {
            fault("does not say how directories are compressed")
        }
        if header.tileType == .other { fault("does not say what the tiles are") }
        if header.tileCompression == .unknown {
            fault("does not say whether the tiles are compressed")
        }
    }

    private func checkPlace(_ header: PMTilesHeader, _ report: (TilesetFault) -> Void) {
        func fault(_ problem: String) { report(TilesetFault("header", problem)) }
        let (bounds, center) = (header.bounds, header.center)
        if !header.hasArea { fault("has empty bounds, in which some clients show nothing") }
        if bounds[0] < -1_800_000_000 || bounds[2] > 1_800_000_000 || bounds[1] < -900_000_000
            || bounds[3] > 900_000_000
        {
            fault("has bounds beyond the Earth")
        }
        if header.hasArea,
            !(bounds[0]...bounds[2] ~= center[0]) || !(bounds[1]...bounds[3] ~= center[1])
        {
            fault("has a centre outside of its bounds")
        }
        if header.centerZoom < header.minZoom || header.centerZoom > header.maxZoom {
            fault("has a zoom \(header.centerZoom) of the centre outside of its zooms")
        }
    }

    private func checkMetadata(
        _ header: PMTilesHeader, _ report: (TilesetFault) -> Void
    ) throws {
        struct Value: Decodable {
            init(from decoder: any Decoder) {}
        }
        do {
            let json = try header.metadata.length == 0 ? [] : metadata(header)
            if (try? JSONDecoder().decode([String: Value].self, from: Data(json))) == nil {
                report(TilesetFault("metadata", "is not an object of JSON"))
            }
        } catch let damage as PMTilesDamage { report(damage.fault) }
    }
}
