extension RandomAccessCollection {
    /// Where a condition begins to hold in a sorted collection, or its end: a binary search.
    ///
    /// - Parameter holds: false for the first elements, however many, and true for all behind them.
    package func sortedFirstIndex(where holds: (Element) throws -> Bool) rethrows -> Index {
        var (start, count) = (startIndex, count)
        while count > 0 {
            let half = count / 2
            let middle = index(start, offsetBy: half)
            if try holds(self[middle]) {
                count = half
            } else {
                start = index(after: middle)
                count -= half + 1
            }
        }
        return start
    }
}
