/// Finds contents by their hashes: a table of their numbers, half as long again as there are contents
/// or longer, in which a number stands at its hash or in the next free place behind.
///
/// Takes 6 to 12 bytes for a content, a fifth of a dictionary, since the hashes stand elsewhere.
struct ContentIndex: Sendable {
    private static let free = UInt32.max

    private var slots = [UInt32](repeating: free, count: 1024)
    private var count = 0

    /// The number of a content, or nil if it is new; it then gets the next number.
    ///
    /// - Parameter hashes: gives the hash of each content that has a number.
    mutating func find(
        _ hash: ContentHash, orAddTo hashes: (UInt32) -> ContentHash
    ) -> UInt32? {
        let slot = slot(of: hash, hashes)
        if slots[slot] != Self.free { return slots[slot] }
        slots[slot] = UInt32(count)
        count += 1
        return nil
    }

    /// Makes room for one more content; before `find`.
    mutating func reserve(_ hashes: (UInt32) -> ContentHash) {
        guard 3 * (count + 1) > 2 * slots.count else { return }
        slots = [UInt32](repeating: Self.free, count: 2 * slots.count)
        for number in 0..<UInt32(count) { slots[slot(of: hashes(number), hashes)] = number }
    }

    private func slot(of hash: ContentHash, _ hashes: (UInt32) -> ContentHash) -> Int {
        let mask = slots.count - 1
        var slot = Int(truncatingIfNeeded: hash.low) & mask
        while slots[slot] != Self.free, hashes(slots[slot]) != hash { slot = (slot + 1) & mask }
        return slot
    }
}

/// Contents that were seen, by their hashes: some 30 bytes of memory each.
package struct ContentSet: Sendable {
    private var hashes: [ContentHash] = []
    private var index = ContentIndex()

    /// Starts without one.
    package init() {}

    /// Adds a content.
    ///
    /// - Returns: its number, from 0 in the order of their coming, and whether it was not there before.
    package mutating func insert(_ hash: ContentHash) -> (number: Int, isNew: Bool) {
        if let number = number(of: hash) { return (Int(number), false) }
        hashes.append(hash)
        return (hashes.count - 1, true)
    }

    private mutating func number(of hash: ContentHash) -> UInt32? {
        let hashes = hashes
        index.reserve { hashes[Int($0)] }
        return index.find(hash) { hashes[Int($0)] }
    }
}

/// How many tiles hold the same: contents by their hashes, and how many tiles have each.
///
/// Holds 32 bytes for each different content in memory, and its place in the index.
struct ContentTally: Sendable {
    private struct Content: Sendable, BitwiseCopyable {
        var hash: ContentHash
        /// Bytes; a tile beyond 4 GiB is a bug.
        var length: UInt32
        var tiles: Int
    }

    private var contents: [Content] = []
    private var index = ContentIndex()

    /// Counts tiles that hold a content.
    mutating func count(_ hash: ContentHash, size: Int, tiles: Int) {
        if let number = number(of: hash) {
            contents[Int(number)].tiles += tiles
        } else {
            contents.append(Content(hash: hash, length: UInt32(clamping: size), tiles: tiles))
        }
    }

    private mutating func number(of hash: ContentHash) -> UInt32? {
        let contents = contents
        index.reserve { contents[Int($0)].hash }
        return index.find(hash) { contents[Int($0)].hash }
    }

    /// The number of different contents.
    var count: Int { contents.count }

    /// Bytes of the contents, each once.
    var bytes: Int { contents.reduce(0) { $0.addingSaturated(Int($1.length)) } }

    /// The number of tiles that hold what another tile holds too.
    var sharingTiles: Int { contents.reduce(0) { $1.tiles > 1 ? $0.addingSaturated($1.tiles) : $0 } }
}

extension Int {
    /// The sum, or the largest number if it is larger: what a file claims may be beyond all measure.
    package func addingSaturated(_ other: Int) -> Int {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }

    /// The product of two numbers that are not negative, likewise.
    func multipliedSaturated(by other: Int) -> Int {
        let (product, overflow) = multipliedReportingOverflow(by: other)
        return overflow ? .max : product
    }
}
