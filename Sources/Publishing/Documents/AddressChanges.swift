package import Tilesets
import Tiling

/// A change of a tile or a document, for clearing caches: `added`, `changed` or `removed`, a space, and the
/// address: absolute if the tileset's URL is known, else relative.
package struct AddressChange: Hashable, Sendable {
    /// The kinds of changes, as lists name them.
    package enum Kind: String, CaseIterable, Sendable { case added, changed, removed }

    /// What happened.
    package let kind: Kind
    /// The address, percent-encoded.
    package let address: String

    /// Makes a change. Names in addresses are encoded, but the base may come from a foreign document: it must
    /// not end the line and start another one.
    package init(_ kind: Kind, _ address: String) {
        self.kind = kind
        let isClean = address.unicodeScalars.allSatisfy(Self.isAllowed)
        self.address =
            isClean
            ? address
            : address.unicodeScalars.reduce(into: "") { text, scalar in
                text += Self.isAllowed(scalar) ? String(scalar) : TilesetMetadata.escaped(String(scalar))
            }
    }

    /// Reads a line of a list; nil if it is none.
    init?(line: Substring) {
        let words = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        guard words.count == 2, let kind = Kind(rawValue: String(words[0])), !words[1].isEmpty,
            words[1].unicodeScalars.allSatisfy(Self.isAllowed)
        else { return nil }
        (self.kind, address) = (kind, String(words[1]))
    }

    /// The line of a list.
    var line: String { "\(kind.rawValue) \(address)\n" }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return scalar > " " && scalar != "\u{7F}" }
        return !scalar.properties.isWhitespace
            && ![.control, .format].contains(scalar.properties.generalCategory)
    }
}

extension [AddressChange] {
    /// The list in UTF-8; empty if nothing changed.
    package var listed: [UInt8] { flatMap { $0.line.utf8 } }
}

/// The changes of a run, in an order such that a copy that applies them is valid at each step: a document
/// follows the tiles that it describes, and removals come last.
package enum ChangeList {
    /// The changes of a tileset.
    package static func changes(_ summary: TilesetSummary, of metadata: TilesetMetadata) -> [AddressChange] {
        let (base, documents) = (metadata.baseURL, summary.documents)
        func tiles(_ kind: AddressChange.Kind, _ tiles: [TileCoordinate]) -> [AddressChange] {
            tiles.map {
                AddressChange(kind, TilesetMetadata.joined(base, metadata.relativeAddress(of: $0)))
            }
        }
        func files(_ kind: AddressChange.Kind, _ paths: [String]) -> [AddressChange] {
            paths.map { AddressChange(kind, address(of: $0, below: base)) }
        }
        let news = tiles(.added, summary.added) + tiles(.changed, summary.changed + summary.moved)
        let told = files(.added, documents.added) + files(.changed, documents.changed)
        return news + told + files(.removed, summary.removed + documents.removed)
    }

    /// The address of a file of a tileset.
    ///
    /// - Parameter base: where the tileset is on the web; nil if that is not known.
    package static func address(of path: String, below base: String?) -> String {
        TilesetMetadata.joined(base, TilesetMetadata.escaped(path))
    }

    /// The change of a file that is new, or whose contents differ.
    package static func change(_ path: String, isNew: Bool, below base: String?) -> AddressChange {
        AddressChange(isNew ? .added : .changed, address(of: path, below: base))
    }

    /// The changes of a run that only removes.
    package static func changes(changed: [String] = [], removed: [String]) -> [AddressChange] {
        changed.map { AddressChange(.changed, $0) } + removed.map { AddressChange(.removed, $0) }
    }
}
