import TilewrightKit

// The ground floor of the example building. The world file next to the image says where the floor is.
let plan = ImageRequest(CommandLine.arguments.dropFirst().first ?? "../ground.png")

// Builds its tiles in a folder.
var output = OutputRequest("tiles")
output.labels.name = "Ground floor"
let build = try TilesetBuild(
    BuildRequest(plan, pyramid: PyramidRequest(zoom: ZoomRange(17...20)), output: output))
build.warnings.forEach { print("warning: \($0)") }
let summary = try await build.run()
print("\(summary.tileCount) tiles, \(summary.changes.written) of them new or changed")

// Renders one of these tiles again, in memory.
if let address = try StoredTileset("tiles").metadata.limits.first.map({
    TileCoordinate(zoom: $0.zoom, column: $0.columns.lowerBound, row: $0.rows.lowerBound)
}), let tile = try await build.plan.onDemand.tile(at: address) {
    let isSame = try StoredTileset("tiles").tile(at: address) == tile
    print("tile \(address) has \(tile.count) bytes, \(isSame ? "as" : "not as") in the folder")
}
