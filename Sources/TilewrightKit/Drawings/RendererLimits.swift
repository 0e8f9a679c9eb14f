import Platform

/// What a renderer may take of the machine: a document of a few bytes can ask for any amount.
package struct RendererLimits: Sendable {
    /// Bytes of memory that all renderers of this process may take together. A sheet of A0 with photographs takes 400 MB.
    package var memory = 512 << 20

    /// How many renderers are at work at a time: each begins with an equal share of the memory.
    package var jobs = 1

    /// The smallest share. A renderer takes 16 MB to start and to draw a window, a plan of 12 000 x 8 700 pixels 50 MB,
    /// with the windows that it keeps; a smaller share would only be doubled again and again.
    static let leastMemory = 64 << 20

    /// Seconds of a processor for an answer. The heaviest maps take one of them for a window.
    package var seconds: Int

    /// How often the seconds may pass on the clock before a renderer counts as hung: others may be at work on the
    /// same processors.
    package var patience = 4

    /// The limits; `TILEWRIGHT_RENDER_SECONDS` in the environment says other seconds than 120.
    package init() {
        let wanted = getenv("TILEWRIGHT_RENDER_SECONDS").flatMap { Int(String(cString: $0)) }
        seconds = wanted.map { min(max($0, 1), 86_400) } ?? 120
    }

    /// What a renderer begins with.
    var share: Int { max(Self.leastMemory, memory / jobs) }

    /// The most that a renderer gets.
    var most: Int { max(Self.leastMemory, memory) }

    /// Seconds on the clock after which no answer comes any more.
    var wait: Int { patience * seconds }
}
