import Platform
import TestSupport
import Testing
import Tiling

@testable import Tilesets

/// A tileset that another one would replace.
@Suite struct ReplacementTests {
    /// The images of a tileset, those of a run, and the refusal; nil if it is not refused.
    static let cases: [(old: [String], new: [String], words: String?)] = [
        (["a.png"], ["a.png"], nil), (["a.png"], ["x/a.png"], nil),
        (["a.png", "b.png"], ["b.png", "c.png"], nil),
        ([], ["a.png"], nil), (["a.png"], [], nil), ([], [], nil),
        (["a.png"], ["b.png"], "was made from 'a.png': "),
        (["a.png"], ["A.png"], "was made from 'a.png': "),
        (["a.png", "b.png"], ["c.png"], "was made from 'a.png' and 'b.png': "),
        (["1", "2", "3", "4", "5"], ["6"], "was made from '1', '2', '3' and 2 more: "),
    ]

    private func images(_ paths: [String]) -> [SourceImage] { paths.map { SourceImage(path: $0) } }

    @Test("a tree of other images is refused", arguments: cases)
    func trees(old: [String], new: [String], words: String?) throws {
        for floor in [nil, "1"] {
            let site = try Site()
            var options = try site.options(floor: floor)
            options.tileset.origin.images = images(old)
            try site.build([tile(1, 1, 1)], options)
            options.tileset.origin.images = images(new)
            options.job = ContentHash(of: "next")
            guard let words else {
                try site.build([tile(1, 1, 0)], options)
                continue
            }
            let before = try site.directory.files()
            let failure = try #require(throws: Failure.self) { try TreeWriter(options) }
            #expect(failure.kind == .outputRefused && failure.remedy == nil)
            #expect(failure.message.contains("'\(site.path)' " + words))
            #expect(failure.message.contains("--floor") && failure.message.hasSuffix(", or --force"))
            #expect(try site.directory.files() == before)
            options.tileset.force = true
            try site.build([tile(1, 1, 0)], options)
            options.tileset.force = false
            options.job = ContentHash(of: "third")
            try site.build([tile(1, 0, 0)], options)
        }
    }

    @Test("an archive of other images is refused", arguments: ArchiveKind.allCases, cases)
    func archives(kind: ArchiveKind, test: (old: [String], new: [String], words: String?)) throws {
        let site = try ArchiveSite(kind)
        try site.build([tile(1, 1, 1)], images: images(test.old))
        guard let words = test.words else {
            try site.build([tile(1, 1, 0)], job: "next", images: images(test.new))
            return
        }
        let bytes = try site.bytes
        let failure = try #require(throws: Failure.self) {
            try site.open(job: "next", images: images(test.new))
        }
        #expect(failure.kind == .outputRefused)
        #expect(failure.message.hasPrefix("'\(site.path)' " + words))
        #expect(failure.message.hasSuffix(": give each floor its own OUTPUT, or --force"))
        #expect(try site.bytes == bytes && site.names() == ["plan.\(kind)"])
        try site.build([tile(1, 1, 0)], job: "next", images: images(test.new), force: true)
        try site.build([tile(1, 0, 0)], job: "third", images: images(test.new))
    }

    @Test("an archive whose image has another name is written again, with the old time")
    func renamedImage() throws {
        for kind in ArchiveKind.allCases {
            let site = try ArchiveSite(kind)
            let tiles = [tile(1, 1, 1), tile(1, 0, 1)]
            try site.build(tiles)
            let stamp = try site.stamp()
            #expect(try site.build(tiles, images: images(["a.png"])).unchanged == 2)
            #expect(try site.stamp()[1...] == stamp[1...])
            // MBTiles is changed where it is.
            #expect(try (site.stamp()[0] == stamp[0]) == (kind == .mbtiles))
            let named = try site.stamp()
            #expect(try site.build(tiles, images: images(["a.png"])).unchanged == 2)
            #expect(try site.stamp() == named)
        }
    }

    @Test("after a forced run was killed, the tileset belongs to both")
    func killed() throws {
        let site = try Site()
        var options = try site.options()
        options.tileset.origin.images = images(["a.png"])
        try site.build([tile(1, 1, 1)], options)
        let state = try TilesetFolder(path: site.path, floor: nil, force: false)
        let old = try state.readManifest(force: false)
        let section = TilesetManifest.Section(names: options.names, records: TileRecords())
        let next = TilesetManifest(
            sections: [section], job: ContentHash(of: "next"), images: images(["b.png"]))
        try state.write(old.adding(next))
        state.lock.release()
        for name in ["a.png", "b.png"] {
            options.tileset.origin.images = images([name])
            try TreeWriter(options).suspend()
        }
        options.tileset.origin.images = images(["c.png"])
        let failure = try #require(throws: Failure.self) { try TreeWriter(options) }
        #expect(failure.message.contains("was made from 'a.png' and 'b.png'"))
    }

    @Test("a tile of another floor that would be replaced is an error with a remedy")
    func otherFloor() throws {
        let site = try Site()
        try site.build([tile(1, 1, 1)], site.options(floor: "0"))
        let failure = try #require(throws: Failure.self) {
            try site.build([tile(1, 1, 1)], site.options(floor: "1"))
        }
        #expect(failure.message == "cannot write '\(site.path)/1/1/1.png': it is a tile of floor '0'")
        #expect(failure.remedy?.contains("{floor} in --template") == true)
    }
}
