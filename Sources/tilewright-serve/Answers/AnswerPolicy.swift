import CommandSupport
import Publishing
import TilewrightKit

/// How a server answers, as its options say.
struct AnswerPolicy: Sendable {
    /// What stands for a tile that does not exist.
    let missing: MissingTileAnswer
    /// Whose pages may read tiles, TileJSON and archives.
    let origin: String
    /// The same for the indexes of buildings; nil for none but the server's own.
    let indexOrigin: String?
    /// The map library of the page.
    let library: MapLibrary
    /// The folder that it is read from; nil for the web.
    let assets: String?

    /// Takes what the options say.
    ///
    /// - Throws: a `Failure` if the map library cannot be read.
    init(_ options: ServeOptions) throws {
        missing = options.missing
        origin = options.origin?.text ?? "*"
        indexOrigin = options.origin?.text
        assets = options.page.viewerAssets
        library = try options.page.viewerAssets.map(MapLibrary.init(directory:)) ?? .hosted
    }
}
