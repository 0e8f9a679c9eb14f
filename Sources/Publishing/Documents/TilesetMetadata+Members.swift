import Tiling
import Tilesets

extension TilesetMetadata {
    /// What no specification knows, in every document under the same names: `tileSize`, which
    /// clients of raster tiles need; `floor`; `mediaTypes` where tiles of two types share an
    /// extension; `tileCount` and `digest`, by which a copy is known to be whole; and `generator`.
    var ownMembers: [JSONValue.Member] {
        var members: [JSONValue.Member] = [.init("tileSize", .integer(tileSize))]
        if let floor { members.append(.init("floor", .string(floor))) }
        if format.mediaTypes.count > 1 {
            members.append(.init("mediaTypes", .array(format.mediaTypes.map(JSONValue.string))))
        }
        if let contents {
            members.append(.init("tileCount", .integer(contents.tileCount)))
            members.append(.init("digest", .string(contents.digest)))
        }
        return members + [.init("generator", .string(Self.generator))]
    }
}
