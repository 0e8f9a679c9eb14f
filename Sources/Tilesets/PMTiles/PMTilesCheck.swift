import Platform
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
            // A damaged directory, which the check above has reported.
        } catch let excess as ReadingExcess {
            // The check above has also reported a directory that costs too much.
            if !places.contains(Self.excessPlace) { try giveUp(excess, report) }
        }
    }

    private static let excessPlace = "the archive"

    /// Reports that reading takes too long. Too many tiles are not a fault, but a failure.
    private func giveUp(_ excess: ReadingExcess, _ report: (TilesetFault) -> Void) throws {
        if case .tiles = excess { throw excess.failure(reading: path) }
        report(TilesetFault(Self.excessPlace, "was not read to its end: \(excess.reason)"))
    }

    /// Checks the archive, except the content of its tiles. Takes 16 bytes of memory for each content.
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
        checkFields(header, report)
        do {
            try checkMetadata(header, report)
            var audit = DirectoryAudit(header)
            try forEachEntry(header) { entry, _ in audit.count(entry) }
            audit.finish().forEach(report)
        } catch let damage as PMTilesDamage {
            report(damage.fault)
        } catch let excess as ReadingExcess {
            try giveUp(excess, report)
        }
    }

    /// Checks that the parts of the file are inside it, do not overlap and have no gaps.
    private func checkSections(_ header: PMTilesHeader, _ report: (TilesetFault) -> Void) {
        let sections = [
            ("root directory", header.root), ("metadata", header.metadata),
            ("leaf directories", header.leaves), ("tile data", header.data),
        ]
        for (name, section) in sections {
            if section.offset == 0 {
                report(TilesetFault("header", "gives 0 as the offset of its \(name)"))
            }
            if section.end.map({ $0 > UInt64(size) }) ?? true {
                report(TilesetFault(name, "is beyond the end of the file"))
            }
        }
        var end = UInt64(PMTilesHeader.size)
        let filled = sections.filter { $0.1.length > 0 }.sorted { $0.1.offset < $1.1.offset }
        for (name, section) in filled {
            if section.offset < end { report(TilesetFault(name, "overlaps the part before it")) }
            end = max(end, section.end ?? end)
        }
        if let rootEnd = header.root.end, rootEnd > UInt64(PMTilesHeader.sizeWithRoot) {
            report(
                TilesetFault(
                    "root directory",
                    "ends beyond the first \(PMTilesHeader.sizeWithRoot) bytes, which clients read at once"
                ))
        }
        checkSize(header, report)
    }

    private func checkSize(_ header: PMTilesHeader, _ report: (TilesetFault) -> Void) {
        let rest = [header.metadata, header.leaves, header.data].reduce(Double(0)) {
            $0 + Double($1.length)
        }
        // Some writers reserve space for the largest root.
        let sums = [
            Double(PMTilesHeader.size) + Double(header.root.length) + rest,
            Double(PMTilesHeader.sizeWithRoot) + rest,
        ]
        if !sums.contains(Double(size)) {
            report(TilesetFault("file", "is not as long as the sum of its parts"))
        }
    }

    private func checkFields(_ header: PMTilesHeader, _ report: (TilesetFault) -> Void) {
        let (bounds, center, hasArea) = (header.bounds, header.center, header.hasArea)
        let isBeyondEarth =
            bounds[0] < -1_800_000_000 || bounds[2] > 1_800_000_000 || bounds[1] < -900_000_000
            || bounds[3] > 900_000_000
        let isOffCenter =
            hasArea && (!(bounds[0]...bounds[2] ~= center[0]) || !(bounds[1]...bounds[3] ~= center[1]))
        let isOffZoom = header.centerZoom < header.minZoom || header.centerZoom > header.maxZoom
        let faults = [
            (header.internalCompression == .unknown, "does not say how directories are compressed"),
            (header.tileType == .other, "does not say what the tiles are"),
            (header.tileCompression == .unknown, "does not say whether the tiles are compressed"),
            (!hasArea, "has empty bounds, in which some clients show nothing"),
            (isBeyondEarth, "has bounds beyond the Earth"),
            (isOffCenter, "has a centre outside its bounds"),
            (isOffZoom, "has a centre zoom \(header.centerZoom) outside its zooms"),
        ]
        for (isFault, problem) in faults where isFault { report(TilesetFault("header", problem)) }
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
                report(TilesetFault("metadata", "is not a JSON object"))
            }
        } catch let damage as PMTilesDamage { report(damage.fault) }
    }
}

/// Counts the tiles in the directories of an archive, and compares the counts with the header.
struct DirectoryAudit {
    private let header: PMTilesHeader
    private var addressedTiles: UInt64 = 0
    private var tileEntries: UInt64 = 0
    private var contents = ReferencedBytes()
    private var lowest: TileID?
    private var highest: TileID?
    /// The offset at which the next new content of a clustered archive must begin.
    private var end: UInt64 = 0
    private var firstOutside: PMTilesEntry?
    private var firstOutOfOrder: PMTilesEntry?

    /// Starts with no entries.
    init(_ header: PMTilesHeader) { self.header = header }

    /// Counts an entry; entries must come in ascending order.
    mutating func count(_ entry: PMTilesEntry) {
        tileEntries += 1
        addressedTiles += UInt64(entry.runLength)
        lowest = lowest ?? entry.id
        highest = TileID(entry.run.upperBound - 1)
        let (entryEnd, overflow) = entry.offset.addingReportingOverflow(UInt64(entry.length))
        guard !overflow, entryEnd <= header.data.length else {
            firstOutside = firstOutside ?? entry
            return
        }
        contents.add(entry.offset..<entryEnd)
        if entry.offset > end { firstOutOfOrder = firstOutOfOrder ?? entry }
        end = max(end, entryEnd)
    }

    /// The faults.
    consuming func finish() -> [TilesetFault] {
        let bytes = contents.finish(length: header.data.length)
        var faults: [TilesetFault] = []
        func report(_ place: String, _ problem: String) { faults.append(TilesetFault(place, problem)) }
        if let firstOutside { report("tile \(firstOutside.id.coordinate)", "is outside the tile data") }
        if header.isClustered, let entry = firstOutOfOrder {
            report(
                "tile \(entry.id.coordinate)",
                "is out of order, but the header says that the archive is clustered")
        }
        let counts = [
            ("addressed tiles", header.addressedTiles, addressedTiles),
            ("tile entries", header.tileEntries, tileEntries),
            ("tile contents", header.tileContents, UInt64(bytes.count)),
        ]
        // 0 means unknown.
        for (name, said, found) in counts where said != 0 && said != found {
            report("header", "counts \(said) \(name), but there are \(found)")
        }
        for (name, said, tile) in [("lowest", header.minZoom, lowest), ("highest", header.maxZoom, highest)] {
            guard let zoom = tile?.zoom, zoom != said else { continue }
            report("header", "says that the \(name) zoom is \(said), but it is \(zoom)")
        }
        if bytes.overlapping > 0 {
            report("tile data", "has \(bytes.overlapping.counted("tile")) beginning inside others")
        }
        // A tile outside the tile data, which has been reported, leaves a gap.
        if bytes.unreferenced > 0, firstOutside == nil {
            report("tile data", "has \(bytes.unreferenced) bytes that belong to no tile")
        }
        return faults
    }
}

/// The parts of an archive's tile data to which its directories refer.
///
/// Takes 16 bytes for each different part, and up to twice as much before duplicates are removed.
struct ReferencedBytes {
    /// The totals of the parts.
    struct Result {
        /// The number of different offsets.
        var count = 0
        /// Parts that begin before the previous part ends, or that have the same offset but another length.
        var overlapping = 0
        /// Bytes that belong to no part.
        var unreferenced: UInt64 = 0
    }

    private var parts: [Range<UInt64>] = []
    private var limit = 1 << 16

    /// Adds a part.
    mutating func add(_ part: Range<UInt64>) {
        parts.append(part)
        guard parts.count >= limit else { return }
        compact()
        limit = max(limit, 2 * parts.count)
    }

    /// Sorts the parts, and removes duplicates.
    private mutating func compact() {
        parts.sort { ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound) }
        var kept: [Range<UInt64>] = []
        for part in parts where part != kept.last { kept.append(part) }
        parts = kept
    }

    /// Computes the totals.
    ///
    /// - Parameter length: the bytes of the tile data.
    consuming func finish(length: UInt64) -> Result {
        compact()
        var result = Result()
        var (start, end): (UInt64?, UInt64) = (nil, 0)
        for part in parts {
            if part.lowerBound < end {
                result.overlapping += 1
            } else {
                result.unreferenced += part.lowerBound - end
            }
            if part.lowerBound != start { result.count += 1 }
            start = part.lowerBound
            end = max(end, part.upperBound)
        }
        result.unreferenced += length - min(length, end)
        return result
    }
}
