import Tiling

/// A part of a page that says where it lies, with the values that stand in the document: nothing of them is believed.
package struct GeospatialPart: Hashable, Sendable {
    /// How it says it.
    package enum Form: Hashable, Sendable {
        /// A viewport with a measure: ISO 32000-2, 12.10.
        case measure(GeospatialMeasure)
        /// An LGIDict: OGC 08-139.
        case lgiDict(LGIDict)
    }

    /// The viewport's name, or the LGIDict's description.
    package var name: String?
    /// How it says where it lies.
    package var form: Form

    /// Makes a part.
    package init(name: String? = nil, form: Form) { (self.name, self.form) = (name, form) }
}

extension GeospatialPart {
    /// Whether it is one of the two kinds.
    var isLGIDict: Bool {
        if case .lgiDict = form { true } else { false }
    }

    /// What people call it: `viewport 'Layers'`.
    var title: String {
        let kind = isLGIDict ? "LGIDict" : "viewport"
        return name.map { "\(kind) '\($0.shortened)'" } ?? kind
    }

    /// Where the page lies by this part.
    func position(onto pointsFromUnits: AffineTransform, crs: CRS?) throws -> GeospatialPDF {
        switch form {
        case .measure(let measure): try measure.position(title, onto: pointsFromUnits, crs: crs)
        case .lgiDict(let dictionary): try dictionary.position(title, onto: pointsFromUnits, crs: crs)
        }
    }

    /// The area on the page in square units of the document; 0 if it is not told.
    private var area: Double {
        let box: BoundingBox? =
            switch form {
            case .measure(let measure): measure.box.flatMap { MeasureBox($0) }?.outline
            case .lgiDict(let dictionary):
                dictionary.neatline.flatMap { BoundingBox(around: PagePolygon.points($0)) }
            }
        guard let area = box.map({ $0.width * $0.height }), area.isFinite else { return 0 }
        return area
    }

    /// The map of a sheet of USGS, which has LGIDicts of its legends, too.
    private static let nameOfMap = "map layers"

    /// Which of several parts counts: the one with the name of maps, or else the first of the largest.
    static func chosen(of parts: [GeospatialPart]) -> Int? {
        if let named = parts.firstIndex(where: { $0.name?.lowercased() == nameOfMap }) { return named }
        let areas = parts.map(\.area)
        return areas.indices.max { areas[$0] < areas[$1] || (areas[$0] == areas[$1] && $0 > $1) }
    }

    /// A clause about the parts that do not count; nil if there are none.
    static func others(than chosen: Int, in parts: [GeospatialPart]) -> String? {
        guard parts.count > 1 else { return nil }
        let names = parts.indices.filter { $0 != chosen }.map { parts[$0].title }
        let list = names.prefix(5).joined(separator: ", ") + (names.count > 5 ? ", …" : "")
        return "the page has \(parts.count) maps: \(parts[chosen].title) counts, and not \(list)"
    }
}
