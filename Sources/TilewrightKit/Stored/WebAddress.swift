import Platform

/// Addresses on the web that a user gives.
package enum WebAddress {
    /// Refuses what names of tiles cannot be put behind.
    package static func checkBase(_ url: String) throws {
        try checkCharacters(url)
        if url.contains("?") {
            throw refusal(url, "has a query, behind which no names of tiles can stand")
        }
    }

    /// Refuses what is not an address of tiles.
    package static func checkTemplate(_ url: String) throws {
        try checkCharacters(url)
        let hasAddress = ["{z}", "{x}"].allSatisfy(url.contains)
        let hasRow = url.contains("{y}") || url.contains("{-y}")
        if !url.contains("{quadkey}"), !hasAddress || !hasRow {
            throw refusal(url, "needs {z}, {x} and {y} (or {-y}), or {quadkey}")
        }
    }

    /// Refuses what is not an address at all.
    package static func checkCharacters(_ url: String) throws {
        if !url.contains("://") { throw refusal(url, "has no scheme, such as https://") }
        if url.contains("#") { throw refusal(url, "has a fragment, which no server sees") }
        if url.unicodeScalars.contains(where: { $0.properties.isWhitespace || $0.value < 0x20 }) {
            throw refusal(url, "has a blank in it, which is written %20")
        }
    }

    private static func refusal(_ url: String, _ why: String) -> Failure {
        Failure(
            .usage, "the address '\(url)' \(why)",
            remedy: "an address looks like 'https://example.org/tiles'")
    }
}
