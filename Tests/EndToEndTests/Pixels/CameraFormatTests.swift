import Foundation
import TestSupport
import Testing

/// Images as phones and the web have them: HEIC, AVIF and WebP.
struct CameraFormatTests {
    private func make(_ workshop: Workshop, _ program: String, _ arguments: [String]) throws {
        let outcome = try Tool.run(program, arguments, in: workshop.url)
        try #require(outcome.status == 0, "\(program): \(outcome.errors)")
    }

    @Test(
        "The same pixels in another type of file give the same tiles", .long,
        .needs("avifenc", "cwebp", "heif-enc", "heif-convert"))
    func sameTiles() throws {
        let workshop = try Workshop()
        let plain = try Snapshot(of: workshop.build(to: "plain")).tiles
        try make(workshop, "avifenc", ["-l", "plan.png", "plan.avif"])
        try make(workshop, "cwebp", ["-quiet", "-lossless", "-exact", "plan.png", "-o", "plan.webp"])
        for name in ["plan.avif", "plan.webp"] {
            #expect(try Snapshot(of: workshop.build(of: name, to: "of-\(name)/")).tiles == plain, "\(name)")
        }
        let lossless = ["-L", "-p", "chroma=444", "--matrix_coefficients=0"]
        try make(workshop, "heif-enc", lossless + ["-o", "plan.heic", "plan.png"])
        try make(workshop, "heif-convert", ["plan.heic", "decoded.png"])
        let decoded = try Snapshot(of: workshop.build(of: "decoded.png", to: "decoded")).tiles
        #expect(try Snapshot(of: workshop.build(of: "plan.heic", to: "of-heic")).tiles == decoded)
    }

    @Test("The tiles do not depend on jobs and memory", .needs("avifenc"))
    func jobs() throws {
        let workshop = try Workshop(.plan(width: 384, height: 256))
        let form = ["-s", "9", "-y", "420", "-g", "3x2", "--irot", "1"]
        try make(workshop, "avifenc", form + ["plan.png", "plan.avif"])
        let once = try Snapshot(of: workshop.build(["-j", "1"], of: "plan.avif", to: "once")).tiles
        for (index, way) in [["-j", "4"], ["-j", "3", "--memory", "1K"]].enumerated() {
            let output = try workshop.build(way, of: "plan.avif", to: "again\(index)")
            #expect(try Snapshot(of: output).tiles == once)
        }
    }

    @Test("Memory that decoding would exceed refuses the image", .long, .needs("cwebp"))
    func memory() throws {
        let workshop = try Workshop(.plan(width: 4000, height: 3000))
        try make(workshop, "cwebp", ["-quiet", "-z", "0", "plan.png", "-o", "plan.webp"])
        let outcome = try workshop.run(
            ["plan.webp", "--bounds", Workshop.bounds, "-o", "out", "--memory", "1M"])
        #expect(outcome.status == 64 && outcome.errors.hasPrefix("error: decoding takes "))
    }

    #if os(Linux)
        /// What the program says of `plan.avif` if it finds another libheif.
        private func complaint(_ workshop: Workshop) throws -> Tool.Outcome {
            try make(workshop, "avifenc", ["-s", "10", "plan.png", "plan.avif"])
            return try Program.run(
                ["plan.avif", "--bounds", Workshop.bounds, "-o", "out"],
                environment: ["LD_LIBRARY_PATH=\(workshop.url.path)"], in: workshop.url)
        }

        @Test("Without libheif the error says how to get it", .needs("avifenc"))
        func withoutLibrary() throws {
            let workshop = try Workshop()
            try workshop.write([], to: "libheif.so.1")
            let outcome = try complaint(workshop)
            #expect(outcome.status == 65)
            #expect(
                outcome.errors == """
                    error: cannot read 'plan.avif': libheif, which decodes it, cannot be loaded
                           install libheif: apt-get install libheif1, or brew install libheif

                    """)
        }

        @Test("Without a decoder the error says how to get it", .needs("avifenc", "cc"))
        func withoutDecoder() throws {
            let workshop = try Workshop()
            // All that the program asks for; only the first four are called.
            let missing = [
                "context_alloc", "context_free", "context_read_from_memory_without_copy",
                "context_get_primary_image_handle", "image_handle_release", "decode_image",
                "image_release", "image_get_colorspace", "image_get_chroma_format", "image_get_width",
                "image_get_height", "image_get_bits_per_pixel_range", "image_get_plane_readonly",
            ].map { "void heif_\($0)(void) {}" }
            let source = """
                struct error { int code, subcode; const char *text; };
                const char *heif_get_version(void) { return "1.99.0"; }
                unsigned heif_get_version_number(void) { return 0x01630000; }
                struct error heif_init(void *nothing) { (void)nothing; return (struct error){0, 0, ""}; }
                int heif_have_decoder_for_format(int format) { return format == 1; }

                """
            try workshop.write(Data((source + missing.joined(separator: "\n")).utf8), to: "heif.c")
            try make(workshop, "cc", ["-shared", "-fPIC", "-w", "heif.c", "-o", "libheif.so.1"])
            let outcome = try complaint(workshop)
            #expect(outcome.status == 65)
            #expect(
                outcome.errors == """
                    error: cannot read 'plan.avif': libheif 1.99.0 has no decoder for AV1 here
                           install one: apt-get install libheif-plugin-dav1d

                    """)
        }

        @Test("libheif is loaded for its files alone", .needs("avifenc"))
        func loadedLate() throws {
            let workshop = try Workshop()
            try make(workshop, "avifenc", ["-s", "10", "plan.png", "plan.avif"])
            func loads(_ name: String) throws -> Bool {
                let outcome = try Program.run(
                    [name, "--bounds", Workshop.bounds, "-o", "out-\(name)/"],
                    environment: ["LD_DEBUG=libs", "LD_DEBUG_OUTPUT=\(workshop.path("loaded-\(name)"))"],
                    in: workshop.url)
                #expect(outcome.status == 0)
                let reports = try FileManager.default.contentsOfDirectory(atPath: workshop.url.path)
                    .filter { $0.hasPrefix("loaded-\(name).") }
                #expect(!reports.isEmpty)
                return try reports.contains {
                    String(decoding: try Data(contentsOf: workshop.file($0)), as: UTF8.self)
                        .contains("libheif")
                }
            }
            #expect(try !loads("plan.png"))
            #expect(try loads("plan.avif"))
        }
    #endif
}
