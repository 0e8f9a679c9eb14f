/// How the rows of a tile matrix are counted.
public enum TileScheme: String, CaseIterable, Sendable {
    /// Row 0 in the north, as Google Maps, OpenStreetMap and most clients count.
    case xyz
    /// Row 0 in the south, as the OSGeo Tile Map Service and MBTiles count.
    case tms
}
