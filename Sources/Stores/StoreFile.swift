import Dispatch
package import Platform
import Synchronization

/// A file of a store. Its parts are fetched when they are needed, or ahead of that, each once, into a scratch
/// file of the same size.
///
/// A few threads make the requests, as long as there are any: those for parts that somebody waits for first,
/// then those that are expected, in their order.
package final class StoreFile: FarFile {
    /// Fills a buffer with a range of the file, in one request.
    package typealias Read = @Sendable (_ range: Range<Int>, UnsafeMutableRawBufferPointer) throws -> Void

    package let size: Int
    package let version: String?

    private let scratch: ReadableScratchFile
    private let read: Read
    private let state: Mutex<State>

    private struct State {
        /// What the copy has.
        var present: RangeSet<Int>
        /// What it has, and what was asked for.
        var claimed: RangeSet<Int>
        /// Requests that somebody waits for, and those that are expected.
        var urgent = RequestQueue()
        var expected = RequestQueue()
        var waiting: [Waiting] = []
        var threads = 0
        var bytesAskedFor = 0
        var bytesReceived = 0
        /// The first failure. Nothing is fetched after it.
        var failure: Failure?
    }

    /// Somebody who waits for some bytes.
    private struct Waiting {
        let bytes: RangeSet<Int>
        let done = DispatchSemaphore(value: 0)
    }

    /// The most requests at a time, for small ones: 16 answers that each take 50 ms to begin and 20 KiB make
    /// 6 MB a second.
    private static let mostThreads = 16
    /// The most bytes that are asked for at a time: three times what a line of 100 Mbit/s and 50 ms holds. All
    /// requests share a slow line, so that more would come later, and all at once at the end.
    private static let mostBytesAskedFor = 2 << 20
    /// The bytes of the first request, and of the others if there is much: something can be decoded soon.
    private static let firstBytes = 1 << 19
    /// The largest request, unless there is much to fetch.
    private static let largestRequest = 1 << 20
    /// If no more bytes than these are expected in all, they are asked for at once, in few requests.
    private static let fewBytes = 4 << 20

    /// Makes the copy of a file of which only the first bytes are known.
    ///
    /// - Parameters:
    ///   - head: its first bytes.
    ///   - version: what tells its states apart; nil if only its content does.
    ///   - scratch: the empty copy.
    ///   - read: makes one request.
    package init(
        size: Int, head: [UInt8], version: String?, scratch: ReadableScratchFile, read: @escaping Read
    ) throws {
        (self.size, self.version, self.scratch, self.read) = (size, version, scratch, read)
        let known = RangeSet(0..<min(head.count, size))
        state = Mutex(State(present: known, claimed: known))
        do throws(SystemError) {
            try scratch.file.truncate(to: size)
            try head.withUnsafeBytes { head in
                Result { () throws(SystemError) in
                    try scratch.file.write(UnsafeRawBufferPointer(rebasing: head.prefix(size)), at: 0)
                }
            }.get()
        } catch { throw Self.failure(error) }
    }

    /// Takes a copy that has all.
    package init(whole scratch: ReadableScratchFile, size: Int, version: String?) {
        (self.size, self.version, self.scratch) = (size, version, scratch)
        read = { _, _ in preconditionFailure("nothing is missing") }
        let all = RangeSet(0..<size)
        state = Mutex(State(present: all, claimed: all))
    }

    package var copy: String { scratch.path }

    package func fetch(_ ranges: [Range<Int>], inPiecesOf piece: Int) throws(Failure) {
        let wanted = RangeSet(ranges.map { $0.clamped(to: 0..<size) })
        let waiting = state.withLock { state -> Waiting? in
            let missing = wanted.subtracting(state.present)
            if missing.isEmpty || state.failure != nil { return nil }
            let more = missing.ranges.map { range in
                let (first, end) = (range.lowerBound, range.upperBound)
                return first / piece * piece..<min(size, (end + piece - 1) / piece * piece)
            }
            state.urgent.add(more)
            let waiting = Waiting(bytes: wanted)
            state.waiting.append(waiting)
            return waiting
        }
        if let waiting {
            startThreads()
            waiting.done.wait()
        }
        let failure = state.withLock { state in
            state.failure.flatMap { wanted.subtracting(state.present).isEmpty ? nil : $0 }
        }
        if let failure { throw failure }
    }

    package func expect(_ ranges: [Range<Int>]) {
        state.withLock { $0.expected.add(ranges.map { $0.clamped(to: 0..<size) }) }
        startThreads()
    }

    /// Starts a thread for each request that can be made now.
    private func startThreads() {
        while let request = next(isNewThread: true) {
            if BlockingThread.start({ self.work(from: request) }) { continue }
            // Without a thread, the caller makes the request.
            work(from: request)
        }
    }

    /// Makes requests, as long as there are any.
    private func work(from first: Range<Int>) {
        var request: Range<Int>? = first
        while let range = request {
            finish(range, Result { try transfer(range) })
            request = next(isNewThread: false)
            // What was too much at once may be possible now.
            startThreads()
        }
    }

    /// The next request that can be made now. If a thread of a request gets none, it has ended.
    private func next(isNewThread: Bool) -> Range<Int>? {
        state.withLock { state in
            let range = isNewThread && state.threads == Self.mostThreads ? nil : Self.take(from: &state)
            if isNewThread, range != nil { state.threads += 1 }
            if !isNewThread, range == nil { state.threads -= 1 }
            return range
        }
    }

    private static func take(from state: inout State) -> Range<Int>? {
        let isLittle = state.expected.byteCount <= fewBytes
        let most = isLittle ? fewBytes : min(mostBytesAskedFor, firstBytes + state.bytesReceived)
        let room = state.bytesAskedFor == 0 ? Int.max : most - state.bytesAskedFor
        guard state.failure == nil,
            let range = state.urgent.next(without: state.claimed, largest: largestRequest)
                ?? state.expected.next(
                    without: state.claimed, largest: isLittle ? largestRequest : firstBytes, atMost: room)
        else { return nil }
        state.claimed.insert(contentsOf: range)
        state.bytesAskedFor += range.count
        return range
    }

    private func transfer(_ range: Range<Int>) throws {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: range.count, alignment: 64)
        defer { buffer.deallocate() }
        try read(range, buffer)
        do throws(SystemError) {
            try scratch.file.write(UnsafeRawBufferPointer(buffer), at: range.lowerBound)
        } catch { throw Self.failure(error) }
    }

    private static func failure(_ error: SystemError) -> Failure {
        var failure = error.failure("write the scratch file with what was fetched")
        failure.remedy = "free some space, or name another folder with --tmpdir"
        return failure
    }

    /// Takes the result of a request, and wakes those whose bytes are complete.
    private func finish(_ range: Range<Int>, _ result: Result<Void, any Error>) {
        state.withLock { state in
            state.bytesAskedFor -= range.count
            switch result {
            case .success:
                state.present.insert(contentsOf: range)
                state.bytesReceived += range.count
            case .failure(let error):
                state.failure =
                    state.failure ?? error as? Failure ?? Failure(.inputOutput, "cannot read: \(error)")
            }
            state.waiting.removeAll { waiting in
                let isDone = state.failure != nil || waiting.bytes.subtracting(state.present).isEmpty
                if isDone { waiting.done.signal() }
                return isDone
            }
        }
    }
}

/// Ranges of bytes that are asked for one after the other. Those that lie next to each other are one request.
struct RequestQueue {
    /// The ranges, sorted within a batch, and the next one.
    private var ranges: [Range<Int>] = []
    private var place = 0

    /// The bytes of a batch, within which the order does not matter: tiles of a rotated image need blocks of
    /// many rows at a time.
    private static let batch = 4 << 20
    /// Bytes between ranges that are fetched with them, because a request of their own would cost more: GDAL
    /// writes 8 between the blocks of a COG. At most a hundredth of the ranges on either side.
    private static let largestGap = 1 << 12

    /// Adds ranges, in the order in which they are needed.
    mutating func add(_ new: [Range<Int>]) {
        if place == ranges.count { (ranges, place) = ([], 0) }
        var rest = new[...]
        while !rest.isEmpty {
            var bytes = 0
            let batch = rest.prefix { range in
                defer { bytes += range.count }
                return bytes < Self.batch
            }
            let joined = Self.joined(batch)
            ranges += joined
            byteCount += joined.reduce(0) { $0 + $1.count }
            rest = rest.dropFirst(batch.count)
        }
    }

    /// Sorts ranges, and joins those that meet or nearly do.
    private static func joined(_ batch: ArraySlice<Range<Int>>) -> [Range<Int>] {
        var joined: [Range<Int>] = []
        for range in batch.sorted(by: { $0.lowerBound < $1.lowerBound }) where !range.isEmpty {
            guard let last = joined.last else {
                joined.append(range)
                continue
            }
            let gap = max(0, range.lowerBound - last.upperBound)
            if gap <= largestGap, gap * 200 <= last.count + range.count {
                joined[joined.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                joined.append(range)
            }
        }
        return joined
    }

    /// The bytes of all ranges that were added.
    private(set) var byteCount = 0

    /// Takes the next request; nil if there is none, or if it is larger than `most`.
    ///
    /// - Parameters:
    ///   - claimed: what needs no request.
    ///   - largest: the bytes of the largest request.
    mutating func next(
        without claimed: RangeSet<Int>, largest: Int, atMost most: Int = .max
    ) -> Range<Int>? {
        while place < ranges.count {
            let range = ranges[place]
            guard let open = RangeSet(range).subtracting(claimed).ranges.first else {
                place += 1
                continue
            }
            let request = open.lowerBound..<min(open.upperBound, open.lowerBound + largest)
            if request.count > most { return nil }
            ranges[place] = request.upperBound..<range.upperBound
            return request
        }
        return nil
    }
}
