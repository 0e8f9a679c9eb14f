/// Tags of a file that say nothing about its pixels, passed on unchanged to the code that needs them.
///
/// Tags are named by their TIFF numbers. A missing tag and an empty tag are the same.
package struct FileTags: Hashable, Sendable {
    /// What a tag holds.
    private enum Value: Hashable, Sendable {
        case numbers([Double])
        case text(String)
    }

    private struct Tag: Hashable, Sendable {
        var number: Int
        var value: Value
    }

    /// In the order of their numbers, so that equal tags are printed alike.
    private let tags: [Tag]

    /// Keeps the tags that are not empty.
    ///
    /// - Parameters:
    ///   - numbers: the values of tags that hold numbers, by the tags' numbers.
    ///   - texts: the values of tags that hold text. A tag is in one of the two dictionaries.
    package init(numbers: [Int: [Double]] = [:], texts: [Int: String] = [:]) {
        let all =
            numbers.filter { !$0.value.isEmpty }.map { Tag(number: $0, value: .numbers($1)) }
            + texts.filter { !$0.value.isEmpty }.map { Tag(number: $0, value: .text($1)) }
        tags = all.sorted { $0.number < $1.number }
    }

    /// The numbers of a tag; empty if it is missing or holds text.
    package func numbers(_ tag: Int) -> [Double] {
        guard case .numbers(let numbers) = value(of: tag) else { return [] }
        return numbers
    }

    /// The text of a tag; empty if it is missing or holds numbers.
    package func text(_ tag: Int) -> String {
        guard case .text(let text) = value(of: tag) else { return "" }
        return text
    }

    private func value(of tag: Int) -> Value? { tags.first { $0.number == tag }?.value }
}
