/// The points of a box of `ColorBin`, from the lowest to the highest of each coordinate.
struct ColorRange {
    /// Whether its colours are opaque.
    let isOpaque: Bool
    private let lowest: SIMD4<Int32>
    private let highest: SIMD4<Int32>

    /// The box of a number.
    init(box: Int) {
        isOpaque = box < ColorBin.opaqueBoxes
        let bits = isOpaque ? 6 : 4
        let (number, size) = (isOpaque ? box : box - ColorBin.opaqueBoxes, 1 << (8 - bits))
        func channel(_ place: Int) -> ClosedRange<Int> {
            let low = ((number >> (bits * place)) & ((1 << bits) - 1)) * size
            return low...low + size - 1
        }
        let first = isOpaque ? 0 : 1
        let alpha = isOpaque ? 255...255 : channel(0)
        let channels = [channel(first + 2), channel(first + 1), channel(first)]
        let low = channels.map { 2 * $0.lowerBound.premultiplied(by: alpha.lowerBound) }
        let high = channels.map { 2 * $0.upperBound.premultiplied(by: alpha.upperBound) }
        lowest = SIMD4((low.map { $0 - alpha.upperBound } + [alpha.lowerBound]).map(Int32.init))
        highest = SIMD4((high.map { $0 - alpha.lowerBound } + [alpha.upperBound]).map(Int32.init))
    }

    /// No point of the box is nearer to another than the square of this distance.
    func nearest(to point: SIMD4<Int32>) -> Int32 {
        point.clamped(lowerBound: lowest, upperBound: highest).squaredDistance(to: point)
    }

    /// No point of the box is farther from another.
    func farthest(from point: SIMD4<Int32>) -> Int32 {
        let isHigher = (point &- lowest) .> (highest &- point)
        return highest.replacing(with: lowest, where: isHigher).squaredDistance(to: point)
    }
}
