import CommandSupport
import ArgumentParser
import Platform
import TilewrightKit
import Tiling

/// What a tile is taken of, and its address.
struct TileArguments: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "A folder of tiles or an archive; or the image, or several, as 'build' takes them, and "
                + "@LIST; or a manifest. The last argument is the tile's address, Z/X/Y.",
            valueName: "thing... z/x/y"),
        completion: .things)
    var arguments: [String]

    /// The address as it was written; empty if there is none.
    var written: String { arguments.last ?? "" }

    /// The address.
    ///
    /// - Parameter scheme: how it counts rows.
    /// - Throws: `.usage` if there is none, or nothing that the tile could be taken of.
    func address(in scheme: TileScheme) throws -> TileCoordinate {
        let address = try TileCoordinate(parsing: written, in: scheme)
        guard arguments.count > 1 else {
            throw Failure(
                .usage, "there is nothing to take the tile \(written) of",
                remedy: "name a tileset or an image before the address")
        }
        return address
    }

    /// The names of tilesets and images, including the names in lists.
    ///
    /// - Throws: `Failure` if a list cannot be read, or has no names.
    func paths() throws -> [String] { try arguments.dropLast().flatMap(SourceList.paths) }

    /// The paths of the lists.
    var lists: [String] { arguments.dropLast().compactMap(SourceList.path) }

    /// The only tileset; nil if all paths are those of images.
    ///
    /// - Throws: `.usage` if there are several, or images beside it.
    func tileset(of paths: [String]) throws -> String? {
        guard let tileset = paths.first(where: StoredTileset.isTileset) else { return nil }
        guard let other = paths.first(where: { $0 != tileset }) ?? paths.dropFirst().first else {
            return tileset
        }
        let isImage = !StoredTileset.isTileset(other)
        throw Failure(
            .usage,
            isImage
                ? "'\(tileset)' is a tileset, and '\(other)' is an image"
                : "'\(tileset)' and '\(other)' are two tilesets, and the tile can be of one",
            remedy: "name one tileset, or images only")
    }
}
