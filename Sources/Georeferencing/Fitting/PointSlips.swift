import Platform
import Tiling

/// What a control point may have been meant to be: slips of people who type.
struct PointSlips {
    /// A slip, and the point without it.
    private struct Slip {
        var kind: PointError.Kind
        var pixel: Point
        var lonLat: Point
    }

    private let point: ControlPoint
    private let plane: LocalPlane

    /// Prepares the slips of a point.
    init(of point: ControlPoint, in plane: LocalPlane) { (self.point, self.plane) = (point, plane) }

    /// The slip that explains why a point does not agree with others; nil if none does for certain.
    ///
    /// A wrong point lies anywhere within its miss, and one of m slips brings it by chance within r of
    /// where it should be if m (r / miss)^2 is not small.
    func explanation(by others: PointSet, _ model: TransformModel) -> PointError.Kind? {
        let slips = slips
        guard let transform = others.fit(model),
            let ground = try? plane.finitePoints(ofLonLat: [point.lonLat] + slips.map(\.lonLat))
        else { return nil }
        let original = PointSet.miss(point.pixel, ground[0], by: transform)
        let best = zip(slips, ground.dropFirst())
            .map { ($0.kind, PointSet.miss($0.pixel, $1, by: transform)) }
            .filter { $0.1.isFinite }.min { $0.1 < $1.1 }
        guard let best else { return nil }
        // Without a number, the point lies on the other side of the Earth.
        let share = original.isFinite ? best.1 / original : 0
        return Double(slips.count) * share * share <= PointErrorChance.looseLevel ? best.0 : nil
    }

    private var slips: [Slip] {
        let numbers: [(String, WritableKeyPath<ControlPoint, Double>)] = [
            ("column", \.pixel.x), ("row", \.pixel.y), ("longitude", \.lonLat.x), ("latitude", \.lonLat.y),
        ]
        return numbers.flatMap { name, path in
            let written = point[keyPath: path].shortText
            return Self.transpositions(written).compactMap { meant -> Slip? in
                guard let value = Double(meant) else { return nil }
                var other = point
                other[keyPath: path] = value
                return Slip(
                    kind: .digits(of: name, written: written, meant: meant), pixel: other.pixel,
                    lonLat: other.lonLat)
            }
        }
    }

    /// A number with two neighbouring digits in each other's place, in all ways that change it.
    private static func transpositions(_ text: String) -> [String] {
        let characters = Array(text)
        guard !characters.contains("e") else { return [] }
        let digits = characters.indices.filter { characters[$0].isNumber }
        return zip(digits, digits.dropFirst()).filter { characters[$0] != characters[$1] }.map {
            var other = characters
            other.swapAt($0, $1)
            return String(other)
        }
    }
}
