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
