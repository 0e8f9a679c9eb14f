import Foundation
import TestSupport
import Testing

/// The code of a snippet, run without a browser: stand-ins for a page, for maps and for the web.
enum NodeMap {
    private static let standIns = """
        const print = (value) => console.log(JSON.stringify(value));
        const asked = [], layers = [], sources = [], told = [];
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
          append(child) { this.firstChild = child; }
          removeAttribute(name) { delete this[name]; }
        }
        globalThis.document = { adoptedStyleSheets: [], createElement: () => new Element() };
        globalThis.CSSStyleSheet = class { replaceSync() {} };
        globalThis.ResizeObserver = class { observe() {} };
        globalThis.L = { Control: class {} };
        globalThis.google = { maps: {
          Size: class { constructor(width, height) { Object.assign(this, { width, height }); } },
          ControlPosition: { RIGHT_CENTER: 0 },
        } };
        globalThis.maplibregl = { LngLat: class { constructor(lng, lat) { Object.assign(this, { lng, lat }); } } };
        const map = {
          controls: [[]], overlayMapTypes: { getArray: () => layers, push: (layer) => layers.push(layer) },
          getDiv: () => new Element(), getContainer: () => new Element(), getStyle: () => ({}), on() {},
          getLayer() {}, addSource: (id, source) => sources.push(source), addLayer() {},
          addControl: (control) => control.onAdd(map),
          fitBounds: (...box) => told.push(["fit", ...box]), setOptions: (options) => told.push(options),
          setMinZoom: (zoom) => told.push(["min", zoom]), setMaxZoom: (zoom) => told.push(["max", zoom]),
        };
        // What a layer of Google's map shows for a tile: the address, and how it is laid in the tile.
        const tileOf = (layer, x, y, zoom) => {
          const { firstChild: image } = layer.getTile({ x, y }, zoom, document);
          if (!image) return null;
          const { width, height, marginLeft, marginTop } = image.style;
          return [image.src, width, height, marginLeft, marginTop].join(" ");
        };

        """

    /// What a script prints about a map with the floors of an index, or with the tiles of a tileset.
    static func run(_ code: String, index: String = "", _ script: String) throws -> String {
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
