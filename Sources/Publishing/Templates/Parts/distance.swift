/// The distance in metres from which a view shows a zoom, at which the world is 256 * 2^zoom points wide:
/// half the view's height on the ground at the target, by the tangent of half the field of view.
@MainActor
static func distance(zoom: Double, at latitude: Double, in mapView: MKMapView) -> Double {
    let equator = 2 * Double.pi * 6_378_137
    let metresPerPoint = cos(latitude * .pi / 180) * equator / (256 * exp2(zoom))
    return metresPerPoint * Double(mapView.bounds.height) / 2 / tan(.pi / 12)
}
