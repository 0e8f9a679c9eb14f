import Foundation
import TestSupport
import Testing

/// Nothing is replaced by accident: a tileset says what it was made of.
struct ReplacedImageTests {
    static let outputs = ["tiles", "tiles.mbtiles", "tiles.pmtiles"]

    private let workshop: Workshop

    init() throws {
        workshop = try Workshop()
        var other = workshop.plan
        other.fill(20..<90, 20..<90, (255, 0, 255, 255))
        try other.write(to: workshop.path("first.png"))
        try workshop.plan.write(to: workshop.path("second.png"))
    }

    private func build(
        _ images: [String], to output: String, _ options: [String] = []
    ) throws -> Tool.Outcome {
        try workshop.run(
            images + ["--bounds", Workshop.bounds, "--zoom", "16-17", "-o", output] + options)
    }

    private func contents(_ output: String) throws -> [String: Data] {
        try Snapshot(of: workshop.url).contents.filter { $0.key.hasPrefix(output) }
    }

    @Test("Another image is refused, and nothing changes; --force allows it", arguments: outputs.some(1))
    func anotherImage(output: String) throws {
        #expect(try build(["first.png"], to: output).status == 0)
        let before = try contents(output)
        // The image of another name is refused whatever it holds.
        for image in ["second.png", "plan.png"] {
            let outcome = try build([image], to: output)
            let way =
                output == "tiles"
                ? "give the floors names with --floor and {floor} in --template, another OUTPUT"
                : "give each floor its own OUTPUT"
            #expect(outcome.status == 73)
            #expect(outcome.errors == "error: '\(output)' was made from 'first.png': \(way), or --force\n")
            #expect(try contents(output) == before)
        }
        #expect(try build(["second.png"], to: output, ["--force"]).status == 0)
        #expect(try contents(output) != before)
        #expect(try build(["first.png"], to: output).errors.contains("was made from 'second.png'"))
        #expect(try workshop.run(["verify", output]).status == 0)
        let again = try build(["second.png"], to: output)
        #expect(again.status == 0 && again.errors.hasPrefix("0 tiles written, "))
    }

    @Test("The same image in another place is recognised, even when it is drawn again", arguments: outputs)
    func sameName(output: String) throws {
        #expect(try build(["plan.png"], to: output).status == 0)
        let manager = FileManager.default
        try manager.createDirectory(at: workshop.file("new"), withIntermediateDirectories: false)
        try manager.copyItem(at: workshop.file("first.png"), to: workshop.file("new/plan.png"))
        #expect(try build(["new/plan.png"], to: output).status == 0)
    }

    @Test("One of several images is enough", arguments: outputs.some(1))
    func severalImages(output: String) throws {
        for image in ["plan", "first", "second"] {
            try workshop.write("0.00001\n0\n0\n-0.00001\n2\n48.002\n".utf8, to: "\(image).pgw")
        }
        func status(_ images: [String]) throws -> Int32 {
            try workshop.run(images + ["--crs", "EPSG:4326", "--zoom", "16", "-o", output]).status
        }
        #expect(try status(["plan.png", "first.png"]) == 0)
        #expect(try status(["second.png"]) == 73)
        #expect(try status(["second.png", "first.png"]) == 0)
        #expect(try status(["plan.png"]) == 73)
        #expect(try status(["second.png"]) == 0)
    }

    @Test("Copies know what they were made of", .long, arguments: outputs, outputs)
    func copies(output: String, copy: String) throws {
        let copy = "copy-\(copy)"
        #expect(try build(["plan.png"], to: output).status == 0)
        for _ in 0..<2 { #expect(try workshop.run(["convert", output, copy]).status == 0) }
        #expect(try workshop.run(["verify", copy]).status == 0)
        #expect(try build(["first.png"], to: copy).errors.contains("was made from 'plan.png'"))
        #expect(try build(["plan.png"], to: copy).errors.hasPrefix("0 tiles written, "))
        #expect(try build(["first.png"], to: "other-\(output)").status == 0)
        #expect(try workshop.run(["convert", "other-\(output)", copy]).status == 73)
        #expect(try workshop.run(["convert", "other-\(output)", copy, "--force"]).status == 0)
    }

    @Test("A folder without the program's own state does not say what it was made of, nor does a copy of it")
    func unknown() throws {
        #expect(try build(["plan.png"], to: "tiles").status == 0)
        try FileManager.default.removeItem(at: workshop.file("tiles/.tilewright"))
        #expect(try workshop.run(["convert", "tiles", "copy"]).status == 0)
        #expect(try build(["first.png"], to: "copy").status == 0)
    }

    @Test("Floors in one folder do not affect each other; similar names are reported early")
    func floors() throws {
        let template = ["--template", "{floor}/{z}/{x}/{y}.{ext}", "--url", "https://a.example"]
        for (floor, image) in [("0", "plan.png"), ("1", "first.png")] {
            let outcome = try build([image], to: "tiles", ["--floor", floor] + template)
            #expect(outcome.status == 0 && !outcome.errors.contains("warning"))
        }
        let other = try build(["second.png"], to: "tiles", ["--floor", "1"] + template)
        #expect(other.status == 73)
        #expect(other.errors.hasPrefix("error: floor '1' in 'tiles' was made from 'first.png': "))

        #expect(try build(["plan.png"], to: "alike", ["--floor", "0"]).status == 0)
        let alike = try build(["first.png"], to: "alike", ["--floor", "1"])
        #expect(alike.status == 73)
        #expect(
            alike.errors.hasPrefix("warning: 'alike' holds floor '0', whose tiles have the same names: "))
        #expect(alike.errors.contains("it is a tile of floor '0'\n"))
        #expect(alike.errors.contains("{floor} in --template"))
    }

    @Test("Only the names of images are kept, not their folders", arguments: outputs)
    func names(output: String) throws {
        try FileManager.default.createDirectory(
            at: workshop.file("secret-folder"), withIntermediateDirectories: false)
        try workshop.plan.write(to: workshop.path("secret-folder/ground floor.png"))
        #expect(try build(["secret-folder/ground floor.png"], to: output).status == 0)
        #expect(try build(["plan.png"], to: output).errors.contains("was made from 'ground floor.png'"))
        for (name, bytes) in try contents(output) {
            #expect(bytes.range(of: Data("secret-folder".utf8)) == nil, "\(name)")
        }
    }
}
