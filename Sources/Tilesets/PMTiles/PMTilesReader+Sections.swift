import Platform
import Tiling

extension PMTilesReader {
    /// The bytes of a tile.
    func tile(_ entry: PMTilesEntry, _ header: PMTilesHeader) throws -> [UInt8] {
        let place = "tile \(entry.id.coordinate)"
        let section = try part(entry, of: header.data, place: place)
        let limit = ReadingBudget.largestTile
        let bytes = try read(section, limit: limit, place: place)
        return try inflated(bytes, header.tileCompression.ifKnown, limit: limit, place: place)
    }

    /// The bytes of a tile in a pass over all.
    ///
    /// - Parameter times: how often they are lent.
    func tile(
        _ entry: PMTilesEntry, _ header: PMTilesHeader, _ cost: inout ReadingCost, times: Int
    ) throws -> [UInt8] {
        try cost.add(bytes: Int(entry.length), times: times)
        let bytes = try tile(entry, header)
        try cost.add(bytes: max(0, bytes.count - Int(entry.length)), times: times)
        return bytes
    }

    /// What an entry points to. Where a section begins counts, and not its length, which no reader needs and some
    /// writers leave out; `check` compares them.
    func part(
        _ entry: PMTilesEntry, of section: PMTilesHeader.Section, place: String
    ) throws(PMTilesDamage) -> PMTilesHeader.Section {
        let (offset, overflow) = section.offset.addingReportingOverflow(entry.offset)
        let part = PMTilesHeader.Section(offset: offset, length: UInt64(entry.length))
        guard !overflow, let end = part.end, end <= UInt64(size) else {
            throw PMTilesDamage(place, "lies beyond the end of the file")
        }
        return part
    }

    /// The metadata or a directory, inflated.
    func document(
        _ section: PMTilesHeader.Section, _ compression: PMTilesHeader.Compression, limit: Int, place: String
    ) throws -> [UInt8] {
        let bytes = try read(section, limit: limit, place: place)
        return try inflated(bytes, compression, limit: limit, place: place)
    }

    private func inflated(
        _ bytes: [UInt8], _ compression: PMTilesHeader.Compression, limit: Int, place: String
    ) throws -> [UInt8] {
        switch compression {
        case .none: return bytes
        case .gzip:
            guard let content = try Gzip.decompress(bytes, limit: limit) else {
                throw PMTilesDamage(place, "cannot be inflated")
            }
            return content
        default:
            throw PMTilesDamage(
                place, "is compressed with \(compression.name), and gzip is read")
        }
    }

    private func read(
        _ section: PMTilesHeader.Section, limit: Int, place: String
    ) throws -> [UInt8] {
        guard let end = section.end, end <= UInt64(size) else {
            throw PMTilesDamage(place, "lies beyond the end of the file")
        }
        guard section.length <= UInt64(limit) else {
            throw PMTilesDamage(place, "has \(section.length) bytes, and \(limit) are read")
        }
        let count = Int(section.length)
        return try Self.read(file, at: Int(section.offset), count: count, path: path)
    }

    /// Bytes of the file.
    static func read(
        _ file: borrowing FileDescriptor, at offset: Int, count: Int, path: String
    ) throws -> [UInt8] {
        let bytes: [UInt8]
        do throws(SystemError) { bytes = try file.readBytes(at: offset, count: count) } catch {
            throw Failure(.inputOutput, "cannot read '\(path)': \(error.text)")
        }
        guard bytes.count == count else {
            throw Failure(.inputOutput, "cannot read '\(path)': it became shorter meanwhile")
        }
        return bytes
    }
}
