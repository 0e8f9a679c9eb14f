import Platform

/// A tileset that would take the place of another one: nobody wants that if it shows something else.
struct Replacement {
    /// The images that the tileset in OUTPUT was made of.
    let old: [SourceImage]
    /// The images of this run.
    let new: [SourceImage]

    /// Whether it is known of both, and no image is one of both.
    private var isOfOthers: Bool {
        !old.isEmpty && !new.isEmpty && Set(old).isDisjoint(with: new)
    }

    /// Refuses a tileset that was made of other images.
    ///
    /// - Parameters:
    ///   - place: the tileset in OUTPUT, as `'tiles'`.
    ///   - wayOut: what else to do than to force it.
    /// - Throws: `.outputRefused`.
    func check(_ place: String, wayOut: String) throws(Failure) {
        guard isOfOthers else { return }
        throw Failure(
            .outputRefused, "\(place) was made from \(oldNames): \(wayOut), or --force")
    }

    /// The images, at most three by their names.
    private var oldNames: String {
        let shown = 3
        let names = old.prefix(shown).map(\.description)
        let more = old.count - names.count
        return (more > 0 ? names + ["\(more) more"] : names).listed("and")
    }
}
