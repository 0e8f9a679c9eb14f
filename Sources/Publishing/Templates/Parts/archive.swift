/// The tiles. A fault does not end by itself, such as a key that ran out.
static let archive = TileArchive(
    __OPEN__,
    facts: TilesetFacts(
        zooms: __MIN_ZOOM__...__MAX_ZOOM__,
        bounds: TileBounds(west: __WEST__, south: __SOUTH__, east: __EAST_UNWRAPPED__, north: __NORTH__),
        tileSize: __TILE_SIZE__,
        // __IF_TREES__
        // Zoom, first column, first row, last column, last row.
        limits: [
            __LIMITS__
        ],
        // __END_TREES__
    )
) { fault in print("__NAME__:", fault.reason) }
