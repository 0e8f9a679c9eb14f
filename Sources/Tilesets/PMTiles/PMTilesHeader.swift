/// The 127 bytes at the front of an archive of PMTiles, version 3; numbers are little-endian.
struct PMTilesHeader: Hashable, Sendable {
    /// The bytes that it takes.
    static let size = 127
    /// Clients fetch so much at first, and expect the header and the whole root directory in it.
    static let sizeWithRoot = 16_384

    /// A part of the file.
    struct Section: Hashable, Sendable {
        /// Where it begins, in bytes from the front of the file.
        var offset: UInt64 = 0
        /// Its bytes.
        var length: UInt64 = 0

        /// Where it ends, or nil if no file is as long.
        var end: UInt64? {
            let (end, overflow) = offset.addingReportingOverflow(length)
            return overflow || end > UInt64(Int.max) ? nil : end
        }
    }

    /// How bytes are compressed. Any value can stand in a file.
    struct Compression: RawRepresentable, Hashable, Sendable {
        var rawValue: UInt8
        static let unknown = Compression(rawValue: 0)
        static let none = Compression(rawValue: 1)
        static let gzip = Compression(rawValue: 2)
        static let brotli = Compression(rawValue: 3)
        static let zstd = Compression(rawValue: 4)
    }

    /// What tiles are. Any value can stand in a file.
    struct TileType: RawRepresentable, Hashable, Sendable {
        var rawValue: UInt8
        static let other = TileType(rawValue: 0)
        static let vector = TileType(rawValue: 1)
        static let png = TileType(rawValue: 2)
        static let jpeg = TileType(rawValue: 3)
        static let webp = TileType(rawValue: 4)
        static let avif = TileType(rawValue: 5)
    }

    /// The directory that is read first.
    var root = Section()
    /// The JSON object.
    var metadata = Section()
    /// The directories that the root points to.
    var leaves = Section()
    /// The tiles.
    var data = Section()
    /// The number of tiles; 0 for unknown, as for the next two.
    var addressedTiles: UInt64 = 0
    /// The number of entries of all directories that are tiles.
    var tileEntries: UInt64 = 0
    /// The number of different tiles.
    var tileContents: UInt64 = 0
    /// Whether tiles lie in the order of their IDs.
    var isClustered = false
    /// Of directories and metadata.
    var internalCompression = Compression.unknown
    /// Of each tile, on top of its file type.
    var tileCompression = Compression.unknown
    /// The file type of all tiles.
    var tileType = TileType.other
    /// The lowest zoom.
    var minZoom: UInt8 = 0
    /// The highest zoom.
    var maxZoom: UInt8 = 0
    /// West, south, east, north in units of 1e-7 degrees.
    var bounds: [Int32] = [0, 0, 0, 0]
    /// The zoom for a first look.
    var centerZoom: UInt8 = 0
    /// Longitude and latitude for a first look, in units of 1e-7 degrees.
    var center: [Int32] = [0, 0]
}
