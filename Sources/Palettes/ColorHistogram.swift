import Platform
package import Raster
package import Tiling

/// The colours of a tileset, and the number of pixels of each.
///
/// All pixels are counted in boxes of colours, with exact sums. Colours that fill flat areas are also counted
/// one by one, and so are all colours while they are few. Histograms of parts of the tiles, merged in any
/// order, give the histogram of all tiles.
package struct ColorHistogram: ~Copyable {
    /// Its bytes: 320 Ki boxes, all of which are touched, and a hash table of flat colours. A plan has some
    /// thousands of those.
    package static let bytes = ColorBin.boxes * MemoryLayout<ColorBin>.stride + (1 << 18)

    /// The number of equal pixels in a row that make a flat area: such a run is rarely due to chance.
    private static let flatLength = 8
    /// If there are more flat colours, none is more important than others.
    static let mostFlatColors = 1 << 16
    /// The largest size of a palette; beyond it, the number of colours does not matter.
    static let mostColors = 256

    /// The `ColorBin.boxes` boxes. This must be a pointer, and the first member: the thread sanitizer of
    /// Swift 6.3 takes the first member of a noncopyable value for an address.
    private let bins: UnsafeMutablePointer<ColorBin>
    /// The number of pixels that are not fully transparent.
    var visiblePixels: UInt64 = 0
    /// All colours; nil if they are too many.
    var all: Set<RGBA>? = []
    /// The number of pixels in flat areas by colour; nil if the colours are too many.
    var flat: [RGBA: UInt64]? = [:]
    /// The number of pixels of each colour of `RGBA.pinned`, in any place.
    var pinned = RGBA.pinned.map { _ in UInt64(0) }

    /// An empty histogram.
    package init() {
        bins = .allocate(capacity: ColorBin.boxes)
        bins.initialize(repeating: ColorBin(), count: ColorBin.boxes)
    }

    deinit { bins.deallocate() }

    /// The pixels of a box, by its number.
    subscript(box index: Int) -> ColorBin {
        get { bins[index] }
        set { bins[index] = newValue }
    }

    /// Counts the pixels of a tile.
    package mutating func add(_ pixels: UnsafeBufferPointer<UInt8>) {
        let bytes = UnsafeRawBufferPointer(pixels)
        let count = pixels.count / 4
        var first = 0
        while first < count {
            let number = bytes.loadUnaligned(fromByteOffset: 4 * first, as: UInt32.self)
            var end = first + 1
            while end < count,
                bytes.loadUnaligned(fromByteOffset: 4 * end, as: UInt32.self) == number
            {
                end += 1
            }
            addRun(of: RGBA(loaded: number), count: end - first)
            first = end
        }
    }

    private mutating func addRun(of color: RGBA, count: Int) {
        bins[ColorBin.box(of: color)].add(color, count: UInt64(count))
        if color.alpha > 0 { visiblePixels += UInt64(count) }
        if all != nil { note(color) }
        if let index = RGBA.pinned.firstIndex(of: color) {
            pinned[index] += UInt64(count)
        } else if count >= Self.flatLength {
            addFlat(color, count: UInt64(count))
        }
    }

    private mutating func note(_ color: RGBA) {
        all?.insert(color)
        if let count = all?.count, count > Self.mostColors { all = nil }
    }

    private mutating func addFlat(_ color: RGBA, count: UInt64) {
        flat?[color, default: 0] &+= count
        if let count = flat?.count, count > Self.mostFlatColors { flat = nil }
    }

    /// Adds the counts of another histogram. Sums that are too large, which real pixels never have, wrap.
    package mutating func merge(_ other: borrowing ColorHistogram) {
        for box in 0..<ColorBin.boxes where other.bins[box].count > 0 {
            bins[box].add(other.bins[box])
        }
        visiblePixels &+= other.visiblePixels
        for index in pinned.indices { pinned[index] &+= other.pinned[index] }
        if let colors = other.all {
            for color in colors { note(color) }
        } else {
            all = nil
        }
        if let colors = other.flat {
            for (color, count) in colors { addFlat(color, count: count) }
        } else {
            flat = nil
        }
    }

    /// Those of pure white, pure black and full transparency that occur.
    var pinnedColors: [CountedColor] {
        zip(RGBA.pinned, pinned).filter { $1 > 0 }.map { CountedColor(color: $0, count: $1) }
    }

    /// The other colours that fill flat areas, starting with the most frequent in them.
    var flatColors: [CountedColor] {
        (flat ?? [:]).map { CountedColor(color: $0, count: $1) }.sorted {
            ($1.count, $0.color) < ($0.count, $1.color)
        }
    }

    /// The boxes with pixels other than those of some colours, in a fixed order.
    func points(without colors: [CountedColor]) -> [WeightedPoint] {
        var taken: [Int: [CountedColor]] = [:]
        for color in colors { taken[ColorBin.box(of: color.color), default: []].append(color) }
        return (0..<ColorBin.boxes).compactMap { box in
            var bin = bins[box]
            for color in taken[box] ?? [] { bin.add(color.color, count: 0 &- color.count) }
            return bin.count > 0 ? WeightedPoint(bin, isOpaque: box < ColorBin.opaqueBoxes) : nil
        }
    }

    /// The counts as bytes that depend on nothing else. Numbers are little-endian.
    ///
    /// Each list has its length in front: boxes with pixels (number, five sums), all colours, flat colours
    /// with their pixels. The length of a list that was given up has all bits set.
    package var bytes: [UInt8] {
        var result: [UInt8] = []
        result.append(littleEndian: visiblePixels)
        for count in pinned { result.append(littleEndian: count) }
        let boxes = (0..<ColorBin.boxes).filter { self[box: $0].count > 0 }
        result.append(littleEndian: UInt32(boxes.count))
        for box in boxes {
            result.append(littleEndian: UInt32(box))
            for sum in self[box: box].sums { result.append(littleEndian: sum) }
        }
        result.append(littleEndian: all.map { UInt32($0.count) } ?? .max)
        for color in (all ?? []).sorted() { result.append(littleEndian: color.bits) }
        result.append(littleEndian: flat.map { UInt32($0.count) } ?? .max)
        for (color, count) in (flat ?? [:]).sorted(by: { $0.key < $1.key }) {
            result.append(littleEndian: color.bits)
            result.append(littleEndian: count)
        }
        return result
    }

    /// Reads such `bytes`; nil if they are not a histogram.
    package init?(bytes: [UInt8]) {
        self.init()
        var reader = CountReader(bytes: bytes[...])
        do { try read(&reader) } catch { return nil }
        guard reader.bytes.isEmpty else { return nil }
    }

    private mutating func read(_ reader: inout CountReader) throws(CountReader.NoHistogram) {
        visiblePixels = try reader.next()
        for index in pinned.indices { pinned[index] = try reader.next() }
        let boxes: UInt32 = try reader.next()
        for _ in 0..<boxes {
            let box: UInt32 = try reader.next()
            guard box < ColorBin.boxes else { throw CountReader.NoHistogram() }
            self[box: Int(box)] = try ColorBin(&reader)
        }
        let colors = try reader.length(atMost: Self.mostColors)
        all = colors.map { _ in [] }
        for _ in 0..<(colors ?? 0) {
            let number: UInt32 = try reader.next()
            all?.insert(RGBA(loaded: number.littleEndian))
        }
        let areas = try reader.length(atMost: Self.mostFlatColors)
        flat = areas.map { _ in [:] }
        for _ in 0..<(areas ?? 0) {
            let (number, count): (UInt32, UInt64) = (try reader.next(), try reader.next())
            flat?[RGBA(loaded: number.littleEndian)] = count
        }
    }
}

/// A colour and the number of its pixels.
struct CountedColor {
    /// The colour.
    var color: RGBA
    /// The number of pixels.
    var count: UInt64
}

extension ColorBin {
    fileprivate var sums: [UInt64] { [count, red, green, blue, alpha] }

    fileprivate init(_ reader: inout CountReader) throws(CountReader.NoHistogram) {
        try self.init(
            count: reader.next(), red: reader.next(), green: reader.next(), blue: reader.next(),
            alpha: reader.next())
    }
}

/// Reads little-endian numbers.
private struct CountReader {
    /// The bytes are not those of a histogram.
    struct NoHistogram: Error {}

    var bytes: ArraySlice<UInt8>

    /// The next number.
    mutating func next<Number: FixedWidthInteger & UnsignedInteger>() throws(NoHistogram) -> Number {
        let size = Number.bitWidth / 8
        guard bytes.count >= size else { throw NoHistogram() }
        defer { bytes = bytes.dropFirst(size) }
        return bytes.prefix(size).reversed().reduce(0) { $0 << 8 | Number($1) }
    }

    /// The length of a list; nil if the list was given up.
    mutating func length(atMost limit: Int) throws(NoHistogram) -> Int? {
        let length: UInt32 = try next()
        if length == .max { return nil }
        guard length <= limit else { throw NoHistogram() }
        return Int(length)
    }
}

/// Counts the colours of tiles instead of encoding them, for one worker.
package final class ColorCensus: TileEncoder {
    private var histogram = ColorHistogram()

    /// An empty census.
    package init() {}

    /// Adds the counts of another census.
    package func merge(_ other: ColorCensus) { histogram.merge(other.histogram) }

    /// The counts as bytes that depend on nothing else.
    package var bytes: [UInt8] { histogram.bytes }

    /// Adds the counts of another census, from its `bytes`.
    ///
    /// - Returns: false if they are not such bytes.
    package func merge(_ bytes: [UInt8]) -> Bool {
        guard let other = ColorHistogram(bytes: bytes) else { return false }
        histogram.merge(other)
        return true
    }

    /// The palette of at most `size` colours, 2 to 256, for all tiles; nil if they have no more than `size`
    /// colours anyway.
    package func palette(size: Int) throws -> Palette? {
        try PaletteQuantizer.palette(of: histogram, size: size)
    }

    /// Counts the pixels; there is nothing to write.
    package func encode(_ pixels: TilePixels) throws -> [UInt8] {
        histogram.add(pixels.bytes)
        return []
    }
}

/// The censuses of a build's workers.
package struct CensusParts {
    private var parts: [ColorCensus] = []

    /// Starts without censuses.
    package init() {}

    /// Makes the census of another worker.
    package mutating func make() -> ColorCensus {
        let part = ColorCensus()
        parts.append(part)
        return part
    }

    /// The sum of all censuses, once the workers are done.
    package func sum() -> ColorCensus {
        guard let first = parts.first else { return ColorCensus() }
        for part in parts.dropFirst() { first.merge(part) }
        return first
    }
}

/// A sink for tiles that are only counted. No tile is skipped as already staged, so that a resumed run finds
/// the palette that it began with.
package struct CensusSink: TileSink {
    /// Makes a sink.
    package init() {}

    /// No tiles.
    package var staged: Set<TileCoordinate> { [] }

    /// Does nothing.
    package mutating func write(_ tile: EncodedTile) {}
}
