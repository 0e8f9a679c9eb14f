import Platform
import Tiling

extension GroundOverlay {
    /// Where an image of the given size lies: linear, or projective, in longitude and latitude, as
    /// Google Earth drapes it.
    package func georeference(width: Int, height: Int) throws -> Georeference {
        let transform: PixelTransform =
            switch shape {
            case .box(let box, let rotation):
                .affine(GroundOverlay.turned(box, by: rotation, Double(width), Double(height)))
            case .quad(let corners):
                try GroundOverlay.transform(to: corners, width: width, height: height)
            }
        return Georeference(crs: .wgs84, pixelToCRS: transform)
    }

    /// Angles are those on the ground, where a degree of longitude is shorter than one of latitude, by
    /// the cosine of the centre's latitude.
    private static func turned(
        _ box: BoundingBox, by rotation: Double, _ width: Double, _ height: Double
    ) -> AffineTransform {
        let centre = box.center
        let squeeze = cos(centre.y * .pi / 180)
        let angle = rotation.remainder(dividingBy: 360) * .pi / 180
        let (cosine, sine) = rotation == 0 ? (1, 0) : (cos(angle), sin(angle))
        let upright = AffineTransform(
            a: box.width / width, b: 0, c: -box.width / 2,
            d: 0, e: -box.height / height, f: box.height / 2)
        let turn = AffineTransform(
            a: cosine, b: -sine / squeeze, c: centre.x, d: sine * squeeze, e: cosine, f: centre.y)
        return upright.followed(by: turn)
    }

    private static func transform(
        to corners: [Point], width: Int, height: Int
    ) throws -> PixelTransform {
        // Of the image: top left, top right, bottom right, bottom left.
        let ring = [corners[3], corners[2], corners[1], corners[0]]
        let (right, down) = (ring[1] - ring[0], ring[3] - ring[0])
        let skew = ring[0] + right + down - ring[2]
        guard skew.length > 1e-9 * min(right.length, down.length) else {
            let (w, h) = (Double(width), Double(height))
            return .affine(
                AffineTransform(
                    a: right.x / w, b: down.x / h, c: ring[0].x,
                    d: right.y / w, e: down.y / h, f: ring[0].y))
        }
        let pixels = PixelTransform.corners(width: width, height: height)
        return .projective(try ProjectiveTransform(from: pixels, to: ring))
    }
}
