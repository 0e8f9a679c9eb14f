import Platform
import TestSupport
import Testing
import Tilesets

@testable import TilewrightKit

/// Lists of what is published, as an attacker could write them: with a valid hash.
struct PublishedListTests {
    private let kinds = [
        ObjectKind(role: .tile, headers: ObjectHeaders(contentType: "", cacheControl: "max-age=1")),
        ObjectKind(role: .page, headers: ObjectHeaders(contentType: "text/html", cacheControl: "")),
    ]

    private func object(_ path: String, kind: UInt8 = 0, isCertain: Bool = true) -> PublishedObject {
        PublishedObject(
            path: path, kind: kind, isCertain: isCertain, size: isCertain ? path.utf8.count : 0,
            hash: ContentHash(of: isCertain ? path : ""))
    }

    @Test("A list is read as it was written")
    func same() throws {
        var list = PublishedList(run: ContentHash(of: "run"), kinds: kinds)
        list.objects = ["15/1/2.png", "15/1/3.png", "a b", "e\u{301}.png", "page.html", "\u{e9}.png"].map {
            object($0, kind: $0.hasSuffix("html") ? 1 : 0, isCertain: $0 != "a b")
        }
        let bytes = try list.encoded()
        #expect(try PublishedList(decoding: bytes) == list)
        #expect(PublishedList.run(inHead: Array(bytes.prefix(PublishedList.headSize))) == list.run)
        list.run = nil
        #expect(try PublishedList.run(inHead: list.encoded()) == nil)
        #expect(try PublishedList(decoding: PublishedList().encoded()) == PublishedList())
    }

    @Test(
        "Paths that lead elsewhere are damage",
        arguments: [
            "", "/", "/a", "a/", "a//b", ".", "..", "../a", "a/../b", "a/..", "./a", "a\\b", "a\nb",
            "a\u{7f}",
            String(repeating: "a", count: 1025),
        ])
    func paths(path: String) throws {
        let bytes = try PublishedList(kinds: kinds, objects: [object(path)]).encoded()
        #expect(throws: PublishedList.Damage.self) { _ = try PublishedList(decoding: bytes) }
        #expect(!ObjectPath.isSafe(path))
    }

    @Test("Lists that are not sorted, or name an object twice, are damage")
    func order() throws {
        for paths in [["b", "a"], ["a", "a"], ["a/b", "a", "b"]] {
            let bytes = try PublishedList(kinds: kinds, objects: paths.map { object($0) }).encoded()
            #expect(throws: PublishedList.Damage.self) { _ = try PublishedList(decoding: bytes) }
        }
    }

    @Test("Random records with a valid hash are read or damage", arguments: 0..<20)
    func random(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        for _ in 0..<500 {
            // Small numbers are more likely to be lengths that fit.
            let records = (0..<Int.random(in: 0..<60, using: &random)).map { _ in
                UInt8.random(in: Bool.random(using: &random) ? 0...4 : 0...255, using: &random)
            }
            let count = Int.random(in: -1...(records.count / 3 + 1), using: &random)
            let bytes = try PublishedList.encoded(records, count: count, kinds, nil)
            do {
                let list = try PublishedList(decoding: bytes)
                #expect(list.objects.count == count)
            } catch is PublishedList.Damage {}
        }
    }

    @Test(
        "Heads that claim too much are damage",
        arguments: [
            "objects -1\nbytes 0", "objects 1\nbytes 0",
            "objects 9223372036854775807\nbytes 9223372036854775807",
            "objects 0\nbytes -1", "objects 99999999999999999999\nbytes 4", "objects 0\nbytes 1099511627776",
            "kind 99\ta\tb\nobjects 0\nbytes 0", "kind 0\ta\nobjects 0\nbytes 0",
            "other 1\nobjects 0\nbytes 0",
        ])
    func heads(lines: String) throws {
        let start = "tilewright published 1\nrun -\n\(lines)\n"
        let hash = ContentHash(of: ContentHash(of: start).bytes + ContentHash(of: [UInt8]()).bytes)
        let bytes = Array("\(start)hash \(hash.hex)\n\n".utf8)
        #expect(throws: PublishedList.Damage.self) {
            _ = try PublishedList(decoding: bytes + CompressedBytes.compress([]))
        }
    }
}
