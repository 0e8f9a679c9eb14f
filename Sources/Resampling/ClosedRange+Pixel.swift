extension ClosedRange<Double> {
    /// The part of a pixel between the edges of an image; all of one that lies beyond them, which
    /// holds nothing anyway.
    func part(ofPixel index: Int) -> ClosedRange<Double> {
        let pixel = Double(index)...Double(index + 1)
        let part = pixel.clamped(to: self)
        return part.lowerBound < part.upperBound ? part : pixel
    }
}

extension ClosedRange<Double> {
    /// From end to end.
    var length: Double { upperBound - lowerBound }
}
