/// The parts of an archive's tile data that its directories name.
///
/// Holds 16 bytes for each different part, and for a moment those for each entry up to twice as many.
struct ReferencedBytes {
    /// What the parts come to.
    struct Result {
        /// The number of parts that begin at different places.
        var count = 0
        /// Parts that begin before the one before them ends, or are not all of the same length.
        var overlapping = 0
        /// Bytes of no part.
        var unreferenced: UInt64 = 0
    }

    private var parts: [Range<UInt64>] = []
    private var limit = 1 << 16

    /// Adds a part.
    mutating func add(_ part: Range<UInt64>) {
        parts.append(part)
        guard parts.count >= limit else { return }
        compact()
        limit = max(limit, 2 * parts.count)
    }

    /// Sorts the parts, and keeps one of those that are the same.
    private mutating func compact() {
        parts.sort { ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound) }
        var kept: [Range<UInt64>] = []
        for part in parts where part != kept.last { kept.append(part) }
        parts = kept
    }

    /// Looks at all parts.
    ///
    /// - Parameter length: the bytes of the tile data.
    consuming func finish(length: UInt64) -> Result {
        compact()
        var result = Result()
        var (start, end): (UInt64?, UInt64) = (nil, 0)
        for part in parts {
            if part.lowerBound < end {
                result.overlapping += 1
            } else {
                result.unreferenced += part.lowerBound - end
            }
            if part.lowerBound != start { result.count += 1 }
            start = part.lowerBound
            end = max(end, part.upperBound)
        }
        result.unreferenced += length - min(length, end)
        return result
    }
}
