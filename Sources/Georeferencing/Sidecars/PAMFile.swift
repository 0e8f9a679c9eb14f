import Platform
import Tiling

/// The data that GDAL, QGIS or ArcGIS have written next to an image, in `plan.png.aux.xml`: GDAL's persistent
/// auxiliary metadata.
package struct PAMFile: Sendable {
    /// The file.
    package let path: String
    /// Whether its data are those of the requested page, not of the whole file.
    package let isOfPage: Bool
    /// The nodata values by band, counted from 1.
    package let nodata: [Int: Double]

    /// The factor and offset from samples to values; nil if the file has none, or the bands differ. Bands
    /// other than the first need not have them.
    package let sampleScale: (factor: Double, offset: Double)?

    private let reference: SpatialReference?
    private let form: StoredPosition.Form?
    private let esri: EsriXform?

    /// A CRS as text, and the order of the coordinates' axes.
    fileprivate struct SpatialReference {
        var definition: String
        /// GDAL's dataAxisToSRSAxisMapping, such as `2,1`; nil in older files, where x is always east.
        var axisMapping: String?
    }

    /// The file next to an image; nil if there is none.
    ///
    /// - Parameter page: the page of the image's file, counted from 1.
    /// - Throws: a `Failure` that names the file if it is damaged.
    package static func find(nextTo image: String, page: Int = 1) throws -> PAMFile? {
        try path(nextTo: image).map { try PAMFile(contentsOf: $0, page: page) }
    }

    /// The path of the file next to an image; nil if there is none.
    ///
    /// - Throws: `.missingInput` if it is not a regular file.
    package static func path(nextTo image: String) throws -> String? {
        try InputFile.first(of: [image + ".aux.xml"])
    }

    /// Reads a file.
    package init(contentsOf path: String, page: Int = 1) throws {
        try self.init(parsing: InputFile.xml(of: path), path: path, page: page)
    }

    /// Reads the bytes of a file.
    ///
    /// - Parameters:
    ///   - path: the file's name for messages.
    ///   - page: the page of the image's file. GDAL writes the data of later pages into separate elements; a
    ///     page without one has the data of the file.
    package init(parsing bytes: [UInt8], path: String, page: Int = 1) throws {
        self.path = path
        do {
            let whole = try XMLDocument.parse(bytes)
            let part = page == 1 ? nil : PAMFile.dataset(ofPage: page, in: whole)
            let root = part ?? whole
            isOfPage = part != nil
            nodata = PAMFile.nodata(in: root)
            sampleScale = PAMFile.sampleScale(in: root)
            let own = root["SRS"].map(SpatialReference.init)
            if let transform = try PAMFile.geotransform(in: root) {
                (form, esri, reference) = (.affine(transform), nil, own)
            } else if let list = root["GCPList"] {
                (form, esri) = (.points(try PAMFile.controlPoints(in: list)), nil)
                reference = SpatialReference(of: list) ?? own
            } else if own == nil {
                (form, esri) = (nil, try EsriXform(in: root))
                reference = esri?.wkt.map { SpatialReference(definition: $0) }
            } else {
                (form, esri, reference) = (nil, nil, own)
            }
        } catch let failure as Failure {
            throw failure.inAttempt("use '\(path)'")
        }
    }

    /// The nodata values in gray, or in red, green and blue; nil if the first band has none.
    package var nodataValues: [Double]? {
        guard let first = nodata[1] else { return nil }
        guard let second = nodata[2], let third = nodata[3] else { return [first] }
        return [first, second, third]
    }

    /// The CRS; nil if the file has none.
    ///
    /// - Throws: a `Failure` of kind `badInput` that names the file if PROJ does not understand the CRS.
    package func crs() throws -> CRS? {
        try Failure.naming("use '\(path)'") {
            try reference.map { try CRS($0.definition, failure: .badInput) }
        }
    }

    /// The position that it gives the image, x east; nil if it gives none.
    package func eastFirstForm(on grid: PixelUnits) throws -> StoredPosition.Form? {
        if let esri { return try Failure.naming("use '\(path)'") { try esri.form(on: grid) } }
        guard let form, let reference, try reference.isInterchanged else { return form }
        return form.interchanged
    }

    /// The element that GDAL calls `GTIFF_DIR:2:plan.tif`.
    private static func dataset(ofPage page: Int, in root: XMLElement) -> XMLElement? {
        root.children("Subdataset").first {
            $0.attributes["name"]?.hasPrefix("GTIFF_DIR:\(page):") ?? false
        }?["PAMDataset"]
    }

    private static func geotransform(in root: XMLElement) throws -> AffineTransform? {
        guard let text = root["GeoTransform"]?.text else { return nil }
        let numbers = text.split(separator: ",").map { Double($0.filter { !$0.isWhitespace }) }
        let values = numbers.compactMap { $0 }
        guard numbers.count == 6, values.count == 6, values.allSatisfy(\.isFinite) else {
            throw Failure(.badInput, "its GeoTransform is not six numbers")
        }
        let transform = AffineTransform(
            a: values[1], b: values[2], c: values[0], d: values[4], e: values[5], f: values[3])
        // GDAL writes these values for an image without a position.
        let isIdentity = transform == .identity || values == [0, 1, 0, 0, 0, -1]
        guard isIdentity || transform.determinant.isNormal else { throw ExactMapping.flattened }
        return isIdentity ? nil : transform
    }

    private static func controlPoints(in list: XMLElement) throws -> [MapPoint] {
        try list.children("GCP").enumerated().map { index, element in
            let id = element.attributes["Id"].flatMap { $0.isEmpty ? nil : $0 }
            let name = "control point \(id ?? "\(index + 1)")"
            let values = ["Pixel", "Line", "X", "Y"].compactMap {
                element.attributes[$0].flatMap { Double($0) }
            }
            guard values.count == 4, values.allSatisfy(\.isFinite) else {
                throw Failure(.badInput, "its \(name.shortened) does not have four numbers")
            }
            return MapPoint(
                pixel: Point(x: values[0], y: values[1]), map: Point(x: values[2], y: values[3]),
                name: name.shortened)
        }
    }

    private static func sampleScale(in root: XMLElement) -> (factor: Double, offset: Double)? {
        let bands = root.children("PAMRasterBand").filter { $0["Scale"] != nil || $0["Offset"] != nil }
        let scales = bands.map { band in
            ["Scale", "Offset"].map { name in band[name].flatMap { Double($0.trimmedText) } }
        }
        guard let first = scales.first, bands[0].attributes["band"] == "1", Set(scales).count == 1 else {
            return nil
        }
        return (first[0] ?? 1, first[1] ?? 0)
    }

    private static func nodata(in root: XMLElement) -> [Int: Double] {
        let values = root.children("PAMRasterBand").compactMap { band -> (Int, Double)? in
            guard let number = band.attributes["band"].flatMap({ Int($0) }),
                let text = band["NoDataValue"]?.trimmedText, let value = Double(text)
            else { return nil }
            return (number, value)
        }
        return Dictionary(values) { first, _ in first }
    }
}

extension PAMFile.SpatialReference {
    init(_ element: XMLElement) {
        self.init(
            definition: element.text, axisMapping: element.attributes["dataAxisToSRSAxisMapping"])
    }

    /// The CRS in the attributes of a list of control points.
    init?(of list: XMLElement) {
        guard let definition = list.attributes["Projection"], !definition.isEmpty else {
            return nil
        }
        self.init(
            definition: definition, axisMapping: list.attributes["dataAxisToSRSAxisMapping"])
    }

    /// Whether the file's x is north and its y east.
    var isInterchanged: Bool {
        get throws {
            guard let axisMapping else { return false }
            let axes = axisMapping.split(separator: ",").prefix(2).map {
                $0.filter { !$0.isWhitespace }
            }
            guard axes == ["1", "2"] || axes == ["2", "1"] else {
                throw Failure(.badInput, "its axes '\(axisMapping.shortened)' are not supported")
            }
            let isNorthFirst = try PROJCRS(definition, failure: .badInput).isNorthFirst
            return isNorthFirst == (axes == ["1", "2"])
        }
    }
}

extension StoredPosition.Form {
    /// The same position with x and y of the coordinates interchanged.
    fileprivate var interchanged: StoredPosition.Form {
        switch self {
        case .affine(let t):
            .affine(AffineTransform(a: t.d, b: t.e, c: t.f, d: t.a, e: t.b, f: t.c))
        case .points(let points):
            .points(points.map { MapPoint(pixel: $0.pixel, map: $0.map.interchanged, name: $0.name) })
        }
    }
}
