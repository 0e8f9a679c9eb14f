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
