import CGeodesy
import Platform
import Tiling

/// The tags of a TIFF that give its position, exactly as in the file (OGC 19-008r4).
package struct GeoTIFFTags: Hashable, Sendable {
    /// ModelPixelScaleTag, 33550: the size of a pixel in x, y and z.
    package var pixelScale: [Double]
    /// ModelTiepointTag, 33922: column, row, level and x, y, z of each point.
    package var tiepoints: [Double]
    /// ModelTransformationTag, 34264: a matrix of four by four, row by row.
    package var transformation: [Double]
    /// GeoKeyDirectoryTag, 34735: groups of four numbers.
    package var keyDirectory: [UInt16]
    /// GeoDoubleParamsTag, 34736: numbers that keys refer to.
    package var doubleParameters: [Double]
    /// GeoAsciiParamsTag, 34737: texts that keys refer to, each ended by `|`.
    package var asciiParameters: String

    /// Makes tags; those that a file lacks are empty.
    package init(
        pixelScale: [Double] = [], tiepoints: [Double] = [], transformation: [Double] = [],
        keyDirectory: [UInt16] = [], doubleParameters: [Double] = [], asciiParameters: String = ""
    ) {
        self.pixelScale = pixelScale
        self.tiepoints = tiepoints
        self.transformation = transformation
        self.keyDirectory = keyDirectory
        self.doubleParameters = doubleParameters
        self.asciiParameters = asciiParameters
    }

    /// Finds the tags among all tags of a file, by their TIFF numbers; nil if the file has none of them. A
    /// directory number of more than 16 bits becomes 0.
    ///
    /// - Parameters:
    ///   - numbers: the values of a tag that holds numbers, empty if it is missing.
    ///   - text: the text of a tag up to its NUL, empty if it is missing.
    package init?(numbers: (_ tag: Int) -> [Double], text: (_ tag: Int) -> String) {
        self.init(
            pixelScale: numbers(33550), tiepoints: numbers(33922), transformation: numbers(34264),
            keyDirectory: numbers(34735).map { UInt16(exactly: $0) ?? 0 },
            doubleParameters: numbers(34736), asciiParameters: text(34737))
        if self == GeoTIFFTags() { return nil }
    }
}

extension GeoTIFFTags {
    /// The stored position in the tags; nil if they hold none. A single tiepoint without a scale is not a
    /// position: some programs write it into every TIFF.
    ///
    /// - Throws: a `Failure` of kind `badInput` for numbers that are not a position.
    package func positionForm() throws -> StoredPosition.Form? {
        let tags = [pixelScale, tiepoints, transformation].joined()
        guard tags.allSatisfy(\.isFinite) else {
            throw Failure(.badInput, "its GeoTIFF tags hold a value that is not a number")
        }
        if let transform = scaled ?? matrix {
            guard transform.determinant.isNormal else { throw ExactMapping.flattened }
            return .affine(
                AffineTransform.translation(x: -shift, y: -shift).followed(by: transform))
        }
        return tiepoints.count > 6 ? .points(mapPoints) : nil
    }

    /// By ModelPixelScale and the first tiepoint: rows run south. The sign of a negative size in y is
    /// ignored, as in GDAL: it would turn the image upside down, but the programs that wrote such files meant
    /// an upright image.
    private var scaled: AffineTransform? {
        guard pixelScale.count >= 2, tiepoints.count >= 6, pixelScale[0] != 0, pixelScale[1] != 0
        else { return nil }
        let (x, y) = (pixelScale[0], -abs(pixelScale[1]))
        return AffineTransform(
            a: x, b: 0, c: tiepoints[3] - tiepoints[0] * x,
            d: 0, e: y, f: tiepoints[4] - tiepoints[1] * y)
    }

    private var matrix: AffineTransform? {
        guard transformation.count == 16 else { return nil }
        let m = transformation
        return AffineTransform(a: m[0], b: m[1], c: m[3], d: m[4], e: m[5], f: m[7])
    }

    private var mapPoints: [MapPoint] {
        stride(from: 0, to: tiepoints.count / 6 * 6, by: 6).map { start in
            MapPoint(
                pixel: Point(x: tiepoints[start] + shift, y: tiepoints[start + 1] + shift),
                map: Point(x: tiepoints[start + 3], y: tiepoints[start + 4]),
                name: "tiepoint \(start / 6 + 1)")
        }
    }

    /// The position of the tags' column 0 and row 0, in pixels from the corner: the corner itself or, with
    /// RasterPixelIsPoint, the centre of the first pixel.
    private var shift: Double { shortKey(1025) == 2 ? 0.5 : 0 }

    /// The value of a key that is in the directory itself.
    private func shortKey(_ key: UInt16) -> UInt16? {
        stride(from: 4, to: max(4, keyDirectory.count - 3), by: 4)
            .first { keyDirectory[$0] == key && keyDirectory[$0 + 1] == 0 }
            .map { keyDirectory[$0 + 3] }
    }
}

/// The keys of a GeoTIFF as libgeotiff reads them (`GTIF`), without a file.
struct GeoTIFFKeys: ~Copyable {
    private let context: PROJContext
    private let tags: UnsafeMutablePointer<ST_TIFF>
    private let handle: OpaquePointer

    /// Reads the keys (`GTIFNewSimpleTags`); the first call loads libgeotiff.
    ///
    /// - Throws: a `Failure` of kind `badInput` for a damaged directory.
    init(_ tags: GeoTIFFTags) throws {
        guard let directory = tags.soundDirectory else { throw GeoTIFFKeys.damaged }
        let context = try PROJContext()
        guard let copy = ST_Create() else {
            throw Failure(
                .systemLimit, cannot: "load libgeotiff, which reads the tags of a GeoTIFF", nil,
                remedy: "install it (Debian: libgeotiff5), or name the system with --crs EPSG:n")
        }
        GeoTIFFKeys.copy(tags, directory, to: copy)
        guard let handle = GTIFNewSimpleTags(copy) else {
            ST_Destroy(copy)
            throw GeoTIFFKeys.damaged
        }
        context.muteLog()
        GTIFAttachPROJContext(handle, UnsafeMutableRawPointer(context.handle))
        self.context = context
        self.tags = copy
        self.handle = handle
    }

    deinit {
        GTIFFree(handle)
        ST_Destroy(tags)
    }

    private static let damaged = Failure.unclearSystem("its GeoTIFF keys are damaged")

    private static func copy(
        _ tags: GeoTIFFTags, _ directory: [UInt16], to copy: UnsafeMutablePointer<ST_TIFF>
    ) {
        var (shorts, doubles) = (directory, tags.doubleParameters)
        ST_SetKey(copy, 34735, Int32(shorts.count), STT_SHORT, &shorts)
        if !doubles.isEmpty { ST_SetKey(copy, 34736, Int32(doubles.count), STT_DOUBLE, &doubles) }
        var text = tags.asciiBytes + [0]
        ST_SetKey(copy, 34737, Int32(text.count), STT_ASCII, &text)
    }

    /// The value of a key that is a code (`GTIFKeyGetSHORT`), or nil.
    func code(_ key: geokey_t) -> Int? {
        var value: UInt16 = 0
        return GTIFKeyGetSHORT(handle, key, &value, 0, 1) == 1 ? Int(value) : nil
    }

    /// The value of a key that is text (`GTIFKeyGetASCII`), or nil.
    func text(_ key: geokey_t) -> String? {
        // WKT of a projected system has some 2000 bytes.
        var bytes = [CChar](repeating: 0, count: 1 << 14)
        guard GTIFKeyGetASCII(handle, key, &bytes, Int32(bytes.count)) > 0 else { return nil }
        return String(
            decoding: bytes.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// What the keys define, codes looked up and values in metres and degrees (`GTIFGetDefn`).
    func definition() -> GTIFDefn {
        var definition = GTIFDefn()
        GTIFGetDefn(handle, &definition)
        return definition
    }

    /// The name of a datum (`GTIFGetDatumInfoEx`), or nil.
    func name(ofDatum code: Int16) -> String? {
        var name: UnsafeMutablePointer<CChar>?
        GTIFGetDatumInfoEx(UnsafeMutableRawPointer(context.handle), Int32(code), &name, nil)
        guard let name else { return nil }
        defer { GTIFFreeMemory(name) }
        return String(cString: name)
    }
}

extension GeoTIFFTags {
    /// A key of the directory, and the tag that holds its values: 0 for the directory itself.
    private typealias Entry = (key: UInt16, tag: UInt16, count: Int, offset: Int)

    /// The directory without the entries that libgeotiff misreads or reports on standard error. Nil if a key
    /// lacks its four numbers, or a value is missing.
    fileprivate var soundDirectory: [UInt16]? {
        guard keyDirectory.count >= 4, keyDirectory.count >= 4 * (Int(keyDirectory[3]) + 1) else {
            return nil
        }
        let (entries, sound) = (entries, entries.compactMap(soundEntry))
        return sound.count == entries.count ? Array(keyDirectory[..<4]) + sound.joined() : nil
    }

    /// Web Mercator, WGS 84 in degrees, or a WGS 84 zone of UTM in metres, if the directory gives its code.
    /// These need no database, which takes longer than the rest of placing an image. Also nil if a key is
    /// repeated.
    var knownCRS: CRS? {
        guard soundDirectory != nil else { return nil }
        let codes = entries.filter { $0.tag == 0 }.map { ($0.key, $0.offset) }
        let values = Dictionary(codes, uniquingKeysWith: { _, _ in -1 })
        func value(_ key: geokey_t) -> Int? { values[UInt16(key.rawValue)] }
        switch value(GTModelTypeGeoKey) {
        case 1 where [nil, 9001].contains(value(ProjLinearUnitsGeoKey)):
            return value(ProjectedCSTypeGeoKey).flatMap(CRS.init(knownProjection:))
        case 2 where [nil, 9102].contains(value(GeogAngularUnitsGeoKey)):
            return value(GeographicTypeGeoKey) == 4326 ? .wgs84 : nil
        default: return nil
        }
    }

    /// Numbers that are stored at the end of the directory are moved into the key: libgeotiff takes their
    /// address for their value. A key of the wrong type becomes key 0, which is never read.
    private func soundEntry(_ entry: Entry) -> [UInt16]? {
        let (count, offset) = (UInt16(entry.count), UInt16(entry.offset))
        let wanted = GeoTIFFTags.tag(ofKey: entry.key) ?? entry.tag
        func sound(_ tag: UInt16, _ count: UInt16, _ offset: UInt16) -> [UInt16] {
            [tag == wanted ? entry.key : 0, tag, count, offset]
        }
        switch entry.tag {
        case 0 where entry.count == 1: return sound(0, 1, offset)
        case 34735 where entry.count > 0 && entry.offset + entry.count <= keyDirectory.count:
            return sound(0, 1, keyDirectory[entry.offset])
        case 34736 where entry.offset + entry.count <= doubleParameters.count:
            return sound(34736, count, offset)
        case 34737: return sound(34737, count, offset)
        default: return nil
        }
    }

    /// The tag that holds a key's values, by the key's type (OGC 19-008r4, 7.4): 0 for 16-bit numbers, which
    /// are in the key, other tags for doubles and texts. Nil for keys that are not used.
    private static func tag(ofKey key: UInt16) -> UInt16? {
        switch key {
        case 1026, 2049, 3073, 4097: 34737
        case 2053, 2055, 2057...2059, 2061, 2062, 3077...3096, 5120: 34736
        case 1024, 1025, 2048, 2050...2052, 2054, 2056, 2060, 3072, 3074...3076, 4096, 4098, 4099: 0
        default: nil
        }
    }

    private var entries: [Entry] {
        (0..<Int(keyDirectory[3])).map { index in
            let numbers = Array(keyDirectory[4 * index + 4..<4 * index + 8])
            return (numbers[0], numbers[1], Int(numbers[2]), Int(numbers[3]))
        }
    }

    /// The bytes of the texts; the reader may have dropped everything after a NUL. A byte that was not UTF-8
    /// is one byte again, so that the offsets of the keys are right.
    fileprivate var asciiBytes: [UInt8] {
        let bytes = asciiParameters.unicodeScalars.flatMap {
            $0 == "\u{FFFD}" ? [UInt8(ascii: "?")] : Array(String($0).utf8)
        }
        let end = entries.filter { $0.tag == 34737 }.map { $0.offset + $0.count }.max() ?? 0
        return bytes + [UInt8](repeating: 0, count: max(0, end - bytes.count))
    }
}
