import Foundation
import TestSupport
import Testing

/// Documents that are drawn, as small as a test needs them.
enum Drawing {
    /// A PDF of pages of a size in points, each with its own operators; Helvetica, which it does not embed, is `/F1`.
    static func pdf(_ width: Double, _ height: Double, pages: [String], entries: String = "") -> String {
        let kids = pages.indices.map { "\(4 + 2 * $0) 0 R" }.joined(separator: " ")
        var objects = [
            "<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[\(kids)]/Count \(pages.count)>>",
            "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
        ]
        for (index, operators) in pages.enumerated() {
            objects.append(
                "<</Type/Page/Parent 2 0 R/MediaBox[0 0 \(width) \(height)]/Contents \(5 + 2 * index) 0 R"
                    + "/Resources<</Font<</F1 3 0 R>>>>\(entries)>>")
            objects.append("<</Length \(operators.utf8.count)>>stream\n\(operators)\nendstream")
        }
        var text = "%PDF-1.7\n"
        var places: [Int] = []
        for (index, object) in objects.enumerated() {
            places.append(text.utf8.count)
            text += "\(index + 1) 0 obj\n\(object)\nendobj\n"
        }
        let start = text.utf8.count
        let lines = places.map { String(repeating: "0", count: 10 - "\($0)".count) + "\($0) 00000 n \n" }
        return text + "xref\n0 \(objects.count + 1)\n0000000000 65535 f \n\(lines.joined())"
            + "trailer<</Size \(objects.count + 1)/Root 1 0 R>>\nstartxref\n\(start)\n%%EOF\n"
    }

    /// The operators of a plan of 600 x 400 points: rooms that are filled, walls, and a hatch of thin lines.
    static let rooms: String = {
        let rooms = (0..<4).flatMap { column in
            (0..<2).map { row in
                "0.\(6 + column) 0.9 0.\(7 + row) rg \(40 + column * 130) \(160 + row * 110) 120 100 re B"
            }
        }
        let hatch = (0..<60).map { "\(40 + $0 * 4) 40 m \(80 + $0 * 4) 130 l S" }
        return (["2 w 0.2 0.3 0.4 RG"] + rooms + ["0.5 w"] + hatch).joined(separator: "\n")
    }()

    /// The same, with a hairline around, and letters.
    static let plan = """
        \(rooms)
        0 w 20 20 560 360 re S
        0 g BT /F1 14 Tf 60 200 Td (Room 1) Tj ET
        q 0.94 0.34 -0.34 0.94 330 60 cm BT /F1 20 Tf 0 0 Td (turned) Tj ET Q
        """

    /// The same rooms, walls and hatch as an SVG; 600 x 400 points are 800 x 533.333 pixels of CSS.
    static let svg: String = {
        let rooms = (0..<4).flatMap { column in
            (0..<2).map { row in
                "<rect x='\(40 + column * 130)' y='\(400 - 160 - row * 110 - 100)' width='120' height='100' "
                    + "fill='rgb(\(60 + column * 10)%,90%,\(70 + row * 10)%)' stroke='rgb(20%,30%,40%)' stroke-width='2'/>"
            }
        }
        let hatch = (0..<60).map { "M\(40 + $0 * 4) 360L\(80 + $0 * 4) 270" }.joined()
        return "<svg xmlns='http://www.w3.org/2000/svg' width='600pt' height='400pt' viewBox='0 0 600 400'>"
            + rooms.joined() + "<path d='\(hatch)' stroke='rgb(20%,30%,40%)' stroke-width='0.5'/></svg>"
    }()

    /// An SVG of a few bytes that takes minutes to draw: noise of thousands of octaves.
    static let endless: String = {
        let step =
            "<feTurbulence baseFrequency=\".9\" numOctaves=\"9999\"/>"
            + "<feGaussianBlur stdDeviation=\"999\"/>"
        return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"4000\" height=\"4000\"><filter id=\"f\">"
            + String(repeating: step, count: 20)
            + "</filter><rect filter=\"url(#f)\" width=\"4000\" height=\"4000\"/></svg>"
    }()

    /// An SVG of a few bytes whose letters take gigabytes: an entity that stands for many others, eight levels deep.
    static let greedy: String = {
        let names = Array("abcdefg")
        let entities = zip(names, names.dropFirst()).map { name, next in
            "<!ENTITY \(next) \"\(String(repeating: "&\(name);", count: 10))\">"
        }
        return "<?xml version=\"1.0\"?><!DOCTYPE svg [<!ENTITY a \"aaaaaaaaaa\">\(entities.joined())]>"
            + "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"400\" height=\"200\"><text x=\"10\" y=\"90\">&g;"
            + "</text></svg>"
    }()
}

extension Trait where Self == ConditionTrait {
    /// Tests that need the renderer.
    static var needsRenderer: Self {
        .enabled(
            if: ProcessInfo.processInfo.environment["TILEWRIGHT_RENDER"] == "1",
            "no renderer: make test WITH=companions builds it")
    }
}
