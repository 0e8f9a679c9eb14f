import Testing

/// Expects samples of pixels that a formula gives, to within a tolerance in levels.
func expect(
    _ pixels: [UInt8], _ expected: [Double], within tolerance: Double = 1,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    #expect(pixels.count == expected.count, sourceLocation: sourceLocation)
    let worst = zip(pixels, expected).map { abs(Double($0) - $1) }.max() ?? 0
    #expect(worst <= tolerance, "\(pixels)", sourceLocation: sourceLocation)
}
