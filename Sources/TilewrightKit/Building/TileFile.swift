import Platform

/// The file that a single tile goes to.
public struct TileFile: Sendable {
    /// Its path.
    public let path: String

    /// Names a file for a tile of images.
    ///
    /// - Parameters:
    ///   - images: what the tile is rendered from.
    ///   - others: other files that are read: lists that named the images, a cutline.
    /// - Throws: a `Failure`: `usage` if the file is one that is read for the tile, `outputRefused` if no
    ///   file can be written there.
    public init(_ path: String, of images: [ImageRequest], others: [String] = []) throws {
        try OutputPicture.check(path, isNoneOf: images, others: others)
        try OutputFile.checkPlace(path)
        self.path = path
    }

    /// Names a file for a tile of a finished tileset.
    ///
    /// - Throws: a `Failure`: `usage` if the file is in the tileset, `outputRefused` if no file can be written
    ///   there.
    public init(_ path: String, of tileset: StoredTileset) throws {
        try OutputPicture.check(path, isOutside: tileset)
        try OutputFile.checkPlace(path)
        self.path = path
    }

    /// The folder of a file.
    public static func folder(of path: String) -> String { path.parentDirectory }

    /// Writes the tile, whole or not at all, in the place of what has the name.
    ///
    /// - Throws: a `Failure`: `outputRefused` if the file cannot be made, `inputOutput` if writing fails.
    public func write(_ bytes: [UInt8]) throws { try OutputFile.write(bytes, to: path) }
}

/// Keeps a picture from being written over what it is made of.
enum OutputPicture {
    /// Refuses a path that leads to an image, or to a file beside it.
    static func check(
        _ path: String, isNoneOf images: [ImageRequest], others: [String]
    ) throws {
        let inputs = try BuildInputs(images, others: others).paths
        if let input = inputs.first(where: { OutputFile.areSame($0, path) }) {
            throw refusal(path, "'\(input)' is read for it")
        }
    }

    /// Refuses a path that leads into a tileset.
    static func check(_ path: String, isOutside tileset: StoredTileset) throws {
        if OutputFile.isInside(path, tileset.path) || OutputFile.areSame(path, tileset.path) {
            throw refusal(path, "that is a part of the tileset '\(tileset.path)'")
        }
    }

    /// What is wrong with a path, and the way out.
    static func refusal(_ path: String, _ why: String) -> Failure {
        Failure(.usage, cannot: "write '\(path)'", why, remedy: "give the picture a place of its own with -o")
    }
}
