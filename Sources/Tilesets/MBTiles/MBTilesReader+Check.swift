import Diagnostics
package import Tiling

extension MBTilesReader {
    package func check(
        _ report: (TilesetFault) -> Void, tiles body: (EncodedTile) throws -> Void
    ) throws {
        var isSound = true
        try check { fault in
            isSound = false
            report(fault)
        }
        do {
            try forEachSoundTile(body)
        } catch let failure as Failure where failure.kind == .badInput {
            if isSound { report(TilesetFault("the database", failure.message)) }
        }
    }
}
