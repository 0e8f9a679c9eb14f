import Foundation
import TestSupport
import Testing

/// What the guide's page of floors makes of the names of files, and of frames.
@Suite(.needs("node"))
struct GuideInPageTests {
    /// What the files need of the page.
    private static let page = """
        const element = () => ({ textContent: '{"files": [], "sheets": []}' }), LANGUAGE = "en";
        const phrase = (key, values = {}) => [key, ...Object.values(values)].join(" ");
        """

    /// What a script says that may use the page's files without a page.
    private func run(
        _ script: String, files: [String] = ["names.js", "frame.js", "proposal.js"],
        after start: String = page
    ) throws -> Any {
        let scratch = try TemporaryDirectory()
        let pages = SharedData.packageRoot.appending(path: "Sources/Publishing/Pages/Guide")
        let files = try files.map {
            try String(contentsOf: pages.appending(path: $0), encoding: .utf8)
        }
        let path = try scratch.write(
            (["\"use strict\";", start] + files + ["console.log(JSON.stringify((() => {\(script)})()));"])
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

    @Test("covers and sections are no floors, nor are pictures beside documents without a storey")
    func proposal() throws {
        let found = try run(
            """
            const storeys = (names) => {
              const sheets = names.map((file, id) => ({ id, file, page: 1 }));
              facts = { files: names.map((name) => ({ name, pages: 1 })), sheets };
              const { sheets: made } = contentOf(facts);
              return sheets.map(({ id }) => made[id].isFloor ? made[id].ordinal : -9);
            };
            return [storeys(["Deckblatt.pdf", "EG.pdf", "1. OG.pdf", "2. OG.jpg", "logo.png"]),
              storeys(["EG Schnitt.pdf", "Schnitt A-A.pdf", "Façade nord.pdf", "立面図.pdf", "plan.SVG"]),
              storeys(["a.png", "b.jpg"]), storeys(["Legende.pdf"])];
            """)
        #expect(found as? [[Int]] == [[-9, 0, 1, 2, -9], [0, -9, -9, -9, 1], [0, 1], [0]])
    }

    @Test("without its cover, a document begins at the ground floor, and frames stay")
    func renumbering() throws {
        let found = try run(
            """
            const sheets = [1, 2, 3].map((page) => ({ id: `0-${page}`, file: "plans.pdf", page }));
            facts = { files: [{ name: "plans.pdf", pages: 3 }], sheets };
            const made = contentOf(facts), rest = sheets.slice(1);
            made.sheets["0-2"].crop = [1, 2, 3, 4];
            proposeFloors(made, rest);
            return rest.map(({ id }) => made.sheets[id])
              .map(({ floor, label, ordinal, crop }) => [floor, label, String(ordinal), String(crop)]);
            """)
        #expect(
            found as? [[String]] == [
                ["0", "open.groundFloor", "0", "1,2,3,4"], ["1", "open.floorNumber 1", "1", "null"],
            ])
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

    @Test("a draft that is damaged, or from somebody else, does not stop the page or choose a map")
    func drafts() throws {
        let found = try run(
            """
            const point = { id: 1, name: "1", pixel: { x: 1, y: 2 }, place: null, enabled: true };
            const right = {
              rough: { lon: 2, lat: 48, scale: 0.1, bearing: 0 }, model: null, kept: null, setOn: null,
              pins: [{ x: 1, y: 1 }, { x: 2, y: 1 }], points: [point],
              cuts: [{ id: 1, corners: [{ x: 1, y: 1 }] }],
            };
            const states = [right, undefined, null, 5, {}, { ...right, points: 5 }, { ...right, pins: [] },
              { ...right, points: [{ ...point, pixel: { x: "1", y: 2 } }] }, { ...right, points: [null] },
              { ...right, model: "constructor" }, { ...right, cuts: [{ id: 1 }] }, { ...right, rough: {} }];
            const of = (state) => Object.keys(checkedDraft({ positions: { a: { state } } }).positions).length;
            const odd = [null, 5, "x", [], { positions: 5, seen: "x", separate: 7 }, { positions: [null] }]
              .map((draft) => checkedDraft(draft))
              .map((one) => Object.keys(one.positions).length + one.separate.length);
            const seen = { a: { step: "points", turn: 90 }, b: { step: "x", turn: 0 }, c: null };
            const last = checkedDraft({ settings: { address: "https://evil.example" }, seen });
            return [states.map(of), odd, Object.keys(last.seen), last.settings === undefined];
            """, files: ["placing.js"],
            after: "const isGuided = false, STEPS = [\"points\"], MODELS = { affine: {} };")
        let all = try #require(found as? [Any])
        #expect(all[0] as? [Int] == [1] + Array(repeating: 0, count: 11))
        #expect(all[1] as? [Int] == [0, 0, 0, 0, 0, 0])
        #expect(all[2] as? [String] == ["a"] && all[3] as? Bool == true)
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
