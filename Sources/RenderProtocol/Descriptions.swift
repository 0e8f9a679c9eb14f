#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What a renderer says first.
package struct RendererGreeting: Hashable, Codable, Sendable {
    /// The version of the protocol, `Frame.version`.
    package var version: Int
    /// The libraries that decide pixels, with their versions: `poppler 22.12.0, cairo 1.16.0, librsvg 2.54.7`.
    package var libraries: String

    /// Makes a greeting.
    package init(version: Int, libraries: String) { (self.version, self.libraries) = (version, libraries) }
}

/// A request to open a page of a document.
package struct OpenRequest: Hashable, Codable, Sendable {
    /// The type of a document.
    package enum DocumentType: String, Codable, Sendable {
        /// PDF.
        case pdf
        /// SVG, also compressed by gzip.
        case svg
    }

    /// The type of the document.
    package var type: DocumentType
    /// The page, counted from 1.
    package var page: Int
    /// The layers that are shown, by name; nil for those that the document shows.
    package var layers: [String]?
    /// What opens an encrypted document.
    package var password: String?
    /// Bytes of memory that the renderer may take.
    package var memory: Int
    /// Seconds of a processor that it may take for an answer.
    package var seconds: Int

    /// Asks for a page.
    package init(
        _ type: DocumentType, page: Int, layers: [String]? = nil, password: String? = nil, memory: Int,
        seconds: Int
    ) {
        self.type = type
        self.page = page
        self.layers = layers
        self.password = password
        self.memory = memory
        self.seconds = seconds
    }
}

/// Why a request cannot be met.
package struct RendererFailure: Error, Hashable, Codable, Sendable {
    /// What kind of reason it is.
    package enum Cause: String, Codable, Sendable {
        /// The document is damaged, or is of another type.
        case damaged
        /// The document is encrypted, and no password or another was given.
        case encrypted
        /// There is no such page.
        case noPage
        /// There is no such layer.
        case noLayer
        /// It takes more memory than is allowed.
        case memory
        /// The request is not of the protocol.
        case request
    }

    /// What kind of reason it is.
    package var cause: Cause
    /// A clause for people, in lower case, without a full stop.
    package var reason: String

    /// Makes a failure.
    package init(_ cause: Cause, _ reason: String) { (self.cause, self.reason) = (cause, reason) }
}

extension Frame {
    /// A frame whose bytes are JSON.
    package init(_ kind: Kind, describing value: some Encodable) throws {
        self.init(kind, Array(try JSONEncoder().encode(value)))
    }

    /// What the JSON of a frame says.
    ///
    /// - Throws: `FrameChannel.Trouble.strange` if it is not of the type.
    package func decoded<Value: Decodable>(as type: Value.Type = Value.self) throws(FrameChannel.Trouble)
        -> Value
    {
        do { return try JSONDecoder().decode(type, from: Data(payload)) } catch { throw .strange }
    }
}
