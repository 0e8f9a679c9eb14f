/// All directories of an archive, compressed: a root that fits beside the header into what clients
/// fetch at first, and leaves if it alone would not.
struct PMTilesDirectories {
    /// The root.
    let root: [UInt8]
    /// The leaves, one behind the other; none if the root holds all tiles.
    let leaves: [UInt8]

    private static let largestRoot = PMTilesHeader.sizeWithRoot - PMTilesHeader.size
    /// More entries than fit into a root, at less than a byte each.
    private static let mostInRoot = 16_384
    /// Entries of a leaf, which a client reads whole for one tile: some 20 to 30 KB.
    private static let smallestLeaf = 4096
    /// Leaves of a root, each of which takes some five bytes there.
    private static let usualLeaves = 3000

    /// Encodes entries, which come in ascending order, as often as they are asked for.
    ///
    /// Holds the directories in memory, some five bytes for an entry.
    init(_ entries: some Sequence<PMTilesEntry>, count: Int) throws {
        if count <= Self.mostInRoot {
            let root = try Gzip.compress(PMTilesDirectory.encode(Array(entries)))
            if root.count <= Self.largestRoot {
                self.root = root
                leaves = []
                return
            }
        }
        var leafSize = max(Self.smallestLeaf, count / Self.usualLeaves)
        while true {
            let (root, leaves) = try Self.divided(entries, leafSize: leafSize)
            if root.count <= Self.largestRoot {
                self.root = root
                self.leaves = leaves
                return
            }
            leafSize += leafSize / 2
        }
    }

    private static func divided(
        _ entries: some Sequence<PMTilesEntry>, leafSize: Int
    ) throws -> (root: [UInt8], leaves: [UInt8]) {
        var pointers: [PMTilesEntry] = []
        var leaves: [UInt8] = []
        var leaf: [PMTilesEntry] = []
        leaf.reserveCapacity(leafSize)
        func close() throws {
            guard let first = leaf.first else { return }
            let bytes = try Gzip.compress(PMTilesDirectory.encode(leaf))
            pointers.append(
                PMTilesEntry(
                    id: first.id, offset: UInt64(leaves.count), length: UInt32(bytes.count),
                    runLength: 0))
            leaves += bytes
            leaf.removeAll(keepingCapacity: true)
        }
        for entry in entries {
            leaf.append(entry)
            if leaf.count == leafSize { try close() }
        }
        try close()
        return (try Gzip.compress(PMTilesDirectory.encode(pointers)), leaves)
    }
}
