import Platform

/// The scale of a plan.
public enum PlanScale: Hashable, Codable, Sendable {
    /// The edge of a pixel on the ground, in metres.
    case metresPerPixel(Double)
    /// 1 to so many, as the title block of a drawing says it. The resolution of the image says how much
    /// paper a pixel is.
    case oneTo(Double)

    /// Reads `METRES_PER_PIXEL` or `1:N`, as on a command line.
    ///
    /// - Throws: a `Failure` of kind `usage` that quotes the text.
    public init(parsing text: String) throws {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map {
            Double($0.filter { !$0.isWhitespace })
        }
        switch parts.count {
        case 1:
            if let metres = parts[0], metres > 0, metres.isFinite {
                self = .metresPerPixel(metres)
                return
            }
        case 2:
            if parts[0] == 1, let denominator = parts[1], denominator > 0, denominator.isFinite {
                self = .oneTo(denominator)
                return
            }
        default: break
        }
        throw Failure(
            .usage, "'\(text)' is not a scale",
            remedy: "write the edge of a pixel in metres on the ground, as 0.02, or a drawing's scale, as "
                + "1:100")
    }
}
