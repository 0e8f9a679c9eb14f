import TestSupport

/// An image that Python draws, larger than tests draw by themselves in reasonable time.
struct PageImage: Sendable {
    /// What is seen.
    enum Kind: String, Sendable {
        /// Lines and rectangles of many colours on white paper, so many that little of it is left: what is known to be of
        /// one colour takes less memory.
        case plan
        /// Few of them.
        case paper
        /// The same in gray.
        case gray
        /// Waves and noise.
        case photograph
    }

    /// Its name, by whose ending Pillow knows the file type.
    var name: String
    var kind: Kind
    var width: Int
    var height: Int
    /// How Pillow is told to write it, as keywords of Python.
    var keywords = ""

    /// The modules of Python that draw it.
    static let modules = ["numpy", "PIL"]

    private static let script = """
        import sys
        import numpy
        from PIL import Image, ImageDraw
        name, kind, width, height, keywords = sys.argv[1:]
        width, height = int(width), int(height)
        chance = numpy.random.default_rng(1)
        if kind == "photograph":
            noise = chance.normal(128, 12, (height, width, 3)).astype(numpy.float32)
            waves = 50 * numpy.sin(numpy.arange(width) / 37) + 50 * numpy.cos(numpy.arange(height) / 53)[:, None]
            image = Image.fromarray(numpy.clip(noise + waves[..., None], 0, 255).astype(numpy.uint8))
        else:
            image = Image.new("RGB", (width, height), "white")
            draw = ImageDraw.Draw(image)
            each = 200000 if kind == "paper" else 3000
            for x, y, across, down, red, green, blue in chance.integers(
                    0, [width, height, 200, 200, 255, 255, 255], (width * height // each, 7)).tolist():
                draw.line((x, y, x + across, y + down), fill=(red, green, blue), width=3)
                draw.rectangle((x, y, x + down, y + across), outline=(green, blue, red), width=2)
            image = image.convert("L") if kind == "gray" else image
        image.save(name, **eval(f"dict({keywords})"))
        """

    /// Draws it, the same each time.
    func draw(in workshop: Workshop) throws {
        let arguments = [name, kind.rawValue, "\(width)", "\(height)", keywords]
        let outcome = try Python.run(Self.script, arguments, with: Self.modules, in: workshop.url)
        if outcome.status != 0 { throw Failed(errors: outcome.errors) }
    }

    private struct Failed: Error { var errors: String }
}
