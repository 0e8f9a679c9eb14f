import Platform
import Raster
import Tilesets
import Tiling

// What the guide writes: the manifest, and the files of passwords.

/// The floors of a building, as the page of the first step sends them.
package struct PagesChange: Decodable, Sendable {
    /// A page that is a floor.
    struct Floor: Decodable {
        let id: String
        let floor: String
        let label: String
        let ordinal: Int
        let isDefault: Bool
        /// Left, top, width and height in pixels.
        let crop: [Int]?
    }

    /// The state of the manifest that the page knows.
    let revision: String
    let name: String?
    let floors: [Floor]
}

/// The failure if the manifest was changed by another program, or in another window.
package struct ManifestChanged: Error {}

extension PlanProject {
    /// The first lines of a manifest that the guide begins.
    static let comments = [
        "The floors of a building and where they are, for tilewright.",
        "'tilewright open' changes this file, and keeps what others write into it.",
    ]

    /// Writes the floors into the manifest. Floors that consist of several images stay as they are.
    ///
    /// - Throws: `ManifestChanged`; a `Failure`: `usage` if the floors contradict each other, `outputRefused`
    ///   or `inputOutput` if the manifest cannot be written. The manifest is then as it was.
    package func change(_ change: PagesChange) throws {
        try exclusively {
            let old = try manifestBytes()
            guard revision(of: old, (try? files()) ?? []) == change.revision else { throw ManifestChanged() }
            if change.floors.isEmpty {
                throw Failure(.usage, "a building needs at least one floor", remedy: "choose a page")
            }
            var text = try manifestText(old)
            let name = change.name.map { $0[...].trimmed } ?? ""
            text["name"] = name.isEmpty ? nil : String(name)
            text["output"] = text["output"] ?? Self.standardOutput
            let known = text.floors.map(\.page)
            text.floors = try floors(change, of: text, try building())
            lowerPoints(of: &text, for: text.floors.filter { !known.contains($0.page) })
            try write(text)
        }
    }

    /// Points at the top would replace the own position of a plan that is new: they move down to the floors that
    /// share them.
    private func lowerPoints(of text: inout ManifestText, for new: [ManifestText.Floor]) {
        let placed = new.filter { floor in
            var image = ImageRequest(resolved(floor["image"] ?? ""))
            image.page = floor["page"].flatMap { Int($0) }
            image.passwordFile = floor["password-file"].map(resolved)
            return heads.hasPosition(image)
        }.map(\.page)
        guard !placed.isEmpty, text["gcps"] != nil else { return }
        for key in ["gcps", "transform", "scale"] {
            for index in text.floors.indices where !placed.contains(text.floors[index].page) {
                let isOwn =
                    text.floors[index].has(Self.whereKeys) && text.floors[index]["gcps"] != text["gcps"]
                if !isOwn { text.floors[index][key] = text.floors[index][key] ?? text[key] }
            }
            text[key] = nil
        }
    }

    private func floors(
        _ change: PagesChange, of text: ManifestText, _ building: BuildingRequest?
    ) throws -> [ManifestText.Floor] {
        let owners = try owners(of: building)
        var open = Set(owners.indices)
        var found: [(old: Int?, floor: ManifestText.Floor)] = []
        let sheets = Dictionary(try sheets().map { ($0.id, $0) }) { first, _ in first }
        for floor in change.floors {
            guard let sheet = sheets[floor.id] else {
                throw Failure(
                    .usage, "the page '\(floor.id.excerpt())' does not exist any more",
                    remedy: "reload the page")
            }
            let old = owners.indices.first { open.contains($0) && owners[$0] == sheet.id }
            if let old { open.remove(old) }
            var written = old.map { text.floors[$0] } ?? ManifestText.Floor()
            let image = old.flatMap { building?.floors[$0].build.images[0] }
            try write(floor, sheet, old: image, of: text, to: &written)
            found.append((old, written))
        }
        // The page shows one floor for each page that can be read. It does not know the others.
        let shown = Set(owners.compactMap(\.self).compactMap(owners.firstIndex))
        found += open.subtracting(shown).map { (old: $0, floor: text.floors[$0]) }
        // Floors keep their places in the text; new ones follow, from the lowest.
        let kept = found.filter { $0.old != nil }.sorted { $0.old ?? 0 < $1.old ?? 0 }
        let new = found.filter { $0.old == nil }.sorted { $0.floor.rank < $1.floor.rank }
        return (kept + new).map(\.floor)
    }

    /// The names of the pages that are the floors of the manifest; nil for floors of several images, and for
    /// those whose page cannot be read.
    private func owners(of building: BuildingRequest?) throws -> [String?] {
        let pages = Dictionary(try sheets().map { (PageKey($0.image), $0.id) }) { first, _ in first }
        return (building?.floors ?? []).map { floor in floor.pageKey.flatMap { pages[$0] } }
    }

    /// Writes what the page says about a floor. What means the same already stays as it is written.
    ///
    /// - Parameter image: the floor's image, as the manifest has it; nil if the floor is new.
    private func write(
        _ floor: PagesChange.Floor, _ sheet: Sheet, old image: ImageRequest?, of text: ManifestText,
        to written: inout ManifestText.Floor
    ) throws {
        let name = written["floor"]
        written["floor"] = floor.floor
        if written["label"] ?? name != floor.label || name != floor.floor {
            written["label"] = floor.label.isEmpty || floor.label == floor.floor ? nil : floor.label
        }
        if Int(written["ordinal"] ?? name ?? "") != floor.ordinal || name != floor.floor {
            written.set("ordinal", Int(floor.floor) == floor.ordinal ? nil : "\(floor.ordinal)")
        }
        if (written["default"] == "true") != floor.isDefault {
            written.set("default", floor.isDefault ? "true" : nil)
        }
        if image == nil {
            written["image"] = self.written(sheet.image.path)
            written["page"] = (sheet.image.page ?? (text.has("page") ? 1 : nil)).map(String.init)
        }
        if sheet.image.passwordFile != image?.passwordFile {
            written["password-file"] = sheet.image.passwordFile.map(self.written)
        }
        let whole = PixelWindow(columns: 0..<sheet.page.width, rows: 0..<sheet.page.height)
        let old = image.map { $0.crop ?? whole } ?? (text.has("crop") ? nil : whole)
        let frame = try Self.frame(floor, within: whole)
        if frame != old {
            // The whole page has no frame, unless that would mean the frame of all floors.
            let value = frame == whole && !text.has("crop") ? nil : frame.list
            written.set("crop", value.map { "[\($0.map(String.init).joined(separator: ", "))]" })
        }
    }

    private static func frame(_ floor: PagesChange.Floor, within page: PixelWindow) throws -> PixelWindow {
        guard let crop = floor.crop else { return page }
        guard crop.count == 4, crop[0] >= 0, crop[1] >= 0, crop[2] > 0, crop[3] > 0,
            crop[0] <= page.width - crop[2], crop[1] <= page.height - crop[3]
        else {
            throw Failure(.usage, "the frame of floor '\(floor.floor.excerpt())' reaches beyond its page")
        }
        return PixelWindow(columns: crop[0]..<crop[0] + crop[2], rows: crop[1]..<crop[1] + crop[3])
    }

    /// The text to change: that of the manifest, or a new one.
    func manifestText(_ bytes: [UInt8]?) throws(Failure) -> ManifestText {
        guard let bytes else { return ManifestText(comments: Self.comments) }
        do throws(Failure) { return try ManifestText(parsing: bytes) } catch {
            throw Failure(error.kind, "\(manifest):\(error.message)", remedy: error.remedy)
        }
    }

    /// Replaces the manifest, whole or not at all, if the new one can be read.
    func write(_ text: ManifestText) throws {
        let bytes = text.bytes
        if bytes.count > ManifestFile.largest {
            throw Failure(
                .usage, cannot: "write '\(manifest)'",
                "it would be larger than \(ManifestFile.largest >> 20) MiB, too large for a manifest",
                remedy: "shorten the names of the floors")
        }
        guard case .building(let building) = try Manifest(parsing: bytes, as: manifest) else {
            throw Failure(.usage, "a building needs at least one floor")
        }
        try building.check()
        try OutputFile.write(bytes, to: manifest, isTyped: isTyped)
    }

    /// Keeps the password of a plan in a file beside it that only its owner can read, if it is right.
    ///
    /// - Returns: false if it is wrong.
    /// - Throws: a `Failure` if there is no such plan, or if the file cannot be written.
    package func setPassword(_ password: String, of name: String) throws -> Bool {
        guard let file = try files().first(where: { written($0.path) == name }) else {
            throw Failure(.usage, "there is no plan '\(name.excerpt())'", remedy: "reload the page")
        }
        let path = Self.passwordPath(of: file.path)
        try checkMayWrite(path, remedy: naming(file.path))
        do {
            try replace(path, with: password.prefix { !$0.isNewline } + "\n", mode: 0o600) {
                _ = try SheetFile(file.path, passwordFile: $0)
            }
        } catch {
            if (error as? Failure)?.asksForPassword == true { return false }
            throw (error as? SystemError)?.failure("write '\(path)'") ?? error
        }
        return true
    }

    /// Replaces a file, if its new contents pass a check.
    ///
    /// - Parameters:
    ///   - mode: the permissions of a new file; nil for the usual ones.
    ///   - check: gets the path of a file with the new contents.
    func replace(
        _ path: String, with text: String, mode: mode_t? = nil, checking check: (String) throws -> Void
    ) throws {
        let (parent, name) = path.splitPath
        guard let directory = try Directory.open(parent) else {
            throw Failure(.outputRefused, "cannot write '\(path)': there is no folder '\(parent)'")
        }
        let trial = try TemporaryFile(replacing: name, in: directory)
        do {
            if let mode { trial.file.withNumber { _ = fchmod($0, mode) } }
            try trial.file.write(Array(text.utf8))
            try check(trial.path)
        } catch {
            trial.discard()
            throw error
        }
        try trial.publish()
    }
}

extension ManifestText.Floor {
    /// The page that it is.
    fileprivate var page: [String] { [self["image"] ?? "", self["page"] ?? "1"] }

    /// The place among the floors.
    fileprivate var rank: Int { Int(self["ordinal"] ?? self["floor"] ?? "") ?? 0 }
}

extension PixelWindow {
    /// Left, top, width and height.
    package var list: [Int] { [columns.lowerBound, rows.lowerBound, width, height] }
}
