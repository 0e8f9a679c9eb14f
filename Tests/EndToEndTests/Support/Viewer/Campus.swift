import Foundation
import TestSupport
import Testing

/// Two buildings side by side, floors of one colour each, with a manifest: a small place to look at.
struct Campus {
    /// The colours of the floors.
    static let colours: [String: Picture.Colour] = [
        "mall-B1": (90, 90, 90, 255), "mall-0": (200, 40, 40, 255), "mall-1": (40, 80, 200, 255),
        "pavilion-0": (30, 160, 60, 255), "pavilion-1": (230, 190, 20, 255),
    ]
    /// What a strip in the west of the mall's first floor has, a fifth of its width.
    static let strip: Picture.Colour = (250, 20, 130, 96)

    private static let manifest = """
        name: Harbour
        output: tiles
        buildings:
          - name: Mall
            output: tiles/mall
            zoom: 15-17
            bounds: 2,48,2.003,48.002
            floors:
              - {floor: B1, label: Basement, ordinal: -1, image: mall-B1.png}
              - {floor: 0, label: Ground floor, short-name: G, image: mall-0.png}
              - {floor: 1, label: First floor, image: mall-1.png}
          - name: Pavilion
            output: tiles/pavilion
            zoom: 15-17
            bounds: 2.0035,48,2.005,48.001
            floors:
              - {floor: 0, label: Ground floor, image: pavilion-0.png}
              - {floor: 1, label: Gallery, image: pavilion-1.png}

        """

    private let scratch: TemporaryDirectory

    /// Draws the plans and writes `campus.yaml`; builds nothing.
    init() throws {
        scratch = try TemporaryDirectory()
        for (name, colour) in Self.colours {
            var plan = Picture(width: 300, height: 200, colour: colour)
            if name == "mall-1" { plan.fill(0..<60, 0..<200, Self.strip) }
            try plan.write(to: scratch.path("\(name).png"))
        }
        _ = try scratch.write(Self.manifest, to: "campus.yaml")
    }

    /// The folder of all of it.
    var url: URL { scratch.url }

    /// A file or a folder inside.
    func file(_ name: String) -> URL { url.appending(path: name) }

    /// The text of a file inside.
    func text(_ name: String) throws -> String { try String(contentsOf: file(name), encoding: .utf8) }

    /// Runs the program here.
    func run(_ arguments: [String]) throws -> Tool.Outcome { try Program.run(arguments, in: url) }

    /// Runs the program here, and expects success.
    @discardableResult
    func succeed(_ arguments: [String]) throws -> Tool.Outcome { try Program.succeed(arguments, in: url) }
}
