import CommandSupport
import ArgumentParser
import Platform
import TilewrightKit

/// What an image of a view is, where it lies and what would be built of it. `--zoom` and `--bearing` are the
/// camera's.
struct ViewedImageOptions: ParsableArguments {
    @OptionGroup(title: "What of an image counts") var image: ImageOptions
    @OptionGroup(title: "Where an image lies") var position: ViewedPositionOptions
    @OptionGroup(title: "What to build of an image") var tiles: TileFormOptions

    /// What would be built; the zooms are those from the overview to the native one.
    var pyramid: PyramidRequest { tiles.request }

    /// The requests for images.
    ///
    /// - Throws: `.usage` if more than one option says where they lie, or if there are several and an option
    ///   is meant for one.
    func requests(_ paths: [String]) throws -> [ImageRequest] {
        try image.requests(paths, at: position.request())
    }

    /// The names of the options that were given.
    var given: [String] { image.given + position.given + tiles.given }

    /// Refuses options that mean nothing, since there is no image.
    ///
    /// - Parameters:
    ///   - thing: what there is in its place, as the error names it.
    ///   - others: options that mean something in any case.
    /// - Throws: `.usage`.
    func checkAbsent(for thing: String, but others: [String] = []) throws(Failure) {
        guard let option = given.first(where: { !others.contains($0) }) else { return }
        throw Failure(
            .usage, "\(option) has no meaning for \(thing)",
            remedy: "leave it out, or name an image")
    }
}
