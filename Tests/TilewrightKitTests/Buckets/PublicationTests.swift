import Foundation
import Platform
import TestSupport
import Testing
import TilewrightKit
import Tiling

/// Publishing to a bucket in memory.
struct PublicationTests {
    private let site: Site
    private let store = FakeStore()

    init() async throws {
        site = try Site()
        try await build(15...17)
    }

    /// Builds the plan; `shade` changes the tiles of one of its parts.
    private func build(_ zoom: ClosedRange<Int>, shade: Bool = false, to output: String = "out") async throws
    {
        try site.draw("plan.png", width: 300, height: 200) { column, row in
            shade && column < 40 && row < 40 ? 128 : 255
        }
        _ = try await TilesetBuild(site.request(output, zoom: zoom)).run()
    }

    @discardableResult
    private func publish(
        _ output: String = "out", to store: FakeStore? = nil, deletes: Bool = false, jobs: Int = 1,
        address: String = "s3://bucket/plans"
    ) throws -> PublishingSummary {
        var request = PublishRequest(site.path(output), to: address)
        (request.deletes, request.jobs) = (deletes, jobs)
        return try Publication(request, to: store ?? self.store).run()
    }

    /// A bucket after a single run.
    private func fresh(_ output: String = "out") throws -> [String: FakeStore.Object] {
        let store = FakeStore()
        try publish(output, to: store)
        return store.objects
    }

    /// The files of the folder, without the program's state.
    private func files(_ output: String = "out") throws -> [String: [UInt8]] {
        let names = try #require(FileManager.default.enumerator(atPath: site.path(output))).compactMap {
            $0 as? String
        }
        let visible = names.filter { name in
            !name.hasPrefix(".") && FileStatus(at: site.path("\(output)/\(name)"))?.kind == .file
        }
        return try Dictionary(uniqueKeysWithValues: visible.map { ($0, try site.bytes("\(output)/\($0)")) })
    }

    @Test("A bucket gets the files of the folder, with their types, tiles first")
    func first() throws {
        try site.write("mine".utf8, to: "out/notes.txt")
        let summary = try publish()
        var expected = try files()
        expected["notes.txt"] = nil
        var objects = store.objects
        let list = objects.removeValue(forKey: Publication.listName)
        #expect(list != nil)
        #expect(objects.mapValues(\.bytes) == expected)
        #expect(summary.tiles + summary.documents == expected.count)
        #expect(summary.bytes == expected.values.reduce(0) { $0 + $1.count })
        for (key, object) in objects {
            let isTile = key.hasSuffix(".png")
            #expect(object.headers.contentType == (isTile ? "image/png" : "application/json"))
            #expect(object.headers.cacheControl == (isTile ? "public, max-age=604800" : "public, max-age=60"))
        }
        let requests = store.takeRequests()
        #expect(requests.first == "get .tilewright-published")
        #expect(requests[1] == "put .tilewright-published")
        #expect(
            requests.suffix(4) == [
                "put metadata.json", "put tilejson.json", "get .tilewright-published",
                "put .tilewright-published",
            ])
        #expect(store.faults == [])
    }

    @Test("With nothing to do, there is one request")
    func nothing() throws {
        try publish()
        _ = store.takeRequests()
        let summary = try publish()
        #expect(store.takeRequests() == ["get .tilewright-published"])
        #expect(summary.isEmpty)
    }

    @Test("What differs is put, and the bucket is as a fresh one", arguments: [1, 7])
    func changed(jobs: Int) async throws {
        try publish()
        _ = store.takeRequests()
        let before = try files()
        try await build(15...17, shade: true)
        let after = try files()
        try publish(jobs: jobs)
        let differing = after.filter { before[$0.key] != $0.value }.keys.map { "put \($0)" }
        let puts = store.takeRequests().filter { $0.hasPrefix("put") && !$0.hasSuffix(Publication.listName) }
        #expect(puts.sorted() == differing.sorted())
        #expect(try store.objects == fresh())
        #expect(puts.count < after.count)
    }

    @Test("Another Cache-Control puts the tiles again, and leaves no trace when it is taken back")
    func cacheControl() throws {
        try publish()
        for number in 0..<150 {
            var request = PublishRequest(site.path("out"), to: "s3://bucket/plans")
            request.cacheControl = "max-age=\(number)"
            let publication = try Publication(request, to: store)
            #expect(publication.warnings.isEmpty && publication.summary.documents == 0)
            _ = try publication.run()
        }
        let tiles = store.objects.filter { $0.key.hasSuffix(".png") }
        #expect(tiles.allSatisfy { $0.value.headers.cacheControl == "max-age=149" })
        try publish()
        #expect(try store.objects == fresh())
    }

    @Test("What is no longer there stays, or is removed after the documents")
    func removed() async throws {
        try publish()
        let before = try files()
        try await build(15...16)
        let kept = try publish()
        #expect(kept.left == before.keys.filter { $0.hasPrefix("17/") }.count && kept.removed == 0)
        #expect(store.objects.keys.contains { $0.hasPrefix("17/") })
        _ = store.takeRequests()
        let summary = try publish(deletes: true)
        #expect(summary.removed == kept.left && summary.tiles + summary.documents == 0)
        #expect(try store.objects == fresh())
        try await build(15...17)
        try publish(deletes: true)
        try await build(15...16)
        _ = store.takeRequests()
        try publish(deletes: true)
        let requests = store.takeRequests()
        let document = try #require(requests.firstIndex(of: "put tilejson.json"))
        let removal = try #require(requests.firstIndex { $0.hasPrefix("remove") })
        #expect(document < removal)
        #expect(store.faults == [])
    }

    @Test("After a kill at any request, the next run goes on, and no TileJSON names a missing tile")
    func killed() async throws {
        for isDoneBefore in [false, true] {
            try await build(15...17)
            let old = try fresh()
            try await build(15...16, shade: true)
            let new = try fresh()
            store.objects = old
            _ = store.takeRequests()
            try publish(deletes: true)
            let count = store.takeRequests().count
            #expect(store.objects == new)
            for number in 0..<count {
                store.objects = old
                store.kill(at: number, isDoneBefore: isDoneBefore)
                #expect(throws: FakeStore.Killed.self) { try publish(deletes: true) }
                store.kill(at: nil)
                try publish(deletes: true)
                #expect(store.objects == new, "killed at \(number)")
            }
            // The other way round, into an empty bucket, and on to other tiles.
            store.objects = [:]
            _ = store.takeRequests()
            try publish()
            for number in 0..<store.takeRequests().count {
                store.objects = [:]
                store.kill(at: number, isDoneBefore: isDoneBefore)
                #expect(throws: FakeStore.Killed.self) { try publish() }
                store.kill(at: nil)
                try await build(15...17, to: "other")
                try publish("other", deletes: true)
                #expect(store.objects == old, "killed at \(number)")
            }
        }
        #expect(store.faults == [])
    }

    @Test("What is done is listed now and then, so that the next run need not do it again")
    func listed() throws {
        try publish()
        let count = store.takeRequests().count
        store.objects = [:]
        var request = PublishRequest(site.path("out"), to: "s3://bucket/plans")
        request.jobs = 1
        var publication = try Publication(request, to: store)
        publication.listInterval = .zero
        store.slow(by: 100_000)
        store.kill(at: 10)
        #expect(throws: FakeStore.Killed.self) { _ = try publication.run() }
        let lists = store.takeRequests().filter { $0 == "put .tilewright-published" }.count
        store.kill(at: nil)
        store.slow(by: 0)
        try publish()
        #expect(lists >= 2)
        #expect(store.takeRequests().count < count)
        #expect(try store.objects == fresh())
    }

    @Test("A damaged list is a warning, and everything is put again", arguments: 0..<40)
    func damaged(seed: Int) throws {
        try publish()
        let whole = store.objects
        var bytes = try #require(whole[Publication.listName]).bytes
        var random = SplitMix(seed: UInt64(seed))
        switch seed % 4 {
        case 0: bytes.removeLast(1 + Int(random.next() % UInt64(bytes.count - 1)))
        case 1: bytes[Int(random.next() % UInt64(bytes.count))] ^= UInt8(1 + random.next() % 255)
        case 2: bytes = (0..<200).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        default:
            bytes.insert(
                UInt8(truncatingIfNeeded: random.next()), at: Int(random.next() % UInt64(bytes.count)))
        }
        store.objects[Publication.listName]?.bytes = bytes
        let publication = try Publication(
            PublishRequest(site.path("out"), to: "s3://bucket/plans"), to: store)
        #expect(publication.warnings.map(\.name) == ["damaged-list"])
        _ = try publication.run()
        #expect(store.objects == whole)
    }

    @Test("Two runs at once both fail, and the next one repairs what they did")
    func two() async throws {
        try publish()
        try await build(15...17, shade: true)
        var request = PublishRequest(site.path("out"), to: "s3://bucket/plans")
        request.deletes = true
        // The other one begins, and is killed before its end.
        store.kill(at: 3)
        #expect(throws: FakeStore.Killed.self) { try publish() }
        store.kill(at: nil)
        let list = store.objects[Publication.listName]
        let other = RivalStore(store) { store.objects[Publication.listName] = list }
        let document = try #require(store.objects["tilejson.json"])
        let failure = #expect(throws: Failure.self) { _ = try Publication(request, to: other).run() }
        #expect(failure?.kind == .busy)
        // The other one may have removed tiles that the document would name.
        #expect(store.objects["tilejson.json"] == document)
        try publish(deletes: true)
        #expect(try store.objects == fresh())
    }

    @Test("A build that runs, or has run, is noticed")
    func building() async throws {
        let publication = try Publication(
            PublishRequest(site.path("out"), to: "s3://bucket/plans"), to: store)
        try await build(15...17, shade: true)
        expectRefusal(.inputOutput, "changed while it was read") { try publication.run() }
        let folder = try #require(try Directory.open(site.path("out/.tilewright/tileset")))
        let lock = try #require(try FileLock.acquire("lock", in: folder, for: "it"))
        expectRefusal(.busy, "another run is writing") { try publish() }
        lock.release()
        try publish()
        try FileManager.default.removeItem(atPath: site.path("out/tilejson.json"))
        expectRefusal(.badInput, "is missing") { try publish() }
    }

    @Test("An archive becomes what convert writes, or one object", arguments: ["pmtiles", "mbtiles"])
    func archive(ending: String) throws {
        _ = try TilesetConversion(ConversionRequest(site.path("out"), to: site.path("a.\(ending)"))).run()
        _ = try TilesetConversion(ConversionRequest(site.path("a.\(ending)"), to: site.path("copy"))).run()
        try publish("a.\(ending)")
        var objects = store.objects
        objects[Publication.listName] = nil
        #expect(try objects.mapValues(\.bytes) == files("copy"))
        _ = store.takeRequests()
        try publish("a.\(ending)")
        #expect(store.takeRequests().count == 1)

        let one = FakeStore()
        try publish("a.\(ending)", to: one, address: "s3://bucket/maps/plan.\(ending)")
        let type = ending == "pmtiles" ? "application/vnd.pmtiles" : "application/vnd.sqlite3"
        #expect(one.objects["plan.\(ending)"]?.headers.contentType == type)
        #expect(try one.objects["plan.\(ending)"]?.bytes == site.bytes("a.\(ending)"))
        #expect(one.objects.count == 2)
        expectRefusal(.usage, "convert it first") { try publish(address: "s3://bucket/plan.\(ending)") }
    }

    @Test("Documents of KML come after those to which they have links, and go before them")
    func links() async throws {
        var request = site.request("kml", zoom: 6...18)
        request.output.docKML = .superoverlay
        _ = try await TilesetBuild(request).run()
        try publish("kml")
        let objects = store.objects
        func targets(_ key: String) -> [String] {
            String(decoding: objects[key]?.bytes ?? [], as: UTF8.self).components(separatedBy: "<href>")
                .dropFirst()
                .map { String($0.prefix { $0 != "<" }) }.filter { $0.hasSuffix(".kml") }
        }
        let documents = store.takeRequests().filter { $0.hasSuffix(".kml") }.map { String($0.dropFirst(4)) }
        #expect(documents.count > 3 && documents.last == "doc.kml")
        var known: Set<String> = []
        for document in documents {
            #expect(known.isSuperset(of: targets(document)), "\(document)")
            known.insert(document)
        }
        #expect(documents.contains { !targets($0).isEmpty && $0 != "doc.kml" })
        request.output.docKML = nil
        _ = try await TilesetBuild(request).run()
        try publish("kml", deletes: true)
        for name in store.takeRequests().filter({ $0.hasSuffix(".kml") }).map({ String($0.dropFirst(7)) }) {
            known.remove(name)
            #expect(known.allSatisfy { !targets($0).contains(name) }, "\(name)")
        }
        #expect(known == [])
    }

    @Test("A received folder cannot lead to files elsewhere")
    func received() throws {
        let campus = """
            {"version": 1, "name": "x", "buildings": [{"name": "n", "index": "PATH", "floors": []}],
            "generator": "tilewright"}
            """
        func expect(_ kind: Failure.Kind, _ words: String, _ path: String) throws {
            try site.write(campus.replacingOccurrences(of: "PATH", with: path).utf8, to: "campus/campus.json")
            expectRefusal(kind, words) { try publish("campus") }
        }
        try expect(.badInput, "not a path below", "../out/building.json")
        try expect(.badInput, "not a path below", "/etc/building.json")
        try expect(.missingInput, "does not exist", "north/building.json")
        try FileManager.default.createSymbolicLink(
            atPath: site.path("campus/north"), withDestinationPath: site.path("out"))
        try expect(.missingInput, "symbolic link", "north/building.json")
        #expect(store.objects == [:])
    }

    @Test("Values that cannot be used are refused")
    func refused() throws {
        func check(_ words: String, _ change: (inout PublishRequest) -> Void) {
            expectRefusal(.usage, words) {
                var request = PublishRequest(site.path("out"), to: "s3://bucket/plans")
                change(&request)
                _ = try Publication(request, to: store)
            }
        }
        for value in ["", "a\r\nX: y", "a\tb", "ä", String(repeating: "a", count: 1025)] {
            check("--cache-control") { $0.cacheControl = value }
        }
        for jobs in [0, -1, 257] { check("--jobs") { $0.jobs = jobs } }
        #expect(store.takeRequests() == [])
        try site.write("x".utf8, to: "foreign/1/0/0.png")
        expectRefusal(.badInput, "did not make it") { try publish("foreign") }
        expectRefusal(.missingInput, "no such folder") { try publish("nowhere") }
    }
}

/// A store in which another run replaces the list after the first put.
private final class RivalStore: ObjectStore {
    private let store: FakeStore
    private let act: @Sendable () -> Void

    init(_ store: FakeStore, _ act: @escaping @Sendable () -> Void) { (self.store, self.act) = (store, act) }

    func title(of key: String) -> String { store.title(of: key) }
    func bytes(of key: String, atMost most: Int) throws -> [UInt8]? { try store.bytes(of: key, atMost: most) }
    func head(of key: String, count: Int) throws -> [UInt8]? { try store.head(of: key, count: count) }
    func put(_ bytes: [UInt8], at key: String, _ headers: ObjectHeaders) throws {
        try store.put(bytes, at: key, headers)
        if key == Publication.listName { act() }
    }
    func put(fileAt path: String, size: Int, at key: String, _ headers: ObjectHeaders) throws {
        try store.put(fileAt: path, size: size, at: key, headers)
    }
    func remove(_ key: String) throws { try store.remove(key) }
}
