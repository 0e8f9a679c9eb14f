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
