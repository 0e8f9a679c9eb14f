#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// What a renderer may take of the machine: a document of a few bytes can ask for any amount.
package struct RendererLimits: Sendable {
    /// Bytes of memory of a renderer. A sheet of A0 with photographs takes a fifth of it.
    let memory = 2 << 30

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

    /// Seconds on the clock after which no answer comes any more.
    var wait: Int { patience * seconds }
}
