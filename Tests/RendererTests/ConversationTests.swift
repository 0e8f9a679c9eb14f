import Foundation
import RenderProtocol
import TestSupport
import Testing
import Tiling

/// What a renderer answers to what, and how it ends.
@Suite struct ConversationTests {
    private let desk: Desk
    private let path: String

    init() throws {
        desk = try Desk()
        path = try desk.write(PDFBuilder("0 0 100 50 re f").bytes, to: "page.pdf")
    }

    private func page(_ renderer: RendererProcess) throws {
        _ = try renderer.open(OpenRequest(.pdf, page: 1, memory: 1 << 31, seconds: 60))
    }

    private func window(_ columns: Range<Int>, _ rows: Range<Int>) -> DrawRequest {
        DrawRequest(
            PixelWindow(columns: columns, rows: rows), by: .identity,
            clip: BoundingBox(minX: 0, minY: 0, maxX: 200, maxY: 100), thinnestLine: 0, palestLine: 1,
            isOneOfMany: true, isAliased: false)
    }

    @Test("the renderer first reports its protocol and libraries")
    func greeting() throws {
        let greeting = try RendererProcess(path).greeting
        #expect(greeting.version == Frame.version)
        #expect(greeting.libraries.contains(/^poppler [0-9.]+, cairo [0-9.]+, librsvg [0-9.]+$/))
    }

    @Test("the renderer draws each requested window, and ends normally when the client disconnects")
    func end() throws {
        let end: RendererProcess.End
        do {
            let renderer = try RendererProcess(path)
            try page(renderer)
            let first = try renderer.draw(window(0..<200, 0..<100))
            #expect(try renderer.draw(window(0..<200, 0..<100)) == first)
            #expect(first[50, 75] == [0, 0, 0, 255])
            #expect(first[150, 75] == [0, 0, 0, 0])
            renderer.hangUp()
            end = renderer.wait()
        }
        #expect(end == .exited(EXIT_SUCCESS))
    }

    @Test("windows of one colour are sent as one pixel, empty windows as none")
    func forms() throws {
        let renderer = try RendererProcess(path)
        try page(renderer)
        #expect(try renderer.draw(window(10..<20, 60..<70)).form == .uniform)
        #expect(try renderer.draw(window(110..<120, 60..<70)).form == .transparent)
        #expect(try renderer.draw(window(90..<110, 60..<70)).form == .all)
        #expect(try renderer.draw(window(-500 ..< -400, 60..<70)).form == .transparent)
        #expect(try renderer.draw(window(Int(Int32.max)..<Int(Int32.max) + 9, 0..<9)).form == .transparent)
    }

    @Test("an impossible request is refused, and the next one is answered")
    func refusals() throws {
        let renderer = try RendererProcess(path)
        func refusal(_ frame: Frame) throws -> RendererFailure.Cause {
            let answer = try renderer.ask(frame)
            try #require(answer.kind == .failure)
            return (try answer.decoded() as RendererFailure).cause
        }
        #expect(try refusal(window(0..<9, 0..<9).frame) == .request)
        #expect(try refusal(Frame(.open, Array("{}".utf8))) == .request)
        #expect(try refusal(Frame(.open, [])) == .request)
        #expect(
            try refusal(Frame(.open, describing: OpenRequest(.pdf, page: 1, memory: 0, seconds: 1)))
                == .request)
        #expect(
            try refusal(Frame(.open, describing: OpenRequest(.pdf, page: 2, memory: 1 << 31, seconds: 9)))
                == .noPage)
        try page(renderer)
        #expect(
            try refusal(Frame(.open, describing: OpenRequest(.pdf, page: 1, memory: 1 << 31, seconds: 9)))
                == .request)
        // A matrix without an inverse, with numbers that are none, and one that makes the page too large.
        for matrix in [
            Tiling.AffineTransform(a: 0, b: 0, c: 0, d: 0, e: 0, f: 0),
            Tiling.AffineTransform(a: .nan, b: 0, c: 0, d: 0, e: 1, f: 0),
            Tiling.AffineTransform(a: 1e300, b: 0, c: 0, d: 0, e: 1e300, f: 0),
            Tiling.AffineTransform(a: 1e6, b: 0, c: 0, d: 0, e: 1e6, f: 0),
        ] {
            var request = window(0..<9, 0..<9)
            request.matrix = matrix
            #expect(try refusal(request.frame) == .request)
        }
        #expect(try refusal(window(0..<1 << 20, 0..<1 << 20).frame) == .request)
        #expect(try refusal(Frame(.draw, [1, 2, 3])) == .request)
        #expect(try renderer.draw(window(0..<9, 90..<99)).form == .uniform)
    }

    @Test(
        "messages outside the protocol end the renderer",
        arguments: ["HELO", "PIXL", "\0\0\0\0", "DRAW", "OPEN"])
    func strangers(kind: String) throws {
        let renderer = try RendererProcess(path)
        // More bytes than any frame of a request has.
        try renderer.send(Array(kind.utf8) + [255, 255, 255, 255])
        #expect(renderer.wait() == .exited(EXIT_FAILURE))
    }

    @Test("the renderer ends when its output is closed, whatever it does")
    func abandoned() throws {
        var pdf = PDFBuilder("/P sh")
        // A formula that takes an hour: a sum of many terms for each of many places.
        let terms = String(repeating: "2 copy mul sin pop ", count: 2000)
        pdf.resources = """
            /Shading<</P<</ShadingType 1/ColorSpace/DeviceGray/Domain[0 20000 0 20000]/Function 5 0 R>>>>
            """
        pdf.objects = [
            PDFBuilder.stream(
                "/FunctionType 4/Domain[0 20000 0 20000]/Range[0 1]", Array("{\(terms) pop pop 0.5}".utf8))
        ]
        let renderer = try RendererProcess(try desk.write(pdf.bytes, to: "slow.pdf"))
        try page(renderer)
        try renderer.send(window(0..<200, 0..<100).frame.bytes)
        renderer.hangUp()
        #expect(renderer.wait() == .exited(EXIT_SUCCESS))
    }
}
