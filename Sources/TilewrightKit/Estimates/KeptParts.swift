import Raster
import Tiling

/// Chooses square parts of an image while its rows go by, and keeps their pixels: the more there is to see in a part,
/// the likelier it is kept.
///
/// That is priority sampling (Duffield, Lund and Thorup, 2007). A part of weight w gets the priority w / u, with u
/// evenly spread between 0 and 1; the parts of the highest priorities are kept, and each stands for max(1, t / w)
/// parts, where t is the highest priority of the others.
final class KeptParts {
    /// A part that is kept.
    private struct Part {
        var window: PixelWindow
        var memory: MappedMemory
        var weight: Double
        var priority: Double
    }

    /// What a pixel counts for on which nothing is to be seen: a tenth of the mean of a plan, about.
    private static let leastDetail = 0.01

    private let info: RasterInfo
    private let edge: Int
    private let stride: Int
    /// The rows among whose parts is chosen once they are all there.
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
    ///   - edge: of a part in pixels; as many as several parts of a `DetailMap`.
    ///   - count: how many are kept.
    /// - Throws: a `Failure` if there is not enough memory.
    init(_ info: RasterInfo, edge: Int, count: Int) throws {
        (self.info, self.edge) = (info, edge)
        stride = info.width * info.pixelFormat.bytesPerPixel
        strip = try MappedMemory(stride * edge)
        let bytes = edge * edge * info.pixelFormat.bytesPerPixel
        unused = try (0..<count).map { _ in try MappedMemory(bytes) }
    }

    /// Takes the next rows, which lie without gaps and which a map has looked at.
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

    /// Memory for a part, which another one may have to leave; nil if all that are kept have higher priorities.
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

    /// The parts that are kept, and how many each stands for.
    var parts: [(window: PixelWindow, times: Double)] {
        chosen.map { ($0.window, max(1, threshold / $0.weight)) }
    }
}
