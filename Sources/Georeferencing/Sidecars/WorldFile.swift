import Platform
package import Tiling

/// A world file: six numbers that place the centres of an image's pixels in a CRS it does not name.
package struct WorldFile: Hashable, Sendable {
    /// From pixels, counted from the image's top-left corner, to coordinates.
    package let pixelToCRS: AffineTransform

    /// Makes the world file of a transform.
    package init(pixelToCRS: AffineTransform) {
        self.pixelToCRS = pixelToCRS
    }

    /// Reads the lines A, D, B, E, C, F, of which C and F place the centre of the first pixel.
    ///
    /// - Parameters:
    ///   - text: the file's content; any line ends and empty lines are fine.
    ///   - path: the file's name for messages.
    package init(parsing text: String, path: String) throws {
        let numbers = try WorldFile.numbers(in: text, path: path)
        let centred = AffineTransform(
            a: numbers[0], b: numbers[2], c: numbers[4], d: numbers[1], e: numbers[3], f: numbers[5]
        )
        guard centred.determinant.isNormal else {
            throw Failure(
                .badInput,
                cannot: "use the world file '\(path)'",
                "its first four numbers squeeze the image into a line")
        }
        pixelToCRS = AffineTransform.translation(x: -0.5, y: -0.5).followed(by: centred)
    }

    /// Reads a world file.
    package init(contentsOf path: String) throws {
        try self.init(parsing: InputFile.text(of: path), path: path)
    }

    /// The file's content: six lines.
    package var text: String {
        let centred = AffineTransform.translation(x: 0.5, y: 0.5).followed(by: pixelToCRS)
        return [centred.a, centred.d, centred.b, centred.e, centred.c, centred.f]
            .map { "\($0)\n" }.joined()
    }

    private static func numbers(in text: String, path: String) throws -> [Double] {
        let fields = text.split(whereSeparator: \.isWhitespace)
        guard fields.count == 6 else {
            throw Failure(
                .badInput,
                cannot: "use the world file '\(path)'", "it holds \(fields.count) values instead of six",
                remedy:
                    "it needs six lines: the size of a pixel, two turns, its height below zero, and where the centre "
                    + "of the first pixel lies")
        }
        return try fields.map { field in
            guard let number = Double(field), number.isFinite else {
                throw Failure(
                    .badInput,
                    cannot: "use the world file '\(path)'",
                    "'\(String(field).shortened)' is not a number",
                    remedy: field.contains(",") ? "write decimals with a point" : nil)
            }
            return number
        }
    }
}
