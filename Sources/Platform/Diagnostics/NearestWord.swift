/// The word that was probably meant.
package enum NearestWord {
    /// The word with the fewest slips between it and what was written, nil if none is near: one slip for
    /// each three letters.
    package static func of(_ text: String, among words: [String]) -> String? {
        let written = Array(text.lowercased().unicodeScalars)
        guard written.count <= 40 else { return nil }
        let most = min(3, max(1, written.count / 3))
        return words.map { ($0, slips(written, Array($0.unicodeScalars))) }
            .filter { $0.1 <= most }.min { $0.1 < $1.1 }?.0
    }

    /// How many letters are to be added, left out, changed, or interchanged with the next one: the optimal
    /// string alignment distance.
    private static func slips(_ first: [Unicode.Scalar], _ second: [Unicode.Scalar]) -> Int {
        var rows = [Array(0...second.count)]
        for row in 1..<first.count + 1 {
            var next = [row]
            for column in 1..<second.count + 1 {
                let isSame = first[row - 1] == second[column - 1]
                var least = min(
                    rows[row - 1][column] + 1, next[column - 1] + 1,
                    rows[row - 1][column - 1] + (isSame ? 0 : 1))
                if row > 1, column > 1, first[row - 1] == second[column - 2],
                    first[row - 2] == second[column - 1]
                {
                    least = min(least, rows[row - 2][column - 2] + 1)
                }
                next.append(least)
            }
            rows.append(next)
        }
        return rows[first.count][second.count]
    }
}
