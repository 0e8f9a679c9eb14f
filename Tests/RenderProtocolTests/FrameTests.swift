import Platform
import RenderProtocol
import TestSupport
import Testing
import Tiling

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The protocol between the program and its renderer.
struct FrameTests {
    private static let request = DrawRequest(
        PixelWindow(columns: -7..<505, rows: 1024..<1536),
        by: AffineTransform(a: 1.5, b: -0.25, c: 1e6, d: 0.25, e: 1.5, f: -3.75),
        clip: BoundingBox(minX: 0, minY: 0.5, maxX: 595, maxY: 842), thinnestLine: 1, palestLine: 0.36,
        isOneOfMany: true, isAliased: false)

    @Test("A request for a window is parsed as it was written")
    func requestsReturn() {
        #expect(DrawRequest(Self.request.frame.payload) == Self.request)
        var other = Self.request
        (other.isOneOfMany, other.isAliased) = (false, true)
        #expect(DrawRequest(other.frame.payload) == other)
    }

    @Test("Numbers of a request are little-endian, as in the article")
    func layout() {
        let bytes = Self.request.frame.payload
        #expect(bytes.count == 164)
        // 1.5 of IEEE 754, then the first column, -7.
        #expect(Array(bytes[..<8]) == [0, 0, 0, 0, 0, 0, 0xF8, 0x3F])
        #expect(Array(bytes[96..<100]) == [0xF9, 0xFF, 0xFF, 0xFF])
        #expect(Array(bytes[160...]) == [1, 0, 0, 0])
    }

    @Test("An invalid request is refused: of another length, without numbers, too large, empty")
    func requestsAreChecked() {
        let good = Self.request.frame.payload
        func changed(_ change: (inout [UInt8]) -> Void) -> DrawRequest? {
            var bytes = good
            change(&bytes)
            return DrawRequest(bytes)
        }
        #expect(changed { $0.removeLast() } == nil)
        #expect(changed { $0.append(0) } == nil)
        #expect(DrawRequest([]) == nil)
        // Not a number, infinity.
        #expect(changed { ($0[6], $0[7]) = (0xF8, 0x7F) } == nil)
        #expect(changed { ($0[118], $0[119]) = (0xF0, 0x7F) } == nil)
        // 4097 x 4096 pixels, none, a negative count.
        #expect(changed { $0.replaceSubrange(104..<112, with: [1, 16, 0, 0, 0, 16, 0, 0]) } == nil)
        #expect(changed { $0.replaceSubrange(104..<108, with: [0, 0, 0, 0]) } == nil)
        #expect(changed { $0.replaceSubrange(104..<108, with: [0xFF, 0xFF, 0xFF, 0xFF]) } == nil)
        // An unknown flag; a transform that flattens the page.
        #expect(changed { $0[160] = 4 } == nil)
        #expect(changed { $0.replaceSubrange(0..<48, with: repeatElement(0, count: 48)) } == nil)
    }

    @Test("Parsing a request never crashes", .long)
    func requestsOfAnyBytes() {
        var random = SplitMix(seed: 5)
        let good = Self.request.frame.payload
        for _ in 0..<20_000 {
            var bytes = good
            for _ in 0..<(random.next() % 6 + 1) {
                bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next())
            }
            if let request = DrawRequest(bytes) {
                #expect(request.window.width * request.window.height <= DrawRequest.mostPixels)
            }
        }
    }

    @Test("Pixels are those of the requested window, or refused")
    func pixelsAreChecked() {
        #expect(PagePixels(PagePixels.header(.transparent), pixels: 6)?.form == .transparent)
        #expect(PagePixels(PagePixels.header(.uniform) + [1, 2, 3, 4], pixels: 6)?.form == .uniform)
        let all = PagePixels.header(.all) + [UInt8](repeating: 9, count: 24)
        #expect(PagePixels(all, pixels: 6)?.form == .all)
        #expect(PagePixels(all, pixels: 5) == nil && PagePixels(all, pixels: 7) == nil)
        #expect(PagePixels([3, 0, 0, 0], pixels: 6) == nil)
        #expect(PagePixels([0, 0, 0], pixels: 6) == nil)
    }

    @Test("The payload of a frame is parsed as it was written")
    func descriptionsReturn() throws {
        var page = PageDescription(pageCount: 3, width: 595.5, height: 842)
        page.layers = [.init(name: "Wände, \"neu\"", isShown: false)]
        var viewport = GeospatialViewport(.measure)
        viewport.groundPoints = [48.1, 11.5]
        page.viewports = [viewport]
        let again: PageDescription = try Frame(.page, describing: page).decoded()
        #expect(again == page)
        #expect(throws: FrameChannel.Trouble.strange) {
            let _: PageDescription = try Frame(.page, Array("{\"pageCount\":1}".utf8)).decoded()
        }
    }

    /// The result of reading these bytes from a pipe.
    private func received(_ bytes: [UInt8], _ kind: Frame.Kind) throws -> Frame {
        var numbers: [Int32] = [0, 0]
        try #require(pipe(&numbers) == 0)
        #expect(write(numbers[1], bytes, bytes.count) == bytes.count)
        let spare = dup(numbers[1])
        close(numbers[1])
        defer { close(spare) }
        let channel = FrameChannel(
            input: FileDescriptor(owning: numbers[0]),
            output: FileDescriptor(owning: open("/dev/null", O_WRONLY)))
        if bytes.count > 8, bytes[4] == 99 { close(spare) }
        return try channel.receive(kind, within: 1)
    }

    @Test("A frame is read from a pipe; a frame of another kind, or too long, is refused", .long)
    func framesAreChecked() throws {
        let frame = try received(Array("PIXL".utf8) + [4, 0, 0, 0] + [0, 0, 0, 0], .pixels)
        #expect(frame == Frame(.pixels, [0, 0, 0, 0]))
        for (bytes, kind) in [("PAGE", Frame.Kind.pixels), ("XXXX", .pixels)] {
            #expect(throws: FrameChannel.Trouble.strange) {
                try received(Array(bytes.utf8) + [0, 0, 0, 0], kind)
            }
        }
        #expect(throws: FrameChannel.Trouble.strange) {
            try received(Array("PIXL".utf8) + [0xFF, 0xFF, 0xFF, 0xFF], .pixels)
        }
        #expect(throws: FrameChannel.Trouble.late) {
            try received(Array("PIXL".utf8) + [4, 0, 0, 0] + [0], .pixels)
        }
    }
}
