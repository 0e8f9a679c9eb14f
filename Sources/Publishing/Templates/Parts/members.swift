extension __NAME__ {
    // __IF_DISTANCE__
    /// The distance in metres from which a view shows a zoom, at which the world is 256 * 2^zoom points wide:
    /// half the view's height on the ground at the target, by the tangent of half the field of view.
    @MainActor
    static func distance(zoom: Double, at latitude: Double, in mapView: MKMapView) -> Double {
        let equator = 2 * Double.pi * 6_378_137
        let metresPerPoint = cos(latitude * .pi / 180) * equator / (256 * exp2(zoom))
        return metresPerPoint * Double(mapView.bounds.height) / 2 / tan(.pi / 12)
    }
    // __END_DISTANCE__
    // __IF_RECT__

    /// The rectangle between edges in degrees. Across the antimeridian, the east is less than the west.
    nonisolated fileprivate static func rect(
        west: Double, south: Double, east: Double, north: Double
    ) -> MKMapRect {
        let northWest = MKMapPoint(CLLocationCoordinate2D(latitude: north, longitude: west))
        let southEast = MKMapPoint(CLLocationCoordinate2D(latitude: south, longitude: east))
        let width = southEast.x - northWest.x
        return MKMapRect(
            x: northWest.x, y: northWest.y, width: width > 0 ? width : width + MKMapSize.world.width,
            height: southEast.y - northWest.y)
    }
    // __END_RECT__
}
