import Georeferencing
import Platform
import Raster
import Rendering
import Tiling

/// An image that was decoded once, to try its tiles at any zoom: as many of its pixels as fit, averaged
/// copies of the whole image, and a map of its detail.
struct HeldImage: Sendable {
    /// The maximum number of bytes of pixels that are kept of all images: a plan of 16 megapixels in colour,
    /// or parts of a larger one. To touch new memory takes as much time as to decode into it.
    static let mostBytes = 48 << 20
    /// The factor, along each edge, by which each copy is smaller than the one before, or than the image.
    private static let reduction = 4
    /// The approximate edge of the smallest copy, in pixels.
    private static let leastEdge = 256

    /// The map of its detail.
    let detail: DetailMap
    /// Seconds of decoding.
    let decodingSeconds: Double
    /// The pixels, and copies with a quarter of the columns and rows each.
    private let copies: [HeldPixels]
    /// The parts of the pixels that were kept, and how many parts each represents; nil if all were kept.
    private let parts: [(window: PixelWindow, times: Double)]?
    private let layer: ImageLayer
    /// Whether the kernel copies pixels of the image, so that pixels must not be averaged.
    private let isCopied: Bool
    /// Pixels of the image per pixel of the finest zoom, along an edge.
    private let pixelsToFinest: Double

    /// Decodes an image.
    ///
    /// - Parameters:
    ///   - source: its pixels, which are read to their end.
    ///   - layer: the image as a layer of the pyramid.
    ///   - finest: the tiles of the finest zoom.
    ///   - isCopied: whether the kernel copies pixels.
    ///   - mostBytes: the maximum number of bytes of its pixels; if the image is larger, only parts are kept.
    init(_ source: any RasterSource, layer: ImageLayer, finest: TileMatrix, isCopied: Bool, mostBytes: Int)
        throws
    {
        (self.layer, self.isCopied) = (layer, isCopied)
        pixelsToFinest = layer.mapping.fewestPixels(inCell: finest.cellSize)
        let info = source.info
        let isSmall = info.width * info.height * info.pixelFormat.bytesPerPixel <= mostBytes
        let whole = isSmall ? try HeldPixels(whole: info) : nil
        let kept =
            isSmall
            ? nil
            : try Self.parts(of: layer, tile: pixelsToFinest * Double(finest.tileSize), mostBytes: mostBytes)
        var detail = DetailMap(info)
        let watched = try WatchedSource(source) { rows, bytes in
            detail.add(rows, bytes)
            whole?.store(rows, from: bytes)
            kept?.add(rows, bytes, detail)
        }
        let reduced = try Self.reduced(watched)
        var copies = [whole ?? kept?.pixels, reduced].compactMap(\.self)
        while let last = copies.last, max(last.info.width, last.info.height) > Self.leastEdge * Self.reduction
        {
            copies.append(try Self.reduced(last))
        }
        detail.finish()
        decodingSeconds = watched.decodingTime.seconds
        (self.detail, self.copies, parts) = (detail, copies, kept?.parts)
    }

    /// The image with squares of pixels averaged.
    private static func reduced(_ source: any RasterSource) throws -> HeldPixels {
        let boxes = BoxedSource(source, box: reduction)
        let held = try HeldPixels(whole: boxes.info)
        let stride = boxes.info.width * boxes.info.pixelFormat.bytesPerPixel
        let memory = try MappedMemory(stride)
        for row in 0..<boxes.info.height {
            try boxes.readRows(1, into: memory.start, stride: stride)
            held.store(row..<row + 1, from: memory.start)
        }
        return held
    }

    /// Chooses parts large enough to hold a tile that begins at most 1.25 tile edges after the part does.
    ///
    /// - Parameter tile: the edge of a tile in pixels of the image.
    private static func parts(of layer: ImageLayer, tile: Double, mostBytes: Int) throws -> KeptParts {
        // The square around a turned tile is larger.
        let square = if case .separable = layer.mapping.shape { tile } else { tile * 2.0.squareRoot() }
        let wanted = Int(1.25 * tile + square) + 2 * margin(tile / 256)
        let edge = (wanted + DetailMap.cell - 1) / DetailMap.cell * DetailMap.cell
        let bytes = edge * edge * layer.info.pixelFormat.bytesPerPixel
        return try KeptParts(layer.info, edge: edge, count: max(4, mostBytes / bytes))
    }

    /// Pixels around a tile that a kernel may read.
    private static func margin(_ pixelsToOne: Double) -> Int { Int(8 * max(1, pixelsToOne)) + 8 }

    /// All pixels.
    var window: PixelWindow { copies[0].info.window }

    /// The image for a zoom, averaged so that each pixel of the zoom has as many image pixels as one of the
    /// finest zoom. For kernels that copy pixels, the image is not averaged.
    ///
    /// - Parameter zoomsOut: the number of finer zooms.
    func source(zoomsOut: Int) -> (layer: ImageLayer, pixels: HeldPixels, box: Int) {
        let wanted = box(zoomsOut: zoomsOut)
        var (copy, factor) = (0, 1)
        while copy + 1 < copies.count, factor * Self.reduction <= wanted {
            copy += 1
            factor *= Self.reduction
        }
        let (held, box) = (copies[copy], min(wanted / factor, Self.leastEdge))
        let mapping = layer.mapping.inPixels(.scale(1 / Double(factor * box)))
        var boxed = ImageLayer(mapping, of: held.info, held.blockSize, box: box)
        (boxed.neatline, boxed.method) = (layer.neatline, layer.method)
        return (boxed, held, box)
    }

    /// The pixels of the image under a tile that is inside it.
    func pixels(inTileOf size: Int, zoomsOut: Int) -> Double {
        let edge = pixelsToFinest * Double(size) * Double(1 << zoomsOut)
        return min(edge * edge, Double(window.width) * Double(window.height))
    }

    private func box(zoomsOut: Int) -> Int {
        if isCopied { return 1 }
        let pixels = pixelsToFinest * Double(1 << zoomsOut)
        var box = 1
        while pixels / Double(2 * box) >= max(1, pixelsToFinest) * 0.999 { box *= 2 }
        return box
    }

    /// The box of image pixels under a square of Mercator metres, and whether the image covers the square;
    /// nil if there are no such pixels.
    func window(under square: BoundingBox) -> (pixels: PixelWindow, isWhole: Bool)? {
        var corners = square.corners + [square.center]
        layer.mapping.imagePoints(ofMercator: &corners)
        guard let box = BoundingBox(around: corners.filter { $0.x.isFinite && $0.y.isFinite }) else {
            return nil
        }
        let whole = window
        func pixels(_ low: Double, _ high: Double, _ range: Range<Int>) -> Range<Int> {
            let limits = (Double(range.lowerBound), Double(range.upperBound))
            let first = Int(min(max(low, limits.0), limits.1).rounded(.down))
            return first..<max(first, Int(min(max(high, limits.0), limits.1).rounded(.up)))
        }
        let window = PixelWindow(
            columns: pixels(box.minX, box.maxX, whole.columns), rows: pixels(box.minY, box.maxY, whole.rows))
        let isWhole = corners.allSatisfy { corner in
            layer.mapping.columns.contains(corner.x) && layer.mapping.rows.contains(corner.y)
        }
        return window.isEmpty ? nil : (window, isWhole)
    }

    /// The number of parts of the image that a window represents; nil unless its pixels and those around it
    /// were kept.
    func times(_ window: PixelWindow, zoomsOut: Int) -> Double? {
        guard let parts, box(zoomsOut: zoomsOut) < Self.reduction else { return 1 }
        let margin = Self.margin(pixelsToFinest * Double(1 << zoomsOut))
        func wider(_ range: Range<Int>, _ limits: Range<Int>) -> Range<Int> {
            (range.lowerBound - margin..<range.upperBound + margin).clamped(to: limits)
        }
        let whole = self.window
        let needed = PixelWindow(
            columns: wider(window.columns, whole.columns), rows: wider(window.rows, whole.rows))
        return parts.first { $0.window.intersection(needed) == needed }?.times
    }
}

/// Chooses square parts of an image while its rows are read, and keeps their pixels: the more detail a part
/// has, the more likely it is kept.
///
/// This is priority sampling (Duffield, Lund and Thorup, 2007). A part of weight w gets the priority w / u,
/// with u evenly spread between 0 and 1. The parts with the highest priorities are kept. Each represents
/// max(1, t / w) parts, where t is the highest priority of the other parts.
final class KeptParts {
    /// A part that is kept.
    private struct Part {
        var window: PixelWindow
        var memory: MappedMemory
        var weight: Double
        var priority: Double
    }

    /// The weight of a pixel without detail: about a tenth of the mean of a plan.
    private static let leastDetail = 0.01

    private let info: RasterInfo
    private let edge: Int
    private let stride: Int
    /// The current row of parts. When it is complete, parts of it are chosen.
    private let strip: MappedMemory
    private var unused: [MappedMemory]
    private var chosen: [Part] = []
    /// The highest priority of the parts that are not kept.
    private var threshold = 0.0
    private var seen = 0

    /// Begins to choose.
    ///
    /// - Parameters:
    ///   - info: the image.
    ///   - edge: the edge of a part in pixels: a multiple of `DetailMap.cell`.
    ///   - count: the number of parts to keep.
    /// - Throws: a `Failure` if there is not enough memory.
    init(_ info: RasterInfo, edge: Int, count: Int) throws {
        (self.info, self.edge) = (info, edge)
        stride = info.width * info.pixelFormat.bytesPerPixel
        strip = try MappedMemory(stride * edge)
        let bytes = edge * edge * info.pixelFormat.bytesPerPixel
        unused = try (0..<count).map { _ in try MappedMemory(bytes) }
    }

    /// Adds the next rows, without gaps. The map of detail must contain them already.
    func add(_ rows: Range<Int>, _ pixels: UnsafeRawPointer, _ detail: DetailMap) {
        var row = rows.lowerBound
        while row < rows.upperBound {
            let first = row / edge * edge
            let last = min(first + edge, info.height)
            let end = min(last, rows.upperBound)
            (strip.start + (row - first) * stride).copyMemory(
                from: pixels + (row - rows.lowerBound) * stride, byteCount: (end - row) * stride)
            if end == last { choose(among: first..<last, detail) }
            row = end
        }
    }

    private func choose(among rows: Range<Int>, _ detail: DetailMap) {
        for left in Swift.stride(from: 0, to: info.width, by: edge) {
            let window = PixelWindow(columns: left..<min(left + edge, info.width), rows: rows)
            let weight =
                detail.detailSoFar(in: window)
                + Self.leastDetail * Double(window.width) * Double(window.height)
            seen += 1
            // Multiples of the golden ratio: the same each time, and evenly spread.
            let share = (Double(seen) * 0.618_033_988_749_895).truncatingRemainder(dividingBy: 1)
            let priority = weight / max(share, 1e-9)
            guard let memory = memory(forPriority: priority) else { continue }
            copy(window, to: memory)
            chosen.append(Part(window: window, memory: memory, weight: weight, priority: priority))
        }
    }

    /// Memory for a part, perhaps taken from another part; nil if all kept parts have higher priorities.
    private func memory(forPriority priority: Double) -> MappedMemory? {
        if let memory = unused.popLast() { return memory }
        guard let least = chosen.indices.min(by: { chosen[$0].priority < chosen[$1].priority }) else {
            return nil
        }
        threshold = max(threshold, min(priority, chosen[least].priority))
        if chosen[least].priority >= priority { return nil }
        return chosen.remove(at: least).memory
    }

    private func copy(_ window: PixelWindow, to memory: MappedMemory) {
        let bytes = info.pixelFormat.bytesPerPixel
        for row in 0..<window.height {
            (memory.start + row * window.width * bytes).copyMemory(
                from: strip.start + row * stride + window.columns.lowerBound * bytes,
                byteCount: window.width * bytes)
        }
    }

    /// The pixels that are kept.
    var pixels: HeldPixels {
        HeldPixels(info, parts: chosen.map { HeldPixels.Part(window: $0.window, memory: $0.memory) })
    }

    /// The parts that are kept, and how many parts each represents.
    var parts: [(window: PixelWindow, times: Double)] {
        chosen.map { ($0.window, max(1, threshold / $0.weight)) }
    }
}
