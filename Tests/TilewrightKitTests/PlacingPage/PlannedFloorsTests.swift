import Codecs
import Foundation
import TestSupport
import Testing

@testable import TilewrightKit

/// The pictures of a page of several floors.
@Suite struct PlannedFloorsTests {
    private static let size = (width: 1600, height: 1200)
    private let scratch: TemporaryDirectory
    private let requests: [ImageRequest]

    init() throws {
        scratch = try TemporaryDirectory()
        let count = Self.size.width * Self.size.height * 4
        var random = SplitMix(seed: 1)
        let noise = (0..<count / 8).flatMap { _ in
            let word = random.next()
            return (0..<8).map { $0 % 4 == 3 ? 255 : UInt8(truncatingIfNeeded: word >> (8 * UInt64($0))) }
        }
        for (name, rgba) in [("noise", noise), ("blank", [UInt8](repeating: 255, count: count))] {
            let bytes = try rgba.withUnsafeBufferPointer {
                try PNGImage.encode(rgba: $0, width: Self.size.width, height: Self.size.height)
            }
            try Data(bytes).write(to: scratch.url.appending(path: "\(name).png"))
        }
        requests = ["noise", "blank"].map { [scratch] in ImageRequest(scratch.path("\($0).png")) }
    }

    @Test(
        "only pictures that take more than their share are reduced, until the page is small enough",
        .long)
    func reduced() async throws {
        let floors = try await PlannedFloors(requests, longestEdge: nil, mostBytes: 4_000_000)
        #expect(floors.readable.map(\.pictureEdge) == [800, 1600])
        #expect(floors.readable.map(\.picture.scale.x) == [2, 1])
        #expect(floors.readable.reduce(0) { $0 + $1.pictureBytes } <= 4_000_000)
        #expect(floors.warnings.count == 1 && floors.warnings[0].contains("--preview 4096"))
    }

    @Test("no picture is reduced so far that corners of walls are lost, or if its edge was requested", .long)
    func limits() async throws {
        let least = try await PlannedFloors(requests, longestEdge: nil, mostBytes: 1000)
        #expect(least.readable.map(\.pictureEdge) == [800, 800])
        let asked = try await PlannedFloors(requests, longestEdge: 2000, mostBytes: 1000)
        #expect(asked.readable.map(\.pictureEdge) == [1600, 1600] && asked.warnings.isEmpty)
    }

    @Test("an image that cannot be read does not affect the others", .long)
    func damaged() async throws {
        let all = [ImageRequest(scratch.path("nowhere.png"))] + requests
        let floors = try await PlannedFloors(all, longestEdge: 100)
        #expect(floors.images.count == 3 && floors.readable.map(\.pictureEdge) == [100, 100])
        #expect(throws: (any Error).self) { try floors.images[0].get() }
    }
}
