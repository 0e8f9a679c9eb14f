import Platform
import Tiling

/// The new contents of an archive that is being written, each once, in the order in which they were added:
/// the last ones in memory, all others in a scratch file without a name.
///
/// It takes the memory of its `TileLedger` and of the contents in memory.
struct TileSpool: ~Copyable, Sendable {
    /// The tiles and their contents.
    var ledger: TileLedger

    private let file: FileDescriptor
    private let directory: String
    /// The bytes that are not in the file yet.
    private var buffer: [UInt8] = []
    /// The number of bytes in the file.
    private var stored = 0
    /// The bytes in memory of a new archive. Beside an earlier one, few contents are new, and if they fit
    /// into memory, nothing is written twice.
    private let capacity: Int

    /// Makes the scratch file.
    ///
    /// - Parameter ledger: the tiles of the earlier archive, if there is one.
    /// - Throws: if the directory cannot be written to.
    init(in directory: String, after ledger: TileLedger = TileLedger()) throws {
        file = try trying("make a scratch file in '\(directory)'", FileDescriptor(scratchFileIn: directory))
        self.directory = directory
        self.ledger = ledger
        capacity = ledger.earlier.isEmpty ? 1 << 20 : 16 << 20
    }

    /// Adds a tile, and keeps its bytes if they are new.
    ///
    /// - Throws: if the tile has 4 GiB or more, which archives cannot store; if the disk is full.
    mutating func append(_ tile: EncodedTile) throws {
        guard tile.bytes.count <= UInt32.max else {
            throw Failure(
                .badInput, "cannot write tile \(tile.coordinate): it has \(tile.bytes.count) bytes")
        }
        guard ledger.add(tile) != nil else { return }
        if buffer.count + tile.bytes.count > capacity {
            try store(buffer)
            buffer.removeAll(keepingCapacity: true)
        }
        if tile.bytes.count > capacity { try store(tile.bytes) } else { buffer += tile.bytes }
    }

    private mutating func store(_ bytes: [UInt8]) throws {
        try trying("write to a scratch file in '\(directory)'", file.write(bytes))
        stored += bytes.count
    }

    /// Fills a buffer with kept bytes.
    ///
    /// - Parameter offset: counted from the first content.
    func read(into output: UnsafeMutableRawBufferPointer, at offset: Int) throws {
        let share = min(output.count, max(0, stored - offset))
        let ofFile = UnsafeMutableRawBufferPointer(rebasing: output[..<share])
        let count = try trying("read a scratch file in '\(directory)'", file.read(into: ofFile, at: offset))
        if count < ofFile.count {
            throw Failure(.inputOutput, "cannot read a scratch file in '\(directory)': it was truncated")
        }
        if ofFile.count == output.count { return }
        let rest = UnsafeMutableRawBufferPointer(rebasing: output[ofFile.count...])
        let start = offset + ofFile.count - stored
        buffer.withUnsafeBytes { bytes in
            rest.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[start..<start + rest.count]))
        }
    }

    /// The bytes of a new content.
    func bytes(of content: TileLedger.Content) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: Int(content.length))
        try bytes.withUnsafeMutableBytes { try read(into: $0, at: Int(content.offset)) }
        return bytes
    }
}
