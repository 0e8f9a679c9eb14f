import Dispatch
import Platform
import Synchronization
import Testing

@testable import Stores

@Suite struct StoreFileTests {
    /// A store of one file, which notes what is asked for.
    final class Source: Sendable {
        let bytes: [UInt8]
        let requests = Mutex<[Range<Int>]>([])
        private let failsAfter: Int
        private let pause: UInt32

        init(_ size: Int, failsAfter: Int = .max, pause: UInt32 = 0) {
            bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
                for index in 0..<size { buffer[index] = UInt8(truncatingIfNeeded: index ^ index >> 8) }
                count = size
            }
            (self.failsAfter, self.pause) = (failsAfter, pause)
        }

        func file(head: Int = 0) throws -> StoreFile {
            try StoreFile(
                size: bytes.count, head: Array(bytes.prefix(head)), version: "1",
                scratch: ReadableScratchFile(in: "/tmp")
            ) { range, buffer in
                let count = self.requests.withLock { requests in
                    requests.append(range)
                    return requests.count
                }
                if count > self.failsAfter { throw Failure(.inputOutput, "the line is dead") }
                usleep(self.pause)
                buffer.copyBytes(from: self.bytes[range])
            }
        }

        var asked: [Range<Int>] { requests.withLock { $0 } }
        var bytesAsked: Int { asked.reduce(0) { $0 + $1.count } }
    }

    private func content(_ file: StoreFile, _ range: Range<Int>) throws -> [UInt8] {
        try FileDescriptor(opening: file.copy, flags: O_RDONLY)
            .readBytes(at: range.lowerBound, count: range.count)
    }

    @Test("many threads that ask for the same bytes get them, and each byte is asked for once")
    func once() throws {
        let source = Source(3_000_000, pause: 100)
        let file = try source.file(head: 1000)
        file.expect([100_000..<2_000_000])
        let wrong = Mutex(0)
        DispatchQueue.concurrentPerform(iterations: 64) { _ in
            let start = Int.random(in: 0..<2_900_000)
            let ranges = [start..<start + Int.random(in: 1...100_000), 5..<2000]
            do {
                try file.fetch(ranges)
                for range in ranges where try content(file, range) != Array(source.bytes[range]) {
                    wrong.withLock { $0 += 1 }
                }
            } catch { wrong.withLock { $0 += 1 } }
        }
        #expect(wrong.withLock { $0 } == 0)
        #expect(RangeSet(source.asked).ranges.reduce(0) { $0 + $1.count } == source.bytesAsked)
        #expect(source.asked.allSatisfy { $0.count <= 1 << 20 })
        try file.fetch([0..<3_000_000])
        #expect(source.bytesAsked == 3_000_000 - 1000)
        #expect(try content(file, 0..<3_000_000) == source.bytes)
    }

    @Test("what is expected comes without being asked for, in its order")
    func expected() throws {
        let source = Source(10_000_000)
        let file = try source.file()
        file.expect([1_000_000..<9_000_000, 0..<1_000_000])
        let end = DispatchTime.now() + .seconds(10)
        while source.bytesAsked < 9_000_000, DispatchTime.now() < end { usleep(1000) }
        #expect(source.bytesAsked == 9_000_000)
        // Threads note what they ask for in about this order.
        #expect(source.asked.suffix(8).contains { $0.upperBound == 1_000_000 })
        try file.fetch([0..<1_000_000, 1_000_000..<9_000_000])
        #expect(source.bytesAsked == 9_000_000)
    }

    @Test("a small read of tables brings what is around it, but never beyond the end or what is there")
    func tables() throws {
        let source = Source(1_000_000)
        let file = try source.file(head: 100)
        try file.fetch([0..<50], inPiecesOf: 1000)
        #expect(source.asked.isEmpty)
        try file.fetch([90..<110], inPiecesOf: 1000)
        #expect(source.asked == [100..<1000])
        try file.fetch([999_990..<2_000_000], inPiecesOf: 1000)
        #expect(source.asked == [100..<1000, 999_000..<1_000_000])
    }

    @Test("the first failure ends all that wait, and all that follows")
    func failure() throws {
        let source = Source(8_000_000, failsAfter: 2, pause: 1000)
        let file = try source.file()
        file.expect([0..<8_000_000])
        let failures = Mutex(0)
        DispatchQueue.concurrentPerform(iterations: 8) { index in
            let start = index * 1_000_000
            do { try file.fetch([start..<start + 1_000_000]) } catch {
                failures.withLock { $0 += (error as? Failure)?.message == "the line is dead" ? 1 : 100 }
            }
        }
        #expect((1...8).contains(failures.withLock { $0 }))
        #expect(throws: Failure.self) { try file.fetch([0..<8_000_000]) }
        // What was there stays readable.
        let there = try #require(source.asked.first)
        let end = DispatchTime.now() + .seconds(10)
        while (try? file.fetch([there])) == nil, DispatchTime.now() < end { usleep(1000) }
        try file.fetch([there])
    }

    @Test(
        "ranges that meet are one request; so are those with a few bytes between them",
        arguments: [
            ([0..<1000, 1000..<3000], [0..<3000]),
            // The leader and the trailer of a block in a COG are 4 bytes each.
            ([100..<2000, 2008..<4000], [100..<4000]),
            ([0..<100, 200..<300], [0..<100, 200..<300]),
            ([0..<500_000, 510_000..<600_000], [0..<500_000, 510_000..<600_000]),
            ([5000..<6000, 0..<1000], [0..<1000, 5000..<6000]),
            ([0..<100, 50..<150, 7..<7], [0..<150]),
            ([0..<2_500_000], [0..<1 << 20, 1 << 20..<2 << 20, 2 << 20..<2_500_000]),
        ])
    func joins(ranges: [Range<Int>], requests: [Range<Int>]) {
        var queue = RequestQueue()
        queue.add(ranges)
        var found: [Range<Int>] = []
        while let next = queue.next(without: RangeSet(), largest: 1 << 20) { found.append(next) }
        #expect(found == requests)
    }

    @Test("what is claimed is left out, and a request that is too large waits")
    func claims() {
        var queue = RequestQueue()
        queue.add([0..<1000])
        #expect(queue.next(without: RangeSet([0..<100, 500..<600]), largest: 1000, atMost: 100) == nil)
        #expect(queue.next(without: RangeSet([0..<100, 500..<600]), largest: 1000, atMost: 400) == 100..<500)
        #expect(queue.next(without: RangeSet([0..<600]), largest: 1000, atMost: 400) == 600..<1000)
        #expect(queue.next(without: RangeSet(), largest: 1 << 20) == nil)
    }
}
