internal import CPublishing
package import Tiling

/// A page in which a plan, or the floors of a building, are laid on the map by hand.
package struct PlacingPage: Sendable {
    /// A picture that is a part of the page.
    package struct Picture: Sendable {
        /// `image/png` or `image/jpeg`.
        let mediaType: String
        /// The file's bytes in base 64.
        let base64: String

        /// Takes a file.
        package init(mediaType: String, base64: String) {
            (self.mediaType, self.base64) = (mediaType, base64)
        }

        /// Bytes of it in the page.
        package var byteCount: Int { base64.utf8.count }
    }

    /// What lies under the plan, to align with.
    package struct Layer: Sendable {
        /// What the page shows.
        package enum Content: Sendable {
            /// A picture that is linear in Web Mercator, and its edges in degrees.
            case picture(Picture, BoundingBox)
            /// A GeoJSON document that is known to be JSON.
            case lines(String)
        }

        let name: String
        let content: Content
        let points: [PlannedPoint]

        /// Describes a layer.
        ///
        /// - Parameter points: those that the plan may share, such as lifts and stairs.
        package init(name: String, _ content: Content, points: [PlannedPoint] = []) {
            (self.name, self.content, self.points) = (name, content, points)
        }
    }

    /// The map under everything.
    package enum Background: Hashable, Sendable {
        /// The one of OpenStreetMap.
        case openStreetMap
        /// An address with `{z}`, `{x}` and `{y}`.
        case tiles(String)
        /// None: nothing is asked for.
        case none
    }

    private let title: String
    private let source: String
    private let floors: [Floor]
    private let near: Point?
    private let layers: [Layer]
    private let background: Background
    private let library: MapLibrary
    private let savingAddress: String?

    /// Describes a page.
    ///
    /// - Parameters:
    ///   - title: what is placed.
    ///   - source: the path by which the command line names it: an image, or a manifest.
    ///   - floors: from the lowest to the highest; an image alone is the only one, without an entry.
    ///   - near: where the map begins, in degrees, if no plan's position says it.
    ///   - layers: the later over the earlier.
    ///   - savingAddress: what takes that which is saved; nil if the browser saves it.
    package init(
        _ title: String, source: String, floors: [Floor], near: Point?, layers: [Layer],
        background: Background, library: MapLibrary, savingAddress: String? = nil
    ) {
        (self.title, self.source, self.floors) = (title, source, floors)
        (self.near, self.layers) = (near, layers)
        (self.background, self.library) = (background, library)
        self.savingAddress = savingAddress
    }

    /// Whether an address of tiles names all three numbers.
    package static func isAddress(_ address: String) -> Bool {
        ["{z}", "{x}", "{y}"].allSatisfy(address.contains)
    }

    /// The page in UTF-8.
    package var html: [UInt8] {
        let title = Page.escaped(title)
        let values: SourceTemplate.Values = [
            "TITLE": [title],
            "SCRIPT": [script],
            "DATA": [Page.json(data)],
            "PICTURES": pictures,
            "LINES": layers.enumerated().compactMap { index, layer in
                guard case .lines(let text) = layer.content else { return nil }
                return "<script type=\"application/json\" id=\"lines-\(index)\">\(Page.inert(text))</script>"
            },
        ]
        return Page.html(
            .placing, heading: PageWords.english("place.heading", name: title), library: library,
            words: ["page", "place"],
            styles: Page.text(page_css, place_css),
            body: (place_html, values))
    }

    /// The script: what begins it stands in the last file.
    private var script: String {
        Page.text(
            words_js, page_js, fit_js, faults_js, points_js, cutline_js, panes_js, floors_js, state_js,
            marks_js, pairs_js, known_js, cutting_js, outlines_js, laying_js, below_js, saving_js,
            sending_js, manifest_js, switching_js, place_js)
    }

    /// Elements of their own, which a browser reads when they are needed. Base 64 ends no script.
    private var pictures: [String] {
        floors.enumerated().compactMap { index, floor in
            floor.plan.map {
                "<script type=\"text/plain\" id=\"picture-\(index)\">\($0.picture.url)</script>"
            }
        }
    }

    private var data: [JSONValue.Member] {
        var members: [JSONValue.Member] = [
            .init("source", .string(source)), .init("floors", .array(floors.map(\.json))),
            .init("layers", .array(layers.map(\.json))),
        ]
        if let savingAddress { members.append(.init("saveTo", .string(savingAddress))) }
        if let near { members.append(.init("near", near.json)) }
        switch background {
        case .openStreetMap: break
        case .tiles(let address): members.append(.init("basemap", .string(address)))
        case .none: members.append(.init("basemap", .string("")))
        }
        return members
    }
}

extension PlacingPage.Layer {
    fileprivate var json: JSONValue {
        var members: [JSONValue.Member] = [.init("name", .string(name))]
        if case .picture(let picture, let box) = content {
            members += [
                .init("picture", .string(picture.url)),
                .init("bounds", .array([box.minX, box.minY, box.maxX, box.maxY].map { .number($0) })),
            ]
        }
        if !points.isEmpty { members.append(.init("points", .array(points.map(\.json)))) }
        return .object(members)
    }
}

extension PlacingPage.Picture {
    /// The picture as an address.
    package var url: String { "data:\(mediaType);base64,\(base64)" }
}

extension Point {
    /// A list of both.
    var json: JSONValue { .array([.number(x), .number(y)]) }
}
