import Foundation
import TestSupport
import Testing

/// The code for a building, run without a browser: stand-ins for a page, for maps and for the web.
enum NodeMap {
    private static let standIns = """
        const print = (value) => console.log(JSON.stringify(value));
        const asked = [], layers = [], sources = [];
        console.error = (error) => console.log(error.message);
        globalThis.fetch = async (url, options) => {
          asked.push([url, options]);
          return { ok: true, url, json: async () => JSON.parse(INDEX) };
        };
        class Element {
          children = []; dataset = {}; style = {};
          setAttribute() {}
          addEventListener() {}
          contains() { return false; }
          querySelector() { return null; }
          getRootNode() { return document; }
          replaceChildren(...children) { this.children = children; }
          getBoundingClientRect() { return {}; }
        }
        globalThis.document = { adoptedStyleSheets: [], createElement: () => new Element() };
        globalThis.CSSStyleSheet = class { replaceSync() {} };
        globalThis.ResizeObserver = class { observe() {} };
        globalThis.L = { Control: class {} };
        globalThis.google = { maps: {
          Size: class {}, ControlPosition: { RIGHT_CENTER: 0 },
          ImageMapType: class { constructor(options) { Object.assign(this, options); } },
        } };
        const map = {
          controls: [[]], overlayMapTypes: { getArray: () => layers, push: (layer) => layers.push(layer) },
          getDiv: () => new Element(), getContainer: () => new Element(), getStyle: () => ({}), on() {},
          getLayer() {}, addSource: (id, source) => sources.push(source), addLayer() {},
          addControl: (control) => control.onAdd(map),
        };

        """

    /// What a script prints about a map with the floors of an index.
    static func run(_ code: String, index: String, _ script: String) throws -> String {
        let scratch = try TemporaryDirectory()
        let literal = try String(
            decoding: JSONSerialization.data(withJSONObject: index, options: .fragmentsAllowed), as: UTF8.self
        )
        let path = try scratch.write(
            "const INDEX = \(literal);\n\(standIns)\(code)\nsetTimeout(() => {\n\(script)\n}, 20);\n",
            to: "run.js")
        let outcome = try Tool.run("node", [path])
        #expect(outcome.status == 0, "\(outcome.errors)")
        return outcome.output.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
