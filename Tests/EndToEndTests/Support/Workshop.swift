import Foundation
import TestSupport
import Testing

/// A directory with a small plan in it, to run the program in.
struct Workshop {
    /// Where the plan lies; its native zoom is 17.
    static let bounds = "2,48,2.003,48.002"

    /// The plan, `plan.png`.
    let plan: Picture

    private let scratch: TemporaryDirectory

    init(_ plan: Picture = .plan(width: 300, height: 200)) throws {
        self.plan = plan
        scratch = try TemporaryDirectory()
        try plan.write(to: scratch.path("plan.png"))
    }

    /// The directory.
    var url: URL { scratch.url }

    /// The path of a file inside.
    func path(_ name: String) -> String { scratch.path(name) }

    /// A file or directory inside.
    func file(_ name: String) -> URL { scratch.url.appending(path: name) }

    /// Writes a file inside.
    func write(_ bytes: some Collection<UInt8>, to name: String) throws {
        try Data(bytes).write(to: file(name))
    }

    /// Whether something has that name.
    func has(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path(name)) }

    /// Runs the program here.
    func run(_ arguments: [String]) throws -> Tool.Outcome { try Program.run(arguments, in: url) }

    /// Builds `plan.png`, or another image, where the plan lies.
    @discardableResult
    func build(_ options: [String] = [], of image: String = "plan.png", to output: String = "out")
        throws -> URL
    {
        try Program.succeed(
            [image, "--bounds", Self.bounds, "-o", output] + options, in: url)
        return file(output)
    }
}

extension Workshop {
    /// Expects the plan's tiles, or another image's, to be the same with any number of jobs, any memory, and one by
    /// one.
    func expectSameTiles(_ options: [String], of image: String = "plan.png", atLeast count: Int) throws {
        let once = try Snapshot(of: build(options + ["-j", "1"], of: image, to: "once")).tiles
        #expect(once.count >= count)
        for (index, way) in [["-j", "4"], ["-j", "3", "--memory", "1K"]].enumerated() {
            #expect(try Snapshot(of: build(options + way, of: image, to: "again\(index)")).tiles == once)
        }
        for (name, bytes) in once {
            let address = String(name.prefix { $0 != "." })
            try Program.succeed(
                ["tile", image, "--bounds", Self.bounds, "-o", "tile.png", address] + options, in: url)
            #expect(try Data(contentsOf: file("tile.png")) == bytes, "\(address)")
        }
    }
}

extension Workshop {
    /// A manifest of the plans that `drawFloors` draws; the floors are not in their order.
    static func house(zoom: String) -> String {
        """
        name: House
        output: tiles
        template: "L{floor}_{z}_{x}_{y}.{ext}"
        zoom: \(zoom)
        bounds: \(bounds)
        floors:
          - {floor: 1, label: First floor, ordinal: 1, image: 1.png}
          - {floor: B1, label: Basement, ordinal: -1, image: b1.png}
          - {floor: 0, label: Ground floor, ordinal: 0, image: 0.png}

        """
    }

    /// Draws the plans of three floors, which differ in a patch.
    func drawFloors() throws {
        for (index, name) in ["b1.png", "0.png", "1.png"].enumerated() {
            var plan = Picture.plan(width: 300, height: 200)
            plan.fill(20 * index..<20 * index + 30, 40..<160, (UInt8(90 * index), 120, 60, 255))
            try plan.write(to: path(name))
        }
    }
}

extension Workshop {
    /// The data that a page of `place` holds for its script.
    func pageData(_ page: String) throws -> [String: Any] {
        let text = try String(contentsOf: file(page), encoding: .utf8)
        let start = try #require(text.range(of: "id=\"data\">\n"))
        let rest = text[start.upperBound...]
        let end = try #require(rest.range(of: "</script>"))
        let json = try JSONSerialization.jsonObject(with: Data(rest[..<end.lowerBound].utf8))
        return try #require(json as? [String: Any])
    }
}

/// Points as a page of `place` saves them, on three corners of the plan.
enum SavedRows {
    static let header = "mapX,mapY,sourceX,sourceY,enable,dX,dY,residual,name,imageSize"
    static let rows = [
        "2,48.002,0,0,1,0,0,0,a,300x200", "2.003,48.002,300,0,1,0,0,0,b,300x200",
        "2,48,0,-200,1,0,0,0,c,300x200",
    ]
}
