/// Which colours a tileset has, and how many pixels of each.
///
/// All pixels are counted in boxes of colours, with exact sums; colours that fill flat areas, and all
/// colours as long as they are few, also one by one. Histograms of some tiles each, merged in any
/// order, are that of all of them.
package struct ColorHistogram: ~Copyable {
    /// Bytes that it takes: 320 Ki boxes, all of which are touched, and a hash table of flat colours, of which a plan has
    /// some thousands.
    package static let bytes = ColorBin.boxes * MemoryLayout<ColorBin>.stride + (1 << 18)

    /// Pixels in a row that make a flat area: so many are seldom the same by chance.
    private static let flatLength = 8
    /// A picture with more flat colours than this has none that stand out.
    static let mostFlatColors = 1 << 16
    /// A palette's largest size: beyond it, it does not matter how many colours there are.
    static let mostColors = 256

    /// `ColorBin.boxes` of them. A pointer, and the first member: the thread sanitizer of Swift 6.3 takes
    /// the first member of a noncopyable value for an address.
    private let bins: UnsafeMutablePointer<ColorBin>
    /// Pixels that are not wholly transparent.
    var visiblePixels: UInt64 = 0
    /// All colours, or nil once they are too many.
    var all: Set<RGBA>? = []
    /// Pixels in flat areas by colour, or nil once the colours are too many.
    var flat: [RGBA: UInt64]? = [:]
    /// Pixels of `RGBA.pinned`, wherever they are.
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

    /// Takes in what another histogram has counted. Sums that are beyond all measure, which no pixels have, wrap.
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

    /// Whether there are at most so many colours; the limit is 256 at most.
    func hasColors(atMost limit: Int) -> Bool { all.map { $0.count <= limit } ?? false }

    /// Those of pure white, pure black and nothing that there are.
    var pinnedColors: [CountedColor] {
        zip(RGBA.pinned, pinned).filter { $1 > 0 }.map { CountedColor(color: $0, count: $1) }
    }

    /// The other colours that fill flat areas, those with the most pixels there first.
    var flatColors: [CountedColor] {
        (flat ?? [:]).map { CountedColor(color: $0, count: $1) }.sorted {
            ($1.count, $0.color) < ($0.count, $1.color)
        }
    }

    /// The boxes that hold pixels beside some that have an entry of their own, in a fixed order.
    func points(without colors: [CountedColor]) -> [WeightedPoint] {
        var taken: [Int: [CountedColor]] = [:]
        for color in colors { taken[ColorBin.box(of: color.color), default: []].append(color) }
        return (0..<ColorBin.boxes).compactMap { box in
            var bin = bins[box]
            for color in taken[box] ?? [] { bin.remove(color.color, count: color.count) }
            return bin.count > 0 ? WeightedPoint(bin, isOpaque: box < ColorBin.opaqueBoxes) : nil
        }
    }
}

/// A colour, and how many pixels have it.
struct CountedColor {
    /// The colour.
    var color: RGBA
    /// Pixels.
    var count: UInt64
}
