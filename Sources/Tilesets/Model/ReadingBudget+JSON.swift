extension ReadingBudget {
    /// Values of JSON in a document. A parser takes up to four microseconds and a hundred bytes for each, and one byte
    /// of a compressed file can stand for a hundred of them. The largest documents that writers make have a tenth.
    private static let mostValues = 1 << 18

    /// Whether a document of JSON, or another list with commas, is short enough to be parsed. Counts commas and
    /// brackets, also those in texts.
    package static func isShort(_ document: some Sequence<UInt8>) -> Bool {
        document.reduce(0) { $0 + (isSign($1) ? 1 : 0) } <= mostValues
    }

    private static func isSign(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ",") || byte == UInt8(ascii: "[") || byte == UInt8(ascii: "{")
    }
}
