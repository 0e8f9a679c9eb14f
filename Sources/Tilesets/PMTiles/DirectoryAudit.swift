import Tiling

/// What the directories of an archive of PMTiles really hold, and how that differs from its header.
struct DirectoryAudit {
    private let header: PMTilesHeader
    private var addressedTiles: UInt64 = 0
    private var tileEntries: UInt64 = 0
    private var contents = ReferencedBytes()
    private var lowest: TileID?
    private var highest: TileID?
    /// Where the next new content of a clustered archive has to begin.
    private var end: UInt64 = 0
    private var firstOutside: PMTilesEntry?
    private var firstOutOfOrder: PMTilesEntry?

    /// Starts without an entry.
    init(_ header: PMTilesHeader) { self.header = header }

    /// Counts an entry; they ascend.
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

    /// What is wrong.
    consuming func finish() -> [TilesetFault] {
        let bytes = contents.finish(length: header.data.length)
        return orderFaults + countFaults(contents: bytes.count) + zoomFaults + faults(of: bytes)
    }

    private var orderFaults: [TilesetFault] {
        var faults: [TilesetFault] = []
        if let firstOutside {
            faults.append(
                TilesetFault("tile \(firstOutside.id.coordinate)", "lies outside of the tile data"))
        }
        if header.isClustered, let firstOutOfOrder {
            faults.append(
                TilesetFault(
                    "tile \(firstOutOfOrder.id.coordinate)",
                    "is out of order, though the archive calls itself clustered"))
        }
        return faults
    }

    private func countFaults(contents: Int) -> [TilesetFault] {
        let counts = [
            ("addressed tiles", header.addressedTiles, addressedTiles),
            ("tile entries", header.tileEntries, tileEntries),
            ("tile contents", header.tileContents, UInt64(contents)),
        ]
        // 0 stands for unknown.
        return counts.filter { $0.1 != 0 && $0.1 != $0.2 }.map {
            TilesetFault("header", "counts \($0.1) \($0.0), and there are \($0.2)")
        }
    }

    private var zoomFaults: [TilesetFault] {
        let zooms = [
            ("lowest", Int(header.minZoom), lowest), ("highest", Int(header.maxZoom), highest),
        ]
        return zooms.compactMap { name, said, tile in
            guard let zoom = tile?.zoom, zoom != said else { return nil }
            return TilesetFault("header", "says that the \(name) zoom is \(said), and it is \(zoom)")
        }
    }

    private func faults(of bytes: ReferencedBytes.Result) -> [TilesetFault] {
        var faults: [TilesetFault] = []
        if bytes.overlapping > 0 {
            faults.append(
                TilesetFault(
                    "tile data", "has tiles that begin inside others: \(bytes.overlapping)"))
        }
        // A tile outside has been reported, and leaves a gap where it should be.
        if bytes.unreferenced > 0, firstOutside == nil {
            faults.append(
                TilesetFault("tile data", "has \(bytes.unreferenced) bytes that are of no tile"))
        }
        return faults
    }
}
