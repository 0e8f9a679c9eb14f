extension __NAME__ {
    // __IF_ENLARGED__
    /// The part of an ancestor's file that a tile at a higher zoom shows, enlarged to a tile; nil if the
    /// file is not a picture.
    nonisolated fileprivate static func enlarged(_ file: Data, x: Int, y: Int, steps: Int) -> CGImage? {
        guard let source = CGImageSourceCreateWithData(file as CFData, nil),
            let picture = CGImageSourceCreateImageAtIndex(source, 0, nil),
            let space = CGColorSpace(name: CGColorSpace.sRGB),
            let context = CGContext(
                data: nil, width: picture.width, height: picture.height, bitsPerComponent: 8,
                bytesPerRow: 0, space: space, bitmapInfo: CGImageAlphaInfo.premultipliedLast.rawValue)
        else { return nil }
        context.interpolationQuality = .high
        // The context shows a part of the whole picture, so that pixels beyond the part are used at its
        // edges. The context counts rows from the south.
        let count = 1 << steps
        let (column, row) = (x % count, count - 1 - y % count)
        let (width, height) = (picture.width, picture.height)
        context.draw(
            picture,
            in: CGRect(
                x: -column * width, y: -row * height, width: count * width, height: count * height))
        return context.makeImage()
    }
    // __END_ENLARGED__
    // __IF_FILE__

    /// A picture as a PNG file.
    nonisolated fileprivate static func file(_ picture: CGImage) -> Data? {
        let file = NSMutableData()
        guard
            let target = CGImageDestinationCreateWithData(
                file as CFMutableData, "public.png" as CFString, 1, nil)
        else { return nil }
        CGImageDestinationAddImage(target, picture, nil)
        return CGImageDestinationFinalize(target) ? Data(referencing: file) : nil
    }

    // __END_FILE__
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
