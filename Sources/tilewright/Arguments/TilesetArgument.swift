import Platform
import TilewrightKit

/// A finished tileset among the arguments of a command.
enum TilesetArgument {
    /// The tileset; nil if no argument is one.
    ///
    /// - Throws: `.usage` if something stands beside it.
    static func only(of paths: [String]) throws(Failure) -> String? {
        guard let tileset = paths.first(where: StoredTileset.isTileset) else { return nil }
        guard let other = paths.first(where: { $0 != tileset }) ?? paths.dropFirst().first else {
            return tileset
        }
        throw Failure(
            .usage, "'\(tileset)' is a tileset, and '\(other)' stands beside it",
            remedy: "name one tileset, or images only")
    }

    /// Refuses options that are for images.
    ///
    /// - Throws: `.usage`.
    static func refuse(_ given: [String], beside tileset: String) throws(Failure) {
        guard let option = given.first else { return }
        throw Failure(
            .usage, "\(option) has no meaning for '\(tileset)', whose tiles are made already",
            remedy: "leave it out, or name the image that the tiles were made of")
    }
}
