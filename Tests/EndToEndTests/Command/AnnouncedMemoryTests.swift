import Foundation
import TestSupport
import Testing

#if os(Linux)
    /// The memory of a build according to `info`, compared with the build's peak resident memory.
    ///
    /// A tenth is left for what differs from run to run and between machines: which pages of files the system has at
    /// hand, what malloc keeps, and which jobs are ahead.
    @Suite(
        .needsPython("numpy", "PIL"), .needs("gdal_translate"),
        .disabled(if: Program.isSanitized, "a sanitizer takes memory of its own"))
    struct AnnouncedMemoryTests {
        /// Runs a command, and prints its status and the most memory that it had, in kibibytes.
        private static let script = """
            import resource, subprocess, sys
            done = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL)
            print(done.returncode, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
            """

        private struct Document: Decodable {
            struct Estimate: Decodable { var memory: Int }
            var estimate: Estimate
        }

        /// By how much more than announced this program takes to begin with: it may be built otherwise than the one that
        /// is installed.
        private static let surplus = Result {
            let workshop = try Workshop()
            let job = ["plan.png", "--bounds", Workshop.bounds, "-j", "1", "-z", "17", "--format", "jpeg"]
            return try taken(job, output: "out", in: workshop) - announced(job, in: workshop)
        }

        @Test(
            "A build takes the memory that info announces, within a tenth", .long, arguments: MemoryShape.all)
        func memory(shape: MemoryShape) throws {
            let workshop = try Workshop()
            let job = try prepare(shape, in: workshop)
            let announced = try Self.announced(job, in: workshop) + Self.surplus.get()
            // The most that it takes, and not what some run takes in which few jobs were ahead.
            var taken = 0
            for run in 0..<3 where 10 * announced > 11 * taken {
                taken = max(taken, try Self.taken(job, output: "\(run)-\(shape.output)", in: workshop))
            }
            let ratio = Double(announced) / Double(taken)
            #expect(0.9...1.1 ~= ratio, "\(announced >> 10) KiB announced, \(taken >> 10) taken: \(ratio)")
        }

        @Test("A build takes less where most of the image is of one colour: such parts are not kept", .long)
        func paper() throws {
            let workshop = try Workshop()
            let paper = PageImage(name: "plan.png", kind: .paper, width: 12000, height: 3000)
            let shape = MemoryShape(
                name: "paper", images: [paper], options: ["--bounds", "11,47,11.016,47.0027"])
            let job = try prepare(shape, in: workshop)
            let announced = try Self.announced(job, in: workshop) + Self.surplus.get()
            let taken = try Self.taken(job, output: shape.output, in: workshop)
            // Rows of the image are a third of what is announced.
            #expect(taken < announced * 4 / 5, "\(announced >> 10) KiB announced, \(taken >> 10) taken")
        }

        private static func announced(_ job: [String], in workshop: Workshop) throws -> Int {
            let info = try Program.succeed(["info", "--json"] + job, in: workshop.url)
            return try JSONDecoder().decode(Document.self, from: Data(info.output.utf8)).estimate.memory
        }

        private static func taken(_ job: [String], output: String, in workshop: Workshop) throws -> Int {
            let build = [Program.path] + job + ["-q", "-o", output]
            let outcome = try Python.run(script, build, in: workshop.url)
            let words = outcome.output.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
            try #require(words.count == 2 && words[0] == 0, "\(outcome)")
            return words[1] << 10
        }

        /// Draws a shape's images, places them, and gives what the program is told of them.
        private func prepare(_ shape: MemoryShape, in workshop: Workshop) throws -> [String] {
            for (index, image) in shape.images.enumerated() {
                try image.draw(in: workshop)
                if shape.images.count > 1 { try place(image, below: index, in: workshop) }
            }
            var names = shape.images.map(\.name)
            if let crs = shape.crs {
                try warp(names[0], to: "placed.tif", crs: crs, in: workshop)
                names = ["placed.tif"]
            }
            return names + shape.options
        }

        /// Writes a world file: sheets lie below each other.
        private func place(_ image: PageImage, below index: Int, in workshop: Workshop) throws {
            let (cell, base) = (1.3e-6, String(image.name.prefix { $0 != "." }))
            let north = 47 - cell * Double(index * image.height)
            try workshop.write("\(cell)\n0\n0\n\(-cell)\n11\n\(north)\n".utf8, to: "\(base).pgw")
        }

        private func warp(_ image: String, to result: String, crs: String, in workshop: Workshop) throws {
            let place = ["-a_srs", crs, "-a_ullr", "500000", "5200000", "500400", "5199750"]
            let form = ["-co", "TILED=YES", "-co", "COMPRESS=DEFLATE", "-co", "ZLEVEL=1"]
            let outcome = try Tool.run(
                "gdal_translate", ["-q"] + place + form + [image, result], in: workshop.url)
            try #require(outcome.status == 0, "\(outcome.errors)")
        }
    }
#endif
