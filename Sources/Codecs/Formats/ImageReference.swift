/// What names an image: a file, and which of its pages.
package struct ImageReference: Hashable, Sendable {
    /// The file.
    package var path: String
    /// The page, counted from 1, of a file that holds several.
    package var page: Int

    /// Names an image.
    package init(_ path: String, page: Int = 1) {
        self.path = path
        self.page = page
    }
}

/// What a reader may use beside the image's file.
package struct ReaderEnvironment: Hashable, Sendable {
    /// A folder for scratch files; nil if there must be none.
    package var scratchDirectory: String?

    /// Describes an environment.
    package init(scratchDirectory: String? = nil) { self.scratchDirectory = scratchDirectory }
}
