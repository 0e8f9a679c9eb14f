import Tiling
package import Platform

extension CameraRequest {
    /// Refuses what contradicts itself, and what is not a number.
    ///
    /// - Throws: `.usage`.
    package func check() throws(Failure) {
        try checkNumbers()
        try checkFit()
        try checkLimits()
        guard padding.isValid else {
            throw Failure(.usage, "--padding is 0 points or more along each edge")
        }
    }

    private func checkNumbers() throws(Failure) {
        let numbers = [
            ("--target", target?.x), ("--target", target?.y), ("--zoom", zoom),
            ("--bearing", bearing), ("--tilt", tilt), ("--min-zoom", minimumZoom),
            ("--max-zoom", maximumZoom),
        ]
        for (name, number) in numbers where number.map({ !$0.isFinite }) ?? false {
            throw Failure(.usage, "\(name) is not a number", remedy: "give it as 17 or 17.5")
        }
    }

    /// A fit says all that these options say.
    private func checkFit() throws(Failure) {
        guard let fit else { return }
        let options = [
            ("--target", target != nil), ("--zoom", zoom != nil), ("--bearing", bearing != nil),
            ("--tilt", tilt != nil),
        ]
        if let (name, _) = options.first(where: \.1) {
            throw Failure(
                .usage, "--fit and \(name) both say where the camera is",
                remedy: "leave one of them out; a later change is an --update, as in "
                    + "--update zoomBy:-1")
        }
        try Self.check(fit, "--fit")
    }

    private func checkLimits() throws(Failure) {
        if let targetBounds { try Self.check(targetBounds, "--target-bounds") }
        if let minimumZoom, let maximumZoom, minimumZoom > maximumZoom {
            let (low, high) = (minimumZoom.shortText, maximumZoom.shortText)
            throw Failure(.usage, "--min-zoom \(low) is greater than --max-zoom \(high)")
        }
    }

    /// Refuses bounds that are not of the Earth. A west that is greater than the east is none of these.
    private static func check(_ bounds: BoundingBox, _ name: String) throws(Failure) {
        func failure(_ reason: String) -> Failure {
            Failure(.usage, "the bounds of \(name) \(reason)", remedy: "give W,S,E,N in degrees")
        }
        let edges = [bounds.minX, bounds.minY, bounds.maxX, bounds.maxY]
        guard edges.allSatisfy(\.isFinite) else { throw failure("are not numbers") }
        guard bounds.minY <= bounds.maxY else { throw failure("have their south above their north") }
        guard -90...90 ~= bounds.minY, -90...90 ~= bounds.maxY else {
            throw failure("have latitudes beyond 90 degrees")
        }
        guard abs(bounds.minX) <= 540, abs(bounds.maxX) <= 540 else {
            throw failure("have longitudes far beyond 180 degrees")
        }
    }
}
