import Platform
import Publishing
import Testing

/// The list of what no cache knows yet.
struct PendingChangesTests {
    typealias Kind = AddressChange.Kind

    private func list(_ lines: String) throws -> PendingChanges {
        try PendingChanges(reading: Array(lines.utf8), from: "list")
    }

    private func text(_ list: PendingChanges) -> String { String(decoding: list.bytes, as: UTF8.self) }

    /// For each earlier line, what it becomes with each change: from the contract of `--pending`.
    @Test(
        "Two changes of an address become one line",
        arguments: [
            (Kind?.none, [Kind?.some(.added), .changed, .removed]), (.added, [.added, .added, nil]),
            (.changed, [.changed, .changed, .removed]), (.removed, [.changed, .changed, .removed]),
        ])
    func merging(_ earlier: Kind?, _ results: [Kind?]) throws {
        for (next, result) in zip(Kind.allCases, results) {
            var list = try list(earlier.map { "\($0) a\n" } ?? "")
            list.add(AddressChange(next, "a"))
            #expect(text(list) == (result.map { "\($0) a\n" } ?? ""))
        }
    }

    /// A cache that looks at each address that is added or changed, and drops what is removed, is right in
    /// both cases: if the change comes, and if it does not.
    @Test(
        "A change that may not happen is told so that a cache is right either way",
        arguments: [
            Kind?.none, .added, .changed, .removed,
        ])
    func expecting(_ earlier: Kind?) {
        for next in Kind.allCases {
            let said = PendingChanges.kind(earlier, thenMaybe: next)
            #expect(said != .removed, "what is there must not be dropped")
            #expect(earlier != .added || said == .added)
        }
    }

    @Test("Tiles come before documents, removals last, each sorted by address")
    func order() throws {
        let lines = """
            changed campus.json
            removed b/1.png
            added b/tilejson.json
            changed b/building.json
            added a/2.png
            changed a/10.png

            """
        #expect(
            text(try list(lines)) == """
                changed a/10.png
                added a/2.png
                added b/tilejson.json
                changed b/building.json
                changed campus.json
                removed b/1.png

                """)
        #expect(try list(text(list(lines))) == list(lines))
    }

    @Test(
        "Files that are not whole lists are refused",
        arguments: [
            "added a", "added a\nchanged", "added\n", "moved a\n", "added a b\n", "added  a\n", "\n",
            "added \u{7}\n",
            "{}\n", "added a\n\nadded b\n",
        ])
    func damage(_ text: String) {
        #expect { try list(text) } throws: { ($0 as? Failure)?.kind == .badInput }
    }

    @Test("Bytes that are not text are refused")
    func bytes() {
        #expect { try PendingChanges(reading: [0xFF, 0x0A], from: "list") } throws: {
            ($0 as? Failure)?.kind == .badInput
        }
    }
}
