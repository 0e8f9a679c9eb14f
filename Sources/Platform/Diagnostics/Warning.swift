/// What is not an error, and what the user should know.
public struct Warning: Hashable, Encodable, Sendable, CustomStringConvertible {
    /// What programs know it by: lower case, with hyphens.
    public let name: String
    /// A line for people.
    public let text: String

    /// Makes a warning.
    public init(_ name: String, _ text: String) { (self.name, self.text) = (name, text) }

    /// The line.
    public var description: String { text }
}
