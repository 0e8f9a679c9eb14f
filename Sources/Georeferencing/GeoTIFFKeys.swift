import CGeoTIFF
import Diagnostics

/// The keys of a GeoTIFF as libgeotiff reads them (`GTIF`), without a file.
struct GeoTIFFKeys: ~Copyable {
    private let context: PROJContext
    private let tags: UnsafeMutablePointer<ST_TIFF>
    private let handle: OpaquePointer

    /// Reads the keys (`GTIFNewSimpleTags`); the first call loads libgeotiff.
    ///
    /// - Throws: a `Failure` of kind `badInput` for a damaged directory.
    init(_ tags: GeoTIFFTags) throws {
        guard tags.hasSoundDirectory else { throw GeoTIFFKeys.damaged }
        let context = try PROJContext()
        guard let copy = ST_Create() else {
            throw Failure(
                .systemLimit, "cannot load libgeotiff, which reads the tags of a GeoTIFF",
                remedy: "install it (Debian: libgeotiff5), or name the system with --crs EPSG:n")
        }
        GeoTIFFKeys.copy(tags, to: copy)
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

    private static let damaged = Failure(
        .badInput, "its GeoTIFF keys are damaged",
        remedy: "name the system of its coordinates: --crs EPSG:n")

    private static func copy(_ tags: GeoTIFFTags, to copy: UnsafeMutablePointer<ST_TIFF>) {
        var (shorts, doubles) = (tags.keyDirectory, tags.doubleParameters)
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
    /// Whether every key has its four numbers, and every value lies within its tag: libgeotiff has
    /// words for the rest on standard error only.
    fileprivate var hasSoundDirectory: Bool {
        guard keyDirectory.count >= 4, keyDirectory.count >= 4 * (Int(keyDirectory[3]) + 1) else {
            return false
        }
        return entries.allSatisfy { entry in
            switch entry.tag {
            case 0: entry.count == 1
            case 34735: entry.offset + entry.count <= keyDirectory.count
            case 34736: entry.offset + entry.count <= doubleParameters.count
            default: true
            }
        }
    }

    /// The keys of the directory: where their values stand, 0 for the directory itself.
    private var entries: [(tag: Int, count: Int, offset: Int)] {
        (0..<Int(keyDirectory[3])).map { index in
            let numbers = keyDirectory[4 * index + 5..<4 * index + 8].map(Int.init)
            return (numbers[0], numbers[1], numbers[2])
        }
    }

    /// The bytes of the texts, of which the reader may have left out what is behind a NUL; a byte that
    /// was no UTF-8 is one byte again, so that the offsets of the keys hold.
    fileprivate var asciiBytes: [UInt8] {
        let bytes = asciiParameters.unicodeScalars.flatMap {
            $0 == "\u{FFFD}" ? [UInt8(ascii: "?")] : Array(String($0).utf8)
        }
        let end = entries.filter { $0.tag == 34737 }.map { $0.offset + $0.count }.max() ?? 0
        return bytes + [UInt8](repeating: 0, count: max(0, end - bytes.count))
    }
}
