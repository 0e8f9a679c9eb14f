package import Tiling

/// A piece of a shard's file: the bytes of a tile, or the pixels that are kept of one.
package struct ShardPiece: Hashable, Sendable {
    /// What the bytes are.
    package enum Kind: UInt8, Sendable {
        /// A tile as an image file.
        case tile = 1
        /// The deep pixels of a tile, packed; see `PackedPixels`.
        case pixels = 2
        /// How many pixels have which colours, of all tiles of a survey; it stands for no tile.
        case colors = 3
    }

    /// What the bytes are.
    package let kind: Kind
    /// Which tile.
    package let coordinate: TileCoordinate
    /// Where the bytes begin in the file.
    package let offset: Int
    /// How many they are.
    package let size: Int
    /// The hash of the bytes.
    package let hash: ContentHash
}

/// Which shard it is, and of what.
package struct ShardIdentity: Hashable, Sendable {
    /// What a shard's file holds.
    package enum Round: String, Hashable, Sendable {
        /// Colours, from which a palette is chosen before tiles are made.
        case survey
        /// Tiles.
        case shard
    }

    /// The digest of all that decides its bytes.
    package var digest: ContentHash
    /// The shard's number, from 0.
    package var index: Int
    /// What its file holds.
    package var round: Round

    /// Names a shard.
    package init(digest: ContentHash, index: Int, round: Round = .shard) {
        self.digest = digest
        self.index = index
        self.round = round
    }

    /// The name of its file.
    package var fileName: String { "\(index).\(round.rawValue)" }
}
