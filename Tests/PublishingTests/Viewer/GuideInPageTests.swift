import Foundation
import TestSupport
import Testing

/// What the guide's page of floors makes of the names of files, and of frames.
@Suite(.needs("node"))
struct GuideInPageTests {
    /// What a script says that may use the page's files without a page.
    private func run(_ script: String) throws -> Any {
        let scratch = try TemporaryDirectory()
        let pages = SharedData.packageRoot.appending(path: "Sources/Publishing/Pages/Guide")
        let files = try ["names.js", "frame.js"].map {
            try String(contentsOf: pages.appending(path: $0), encoding: .utf8)
        }
        let path = try scratch.write(
            (["\"use strict\";"] + files + ["console.log(JSON.stringify((() => {\(script)})()));"])
                .joined(separator: "\n"), to: "guide.js")
        let outcome = try Tool.run("node", [path])
        try #require(outcome.status == 0, "\(outcome.errors)")
        return try JSONSerialization.jsonObject(with: Data(outcome.output.utf8))
    }

    /// Names as offices of several countries write them, and storeys from below; nil if they tell none.
    private static let names: [(String, Int?)] = [
        ("EG.pdf", 0), ("1.OG.pdf", 1), ("Haus A 2. OG.png", 2), ("OG3.png", 3), ("UG.pdf", -1),
        ("2.UG.pdf", -2), ("Untergeschoß.pdf", -1), ("3. Obergeschoss.pdf", 3), ("Kellergeschoss.pdf", -1),
        ("Level 2.png", 2), ("Level -1.png", -1), ("floor-3.png", 3), ("floor1.png", 1), ("L2.pdf", 2),
        ("Ground_Floor.pdf", 0), ("basement.pdf", -1), ("Basement 2.pdf", -2), ("1st floor.pdf", 1),
        ("Second_Floor.pdf", 2), ("B1.png", -1), ("rez-de-chaussée.pdf", 0), ("RDC.pdf", 0),
        ("2ème étage.pdf", 2), ("sous-sol 1.pdf", -1), ("planta baja.pdf", 0), ("piso 1.pdf", 1),
        ("sótano.pdf", -1), ("térreo.pdf", 0), ("2º andar.pdf", 2), ("2F.png", 1), ("B2F.png", -2),
        ("1階平面図.png", 0), ("地下1階.png", -1), ("二层平面图.png", 1), ("负一楼.png", -1),
        ("الطابق الأرضي.pdf", 0), ("الطابق 2.pdf", 2), ("همکف.pdf", 0), ("طبقه 3.pdf", 3),
        ("भूतल.pdf", 0),
        ("plans.pdf", nil), ("Office 2024.pdf", nil), ("legend.png", nil), ("buggy.png", nil),
        ("A3F.png", nil),
    ]

    @Test("names of files tell storeys in the pages' languages, and other names tell none")
    func storeys() throws {
        let list = try JSONSerialization.data(withJSONObject: Self.names.map(\.0))
        let found = try run(
            """
            return \(String(decoding: list, as: UTF8.self)).map((name) => storeyOf(name)?.storey ?? null);
            """)
        let storeys = try #require(found as? [Any])
        for ((name, storey), value) in zip(Self.names, storeys) {
            #expect(value as? Int == storey, "\(name)")
        }
        #expect(storeys.count == Self.names.count)
    }

    @Test("sheets without a storey get the lowest free one, and each storey has one floor")
    func order() throws {
        let found = try run(
            """
            const of = (names, taken) => storeysOf(names.map((name) => ({ name })), taken)
              .map(({ storey }) => storey);
            return [of([null, null, null]), of(["UG.png", "EG.png", "DG.png", "1.OG.png"]),
              of(["EG.png", "EG old.png", "a.png"]), of(["a.png", "EG.png"], [0, 1])];
            """)
        #expect(found as? [[Int]] == [[0, 1, 2], [-1, 0, 2, 1], [0, 1, 2], [2, 3]])
    }

    @Test("short names are those that a floor's folder can have, and no two are the same")
    func keys() throws {
        let found = try run(
            """
            return [["0", "-1", "B1", "1.OG", "a_b"].map(isKey),
              ["", "..", "a/b", "-", "É", "a b", "a."].map(isKey),
              [freeKey("1", ["0"]), freeKey("b1", ["B1", "b1-2"])]];
            """)
        let lists = try #require(found as? [[Any]])
        #expect(lists[0] as? [Bool] == Array(repeating: true, count: 5))
        #expect(lists[1] as? [Bool] == Array(repeating: false, count: 7))
        #expect(lists[2] as? [String] == ["1", "b1-3"])
    }

    @Test("a frame has whole pixels, stays within its sheet, and only the dragged edges move")
    func frames() throws {
        let found = try run(
            """
            const size = { width: 1000, height: 600 };
            return [fittedFrame([-5.4, 10.6, 2000, 20.2], size),
              movedFrame([100, 100, 300, 200], { x: 900, y: -300 }, size),
              resizedFrame([100, 100, 300, 200], { x: -1, y: 1 }, { x: 20.4, y: 50 }, size, 10),
              resizedFrame([100, 100, 300, 200], { x: 1, y: -1 }, { x: -900, y: 900 }, size, 10),
              resizedFrame([100, 100, 300, 200], { x: 0, y: 1 }, { x: 70, y: 9000 }, size, 10),
              frameBetween({ x: 1200, y: 500 }, { x: 900.6, y: -20 }, size)];
            """)
        #expect(
            found as? [[Int]] == [
                [0, 11, 1000, 20], [700, 0, 300, 200], [120, 100, 280, 250], [100, 290, 10, 10],
                [100, 100, 300, 500], [901, 0, 99, 500],
            ])
    }
}
