import Foundation
import TestSupport
import Testing

/// What files and folders of somebody else say, on its way to a terminal.
struct TerminalTextTests {
    /// A command of a terminal, its form in one character, a line that was not there, and text turned around.
    private static let evil = "A\u{1B}[2J\u{9B}2J\nZ\r\u{202E}C\u{2028}D\u{7F}"
    private static let shown = #"A\u{1B}[2J\u{9B}2J\nZ\r\u{202E}C\u{2028}D\u{7F}"#

    private let workshop: Workshop

    init() throws { workshop = try Workshop() }

    /// Runs the program, and expects lines without commands.
    @discardableResult
    private func run(
        _ arguments: String..., status: Int32 = 0, sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> String {
        try run(arguments, status: status, sourceLocation: sourceLocation)
    }

    private func run(
        _ arguments: [String], status: Int32 = 0, sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> String {
        let outcome = try workshop.run(arguments)
        #expect(outcome.status == status, "\(outcome.errors)", sourceLocation: sourceLocation)
        let text = outcome.output + outcome.errors
        let commands = text.unicodeScalars.filter {
            $0 != "\n" && [.control, .lineSeparator].contains($0.properties.generalCategory)
                || $0 == "\u{202E}"
        }
        #expect(commands.isEmpty, "\(text)", sourceLocation: sourceLocation)
        #expect(!text.split(separator: "\n").contains { $0.hasPrefix("Z") }, sourceLocation: sourceLocation)
        return text
    }

    private func json(_ value: Any) throws -> Data { try JSONSerialization.data(withJSONObject: value) }

    /// Changes members of a JSON file, or of the first of a list in it.
    private func change(_ name: String, in list: String? = nil, _ members: [String: String]) throws {
        let parsed = try JSONSerialization.jsonObject(with: Data(contentsOf: workshop.file(name)))
        var object = try #require(parsed as? [String: Any])
        if let list, var entries = object[list] as? [[String: Any]] {
            entries[0].merge(members) { $1 }
            object[list] = entries
        } else {
            object.merge(members) { $1 }
        }
        try json(object).write(to: workshop.file(name))
    }

    @Test("Names of points")
    func points() throws {
        let name = Self.evil.replacing("\n", with: " ").replacing("\r", with: " ").replacing(
            "\u{2028}", with: " ")
        let rows = [SavedRows.header] + SavedRows.rows.map { $0.replacing(",a,", with: ",\(name),") }
        try workshop.write(rows.joined(separator: "\n").utf8, to: "plan.png.points")
        let table = try run("fit", "plan.png")
        #expect(table.contains(#"A\u{1B}[2J\u{9B}2J Z \u{202E}C D\u{7F}  "#), "\(table)")
        // Numbers stand below each other.
        let lines = table.split(separator: "\n").filter { $0.contains("2J") || $0.hasPrefix("b ") }
        #expect(Set(lines.prefix(2).map(\.count)).count == 1, "\(table)")
        try run("fit", "plan.png", "--json")
        try run("plan.png", "-o", "out")
    }

    @Test("Names of files", arguments: ["info", "fit", "build"])
    func files(command: String) throws {
        let name = Self.evil + ".png"
        try workshop.plan.write(to: workshop.path(name))
        let rows = [SavedRows.header] + SavedRows.rows
        try workshop.write(rows.joined(separator: "\n").utf8, to: name + ".points")
        let options = ["build": ["-v", "-o", "out"], "fit": ["-o", "o.pgw"]]
        let text = try run([command, name] + (options[command] ?? []))
        #expect(text.contains(Self.shown), "\(text)")
    }

    @Test("What a folder of tiles says of itself")
    func folder() throws {
        try workshop.build(["--floor", "1", "--template", "{floor}/{z}/{x}/{y}.{ext}"])
        try change(
            "out/tilejson-1.json", ["name": Self.evil, "description": Self.evil, "attribution": Self.evil])
        try change("out/metadata-1.json", ["generator": Self.evil])
        let text = try run("info", "out")
        #expect(text.contains("name       \(Self.shown)\n"), "\(text)")
        let json = try run("info", "out", "--json")
        let report = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
        let tilesets = try #require(report?["tilesets"] as? [[String: Any]])
        #expect(tilesets[0]["name"] as? String == Self.evil)
        try workshop.write([1], to: "out/1/17/\(Self.evil)")
        #expect(try run("verify", "out", status: 1).contains("1/17/\(Self.shown)"))
    }

    @Test("Names of floors, in manifests and in the index of a building")
    func floors() throws {
        try workshop.drawFloors()
        let label = #""A\e[2J\nZ""#
        let manifest = Workshop.house(zoom: "16").replacing("label: First floor", with: "label: \(label)")
        try workshop.write(manifest.utf8, to: "house.yaml")
        let table = try run("build", "house.yaml", "--dry-run")
        #expect(table.contains(#"1      A\u{1B}[2J\nZ"#), "\(table)")
        try run("house.yaml")
        try change("tiles/building.json", in: "floors", ["floor": Self.evil])
        #expect(try run("house.yaml", status: 65).contains("cannot be the name of a floor"))
    }

    @Test("Layers of a PDF", .needsRenderer)
    func drawnLayers() throws {
        let objects = [
            "<< /Type /Catalog /Pages 2 0 R /OCProperties << /OCGs [4 0 R] /D << /Order [4 0 R] >> >> >>",
            "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] /Contents 5 0 R "
                + "/Resources << /Properties << /L 4 0 R >> >> >>",
            "<< /Type /OCG /Name <FEFF0041001B005B0032004A000A005A> >>",
            "<< /Length 41 >>\nstream\n/OC /L BDC 1 0 0 rg 9 9 99 99 re f EMC  \nendstream",
        ]
        var file = "%PDF-1.5\n"
        var places: [Int] = []
        for (index, object) in objects.enumerated() {
            places.append(file.utf8.count)
            file += "\(index + 1) 0 obj\n\(object)\nendobj\n"
        }
        let start = file.utf8.count
        let entries = places.map { String("000000000\($0)".suffix(10)) + " 00000 n \n" }.joined()
        file +=
            "xref\n0 6\n0000000000 65535 f \n\(entries)trailer\n<< /Size 6 /Root 1 0 R >>\n"
            + "startxref\n\(start)\n%%EOF\n"
        try workshop.write(file.utf8, to: "plan.pdf")
        let text = try run("info", "plan.pdf", "--bounds", Workshop.bounds)
        #expect(text.contains(#"layers     'A\u{1B}[2J\nZ'"#), "\(text)")
    }

    @Test(
        "Lists of changes have one line for each address, whatever a folder says of its place on the web",
        .needs("python3"))
    func changes() throws {
        try workshop.build(["--zoom", "16"])
        let manifest = workshop.file("out/.tilewright/tileset/manifest")
        let script = """
            import ctypes, ctypes.util, sys
            path = sys.argv[1]
            data = open(path, "rb").read()[:-16]
            head, records = data.split(b"\\n\\n", 1)
            lines = [l for l in head.split(b"\\n") if not l.startswith(b"told")]
            said = lines.index(next(l for l in lines if l.startswith(b"said")))
            lines.insert(said, "told https://e.org/\\u2028removed x/".encode())
            data = b"\\n".join(lines) + b"\\n\\n" + records
            class Hash(ctypes.Structure):
                _fields_ = [("low", ctypes.c_uint64), ("high", ctypes.c_uint64)]
            hash = ctypes.CDLL(ctypes.util.find_library("xxhash")).XXH3_128bits
            hash.restype, hash.argtypes = Hash, [ctypes.c_char_p, ctypes.c_size_t]
            value = hash(data, len(data))
            sum = value.high.to_bytes(8, "little") + value.low.to_bytes(8, "little")
            open(path, "wb").write(data + sum)
            """
        let signed = try Tool.run("python3", ["-c", script, manifest.path])
        try #require(signed.status == 0, "\(signed.errors)")
        try run("remove", "out", "--all", "--changes", "list")
        let list = try String(contentsOf: workshop.file("list"), encoding: .utf8)
        let lines = list.split(whereSeparator: \.isNewline)
        #expect(
            !lines.isEmpty
                && lines.allSatisfy { $0.hasPrefix("removed https://e.org/%E2%80%A8removed%20x/") }, "\(list)"
        )
    }
}
