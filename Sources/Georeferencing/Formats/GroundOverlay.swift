import Platform
import Tiling

/// A KML GroundOverlay: an image on the ground.
package struct GroundOverlay: Hashable, Sendable {
    /// Its position.
    enum Shape: Hashable {
        /// `LatLonBox`: edges in degrees, and the degrees by which the image is turned anticlockwise about
        /// the centre of the box.
        case box(BoundingBox, rotation: Double)
        /// `gx:LatLonQuad`: lower left, lower right, upper right and upper left corner of the image.
        case quad([Point])
    }

    /// Its name for people; empty if there is none.
    package let name: String
    /// The address of its image as in the file; empty if there is none.
    package let image: String

    let shape: Shape

    /// Reads the element.
    ///
    /// - Throws: a `Failure` of kind `badInput` that says what is missing or wrong.
    init(_ element: XMLElement) throws {
        name = element["name"]?.trimmedText ?? ""
        image = GroundOverlay.image(of: element)
        if let quad = element["LatLonQuad"] {
            shape = .quad(try GroundOverlay.corners(of: quad))
        } else if let box = element["LatLonBox"] ?? element["LatLonAltBox"] {
            shape = try GroundOverlay.box(box)
        } else {
            throw Failure(.badInput, "its GroundOverlay has neither LatLonBox nor gx:LatLonQuad")
        }
    }

    /// The address of the image of an element.
    static func image(of element: XMLElement) -> String { element["Icon"]?["href"]?.trimmedText ?? "" }

    /// The name in messages: the address of its image, or else its name.
    package var title: String { image.isEmpty ? name : image }

    /// The last part of the image's address.
    var imageName: String {
        let name = image.split(whereSeparator: { "/\\".contains($0) }).last.map(String.init) ?? ""
        return name.decodingPercents
    }

    private static func box(_ element: XMLElement) throws -> Shape {
        func degrees(_ name: String) throws -> Double {
            guard let text = element[name]?.trimmedText else {
                throw Failure(.badInput, "its LatLonBox has no \(name)")
            }
            guard let value = Double(text), value.isFinite else {
                throw Failure(.badInput, "its \(name), '\(text.shortened)', is not a number")
            }
            return value
        }
        let rotation = element["rotation"] == nil ? 0 : try degrees("rotation")
        var box = BoundingBox(
            minX: try degrees("west"), minY: try degrees("south"), maxX: try degrees("east"),
            maxY: try degrees("north"))
        // Across the antimeridian, some files count beyond 180, others start again at -180.
        if box.maxX < box.minX { box.maxX += 360 }
        guard box.minY < box.maxY, box.minX < box.maxX else {
            throw Failure(
                .badInput,
                "its LatLonBox has no area: north \(box.maxY) is not above south \(box.minY), or "
                    + "east not right of west")
        }
        for corner in [Point(x: box.minX, y: box.minY), Point(x: box.maxX, y: box.maxY)] {
            try checkPlace(corner, "its LatLonBox")
        }
        return .box(box, rotation: rotation)
    }

    private static func corners(of element: XMLElement) throws -> [Point] {
        let text = element["coordinates"]?.text ?? ""
        var corners = try tuples(text).map { tuple in
            let numbers = tuple.split(separator: ",").map { Double($0) ?? .nan }
            guard (2...3).contains(numbers.count), numbers.allSatisfy(\.isFinite) else {
                throw Failure(
                    .badInput, "'\(String(tuple).shortened)' of its gx:LatLonQuad is not a place")
            }
            let corner = Point(x: numbers[0], y: numbers[1])
            try checkPlace(corner, "its gx:LatLonQuad")
            return corner
        }
        // Some files close the ring.
        if corners.count == 5, corners[4] == corners[0] { corners.removeLast() }
        guard corners.count == 4 else {
            throw Failure(.badInput, "its gx:LatLonQuad has \(corners.count) corners instead of 4")
        }
        try checkRing(corners.unwrapped)
        return corners.unwrapped
    }

    /// Splits coordinates at white space. White space next to commas is not allowed, but frequent.
    static func tuples(_ text: String) -> [Substring] {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map { part in
            part.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        }
        return parts.joined(separator: ",")[...].split(separator: " ")
    }

    /// Seen with north up, the corners must turn anticlockwise all the way around.
    private static func checkRing(_ ring: [Point]) throws {
        let turns = ring.turns
        guard turns.allSatisfy({ $0 > 1e-6 }) else {
            throw Failure(
                .badInput,
                turns.allSatisfy { $0 < 0 }
                    ? "the corners of its gx:LatLonQuad run clockwise, so the image would be mirrored"
                    : "the corners of its gx:LatLonQuad do not form a convex image")
        }
    }

    private static func checkPlace(_ lonLat: Point, _ subject: String) throws {
        guard lonLat.isPlace else {
            throw Failure(
                .badInput,
                "\(subject) is at \(lonLat.x),\(lonLat.y), which is not a place on the Earth")
        }
    }
}

extension String {
    /// The text with `%20` and the like decoded.
    var decodingPercents: String {
        var bytes: [UInt8] = []
        var rest = Substring(self).utf8
        while let byte = rest.popFirst() {
            let digits = String(decoding: rest.prefix(2), as: UTF8.self)
            if byte == UInt8(ascii: "%"), digits.utf8.count == 2,
                let value = UInt8(digits, radix: 16)
            {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension GroundOverlay {
    /// The position of an image of the given size: linear or projective in longitude and latitude, as Google
    /// Earth drapes it.
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

    /// Angles are measured on the ground, where a degree of longitude is shorter than a degree of latitude by
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
        // Corners of the image: top left, top right, bottom right, bottom left.
        let ring = [corners[3], corners[2], corners[1], corners[0]]
        let (right, down) = (ring[1] - ring[0], ring[3] - ring[0])
        let skew = ring[0] + right + down - ring[2]
        guard skew.length > 1e-9 * min(right.length, down.length) else {
            return .affine(
                AffineTransform(corner: ring[0], right: right, down: down, width: width, height: height))
        }
        let pixels = PixelTransform.corners(width: width, height: height)
        return .projective(try ProjectiveTransform(from: pixels, to: ring))
    }
}
