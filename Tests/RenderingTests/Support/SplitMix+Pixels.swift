import CKernels
import TestSupport

extension SplitMix {
    /// Deep pixels, of which every fourth value is an extreme of its type.
    mutating func samples(_ count: Int) -> [Int16] {
        (0..<count).map { _ in
            switch Int.random(in: 0..<8, using: &self) {
            case 0: .min
            case 1: .max
            default: .random(in: .min ... .max, using: &self)
            }
        }
    }

    /// Weights whose absolute values add up to less than 4, close to it in one case of two.
    mutating func weights(_ count: Int) -> [Int16] {
        let limit = Bool.random(using: &self) ? 65_535 : Int.random(in: 0..<65_536, using: &self)
        let raw = (0..<count).map { _ in Double.random(in: -1...1, using: &self) }
        let sum = raw.reduce(1e-9) { $0 + abs($1) }
        return raw.map { Int16(clamping: Int($0 / sum * Double(limit))) }
    }

    /// Weights, 16 at most, that add up to 1; some of the last are zero.
    mutating func weightsOfOne(_ count: Int) -> [Int16] {
        let used = Int.random(in: 1...count, using: &self)
        let others = (1..<used).map { _ in Int16.random(in: -900...900, using: &self) }
        return others + [Int16(CR_WEIGHT_ONE) - others.reduce(0, +)] + repeatElement(0, count: count - used)
    }
}
