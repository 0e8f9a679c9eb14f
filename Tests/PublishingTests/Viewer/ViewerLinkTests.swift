import Foundation
import TestSupport
import Testing

/// The address of the viewer's page, which says what is seen, and what is shown of several buildings.
@Suite(.needs("node"))
struct ViewerLinkTests {
    /// What a script says that may use the page's files without a page.
    private func run(_ script: String) throws -> String {
        let scratch = try TemporaryDirectory()
        let pages = SharedData.packageRoot.appending(path: "Sources/Publishing/Pages")
        let files = try ["page.js", "Viewer/shown.js"].map {
            try String(contentsOf: pages.appending(path: $0), encoding: .utf8)
        }
        let path = try scratch.write(
            (files + [Self.support, "console.log(JSON.stringify((() => {\(script)})()));"])
                .joined(separator: "\n"), to: "link.js")
        let outcome = try Tool.run("node", [path])
        try #require(outcome.status == 0, "\(outcome.errors)")
        return outcome.output
    }

    /// Buildings of floors that have names, the uppermost first, and where they lie.
    private static let support = """
        const building = (key, keys, west = 0) => ({
          key, name: key, isBuilding: true, first: 0,
          floors: keys.map((key, index) =>
            ({ key, label: key, ordinal: keys.length - 1 - index, bounds: [west, 0, west + 1, 1] })),
        });
        const view = { zoom: 18.5, center: { lat: 48.25, lng: -1.5 }, background: "map", opacity: 100,
          hasBorders: false };
        const chosen = (shown) => shown.buildings.map((one) => shown.floor(one).key);
        """

    @Test("a link restores floors, hidden buildings and comparisons, whatever the names")
    func roundTrip() throws {
        let found = try run(
            """
            const make = () => new Shown([building("A/B & C", ["1", "0"]), building("#=%", ["1/2", "0"], 5)]);
            const shown = make(), [first, second] = shown.buildings;
            shown.choose(second.floors[1]);
            shown.compare(first.floors[1], first.floors[0]);
            shown.share = 0.125;
            shown.hide(second, true);
            const text = linkText(shown, { ...view, background: "ff00ff", opacity: 40, hasBorders: true });
            const other = make(), link = readLink(other, text);
            follow(other, link);
            const again = linkText(other, { ...view, background: "ff00ff", opacity: 40, hasBorders: true });
            return [chosen(other), [...other.hidden].map((one) => one.key), other.comparison.left.key,
              other.comparison.right.key, other.share, link.view, link.one("background"), link.one("opacity"),
              link.one("borders"), again === text];
            """)
        #expect(
            found == """
                [["0","0"],["#=%"],"0","1",0.125,[18.5,48.25,-1.5],"ff00ff","40","1",true]

                """)
    }

    @Test("links to a page of one building are unchanged; incomplete and invalid links work")
    func otherLinks() throws {
        let found = try run(
            """
            const make = () => new Shown([building("Mall", ["a/b", "0"])]);
            const at = (hash) => { const shown = make(); follow(shown, readLink(shown, hash)); return chosen(shown)[0]; };
            const shown = make();
            shown.choose(shown.buildings[0].floors[0]);
            return [linkText(shown, view), at("#18/1/2/0"), at("#18/1/2/a%2Fb"), at("#18/1/2"), at(""),
              at("#18/1/2/7"), at("#%E0%A4%A/=&=&floor=%&left=x"), readLink(shown, "#x/y/z").view];
            """)
        #expect(
            found == """
                ["#18.5/48.2500000/-1.5000000/a%2Fb","0","a/b","a/b","a/b","a/b","a/b",null]

                """)
    }

    /// What a page of some floors takes from an address: the view, and the floor that is shown then.
    private func taken(_ hash: String, floors: String) throws -> String {
        try run(
            """
            const shown = new Shown(\(floors)), link = readLink(shown, "\(hash)");
            follow(shown, link);
            return [link.view, ...chosen(shown)];
            """)
    }

    /// As `getHashString` of MapLibre 5 writes them: bearing and pitch stand behind the middle, a pitch of 0 is
    /// left out, and so is a bearing of 0 if there is no pitch. Its world is 512 points wide at zoom 0.
    @Test(
        "an address of MapLibre gives the view, its zoom one more; a floor that is named is ours",
        arguments: [
            ("#17.25/48.25/-1.5/-12.5/60", #"[[18.25,48.25,-1.5],"1"]"#),
            ("#17.25/48.25/-1.5/0/60", #"[[18.25,48.25,-1.5],"1"]"#),
            ("#17.25/48.25/-1.5/-12.5", #"[[18.25,48.25,-1.5],"1"]"#),
            ("#17.25/48.25/-1.5", #"[[17.25,48.25,-1.5],"1"]"#),
            ("#17/48.25/-1.5/30/60&background=white", #"[[18,48.25,-1.5],"1"]"#),
            ("#-1/0/0/30/60", #"[[0,0,0],"1"]"#),
            // Floors, and one that is not there any more.
            ("#18/48.25/-1.5/0", #"[[18,48.25,-1.5],"0"]"#),
            ("#18/48.25/-1.5/-1", #"[[18,48.25,-1.5],"-1"]"#),
            ("#18/48.25/-1.5/1%2F0", #"[[18,48.25,-1.5],"1/0"]"#),
            ("#18/48.25/-1.5/1/0", #"[[19,48.25,-1.5],"1"]"#),
            ("#18/48.25/-1.5/E0", #"[[18,48.25,-1.5],"1"]"#),
        ].some(4))
    func mapLibre(hash: String, expected: String) throws {
        let floors = #"[building("Mall", ["1", "0", "-1", "1/0"])]"#
        #expect(try taken(hash, floors: floors) == expected + "\n")
    }

    @Test("if buildings have numbers as names, an address of MapLibre names no floor")
    func mapLibreOfCampus() throws {
        let floors = #"[building("30", ["60", "0"]), building("2", ["30", "0"], 5)]"#
        #expect(try taken("#17/48/1/30/0", floors: floors) == "[[18,48,1],\"60\",\"30\"]\n")
        #expect(try taken("#17/48/1/30", floors: floors) == "[[18,48,1],\"60\",\"30\"]\n")
        #expect(try taken("#17/48/1&floor=30/0", floors: floors) == "[[17,48,1],\"0\",\"30\"]\n")
    }

    @Test(
        "invalid numbers, too large numbers and invalid places give no view",
        arguments: [
            "#/48/1", "#18//1", "#18/48/", "#18/48", "#18/48/1/", "#17/48/1//60", "#17/48/1/30/",
            "#18/90.5/1", "#17/-91/1/30/60", "#Infinity/48/1", "#NaN/48/1", "#18/48/1e400", "#18px/48/1",
            "#0x12/48/1",
            "#18/ 48/1", "#18/48/100000000000000000000", "#18/48/\(String(repeating: "9", count: 400))",
        ].some(4))
    func noView(hash: String) throws {
        let floors = #"[building("Mall", ["1", "0"])]"#
        #expect(try taken(hash, floors: floors) == "[null,\"1\"]\n")
    }

    @Test("a level is for all buildings that have it; a comparison follows its building's switch")
    func levels() throws {
        let found = try run(
            """
            const shown = new Shown([building("A", ["2", "1", "0"]), building("B", ["1", "0"], 5)]);
            const steps = [];
            const note = () => steps.push([chosen(shown), [2, 1, 0].filter((level) => shown.isAt(level)),
              shown.layers.map(({ floor, side }) => `${floor.building.key}${floor.key} ${side}`)]);
            shown.chooseLevel(0); note();
            shown.chooseLevel(2); note();
            shown.compare(shown.buildings[0].floors[1], shown.buildings[1].floors[0]); note();
            shown.chooseLevel(0); note();
            shown.hide(shown.buildings[1], true); note();
            return steps;
            """)
        let expected = [
            #"[["0","0"],[0],["A0 both","B0 both"]]"#, #"[["2","0"],[2],["A2 both","B0 both"]]"#,
            #"[["1","1"],[1],["A1 left","B1 right"]]"#, #"[["0","0"],[0],["A0 left","B0 right"]]"#,
            #"[["0","0"],[0],["A0 both"]]"#,
        ]
        #expect(found == "[\(expected.joined(separator: ","))]\n")
    }

    @Test("the page offers to compare another state of the building, otherwise the next floor")
    func comparable() throws {
        let found = try run(
            """
            const names = (buildings) => {
              const { left, right } = new Shown(buildings).comparable;
              return [left, right].map(({ building, key }) => building.key + key);
            };
            return [
              names([building("Mall (old)", ["1", "0"]), building("Mall (new)", ["2", "1", "0"])]),
              names([building("Mall", ["1", "0"]), building("Other", ["1", "0"], 5)]),
              names([building("A", ["0"]), building("B", ["0"], 5)]),
            ];
            """)
        #expect(
            found == """
                [["Mall (old)1","Mall (new)1"],["Mall1","Mall0"],["A0","B0"]]

                """)
    }

    @Test("the frame of buildings on both sides of the antimeridian does not go around the world")
    func frame() throws {
        let found = try run(
            """
            return [around([[177, -17, 179, -16], [-179, -18, -178, -16]]),
              around([[1, 2, 3, 4], [2, 0, 5, 3]])];
            """)
        #expect(found == "[[177,-18,182,-16],[1,0,5,4]]\n")
    }
}
