import Foundation
import RenderProtocol
import TestSupport
import Testing

/// What a document cannot do.
@Suite struct LimitsTests {
    private let desk: Desk

    init() throws { desk = try Desk() }

    @Test(
        "the check reports that only drawing is allowed",
        .enabled(if: Self.isLinux, "only Linux confines it"))
    func check() throws {
        let told = try Tool.run(RendererProcess.program, ["--check"])
        #expect(told.status == 0)
        for what in ["network", "writing files", "other programs", "other processes"] {
            #expect(told.output.contains("\(what): forbidden\n"))
        }
        #expect(told.output.contains("threads: work\n"))
    }

    @Test("the help describes the program and its license")
    func notice() throws {
        for option in ["--version", "--help"] {
            let told = try Tool.run(RendererProcess.program, [option])
            #expect(told.status == 0)
            #expect(told.output.contains("GNU General\nPublic License"))
        }
        #expect(try Tool.run(RendererProcess.program, ["plan.pdf"]).status == 64)
    }

    @Test(
        "a page that takes too much memory is an error, or ends the renderer",
        .enabled(if: Self.isLinux, "only Linux bounds the memory of a process"),
        arguments: [30, 60, 120, 1000].some(1))
    func memory(megabytes: Int) throws {
        var pdf = PDFBuilder("q 200 0 0 100 0 0 cm /I Do Q")
        pdf.resources = "/XObject<</I 5 0 R>>"
        pdf.objects = [
            PDFBuilder.stream(
                "/Subtype/Image/Width 8000/Height 8000/ColorSpace/DeviceGray/BitsPerComponent 1",
                [UInt8](repeating: 0x55, count: 8_000_000))
        ]
        let path = try desk.write(pdf.bytes, to: "large.pdf")
        do {
            let drawn = try desk.open(path, .pdf, memory: megabytes << 20).draw(0..<512, 0..<512, scale: 20)
            // The image has 32 bits a pixel when it is drawn.
            #expect(megabytes == 1000 && drawn[9, 9][3] == 255)
        } catch let failure as RendererFailure {
            #expect(megabytes < 256)
            #expect(failure.cause == .memory)
        } catch FrameChannel.Trouble.ended {}
    }

    @Test("a page that takes too much time ends the renderer", .long)
    func seconds() throws {
        var pdf = PDFBuilder("/P sh")
        let terms = String(repeating: "2 copy mul sin pop ", count: 2000)
        pdf.resources = """
            /Shading<</P<</ShadingType 1/ColorSpace/DeviceGray/Domain[0 20000 0 20000]/Function 5 0 R>>>>
            """
        pdf.objects = [
            PDFBuilder.stream(
                "/FunctionType 4/Domain[0 20000 0 20000]/Range[0 1]", Array("{\(terms) pop pop 0.5}".utf8))
        ]
        let document = try desk.open(desk.write(pdf.bytes, to: "slow.pdf"), .pdf, seconds: 1)
        #expect(throws: FrameChannel.Trouble.ended) { try document.draw(0..<200, 0..<100) }
        #expect(document.renderer.wait() == .killed(SIGXCPU))
    }

    @Test("the renderer works without environment variables")
    func bare() throws {
        let path = try desk.write(PDFBuilder("0 0 200 50 re f").bytes, to: "a.pdf")
        let renderer = try RendererProcess(path, environment: [:])
        let page = try renderer.open(OpenRequest(.pdf, page: 1, memory: 1 << 31, seconds: 60))
        let document = OpenDocument(renderer: renderer, page: page)
        #expect(try document.draw(0..<200, 0..<100)[100, 75] == [0, 0, 0, 255])
    }

    private static var isLinux: Bool {
        #if os(Linux)
            true
        #else
            false
        #endif
    }
}
