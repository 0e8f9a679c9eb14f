extension Double {
    /// The nearest number in a range; 0, or the nearest to it, for what is not a number.
    func clamped(to range: ClosedRange<Double>) -> Double {
        Swift.min(Swift.max(isNaN ? 0 : self, range.lowerBound), range.upperBound)
    }

    /// The same angle in degrees within the full turn that begins at `start`, its end excluded; 0 for what is
    /// not finite. A number that is in the turn already is returned bit for bit.
    package func wrapped(from start: Double) -> Double {
        guard isFinite else { return 0 }
        let turns = ((self - start) / 360).rounded(.down)
        let angle = self - 360 * turns
        // A tiny negative angle is rounded up to the end of the turn.
        return angle < start + 360 ? Swift.max(angle, start) : start
    }
}
