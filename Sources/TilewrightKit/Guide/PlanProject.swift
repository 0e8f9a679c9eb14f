import Platform
import Publishing
import Synchronization
import Tilesets

/// A building that is made step by step: the plans, the manifest beside them, and what the manifest names.
///
/// Everything is in these files, so a project can be closed at any time, and changed by other programs. Safe
/// to share; methods read and write files, and may take as long as a renderer needs to open a document.
package final class PlanProject: Sendable {
    /// The plans, as far as they are known.
    private struct State {
        var files: [PlanFile]
        /// The manifest that the list of files belongs to.
        var revision: String
    }

    /// The path of the manifest.
    package let manifest: String
    /// Plans that the user named, beside those of the manifest.
    private let named: [String]
    private let state = Mutex(State(files: [], revision: "-"))
    private let changing = Mutex(())

    /// The name of a manifest that a project begins.
    private static let manifestName = "building.yaml"

    /// Opens a project.
    ///
    /// - Parameter plans: PDF, SVG or image files; or a manifest, which may have plans after it; or nothing: then
    ///   the working folder's manifest, or all plans in that folder.
    /// - Throws: `.missingInput` if there is no such file, or no plan; `.usage` if several manifests are named,
    ///   or a manifest of several buildings; what reading a manifest throws.
    package init(_ plans: [String]) throws {
        let manifests = plans.filter(Manifest.isManifest)
        if manifests.count > 1 {
            throw Failure(
                .usage, "'\(manifests[0])' and '\(manifests[1])' are both manifests",
                remedy: "open one building at a time")
        }
        let others = plans.filter { !Manifest.isManifest($0) }
        for path in plans where !InputFile.isRegular(path) {
            // A new manifest is made for plans that are named, too.
            if manifests.contains(path), FileStatus(at: path) == nil, !others.isEmpty { continue }
            throw Self.notFile(path)
        }
        let first = manifests.first ?? others.first
        let folder = first.map { $0.splitPath.directory } ?? "."
        manifest = manifests.first ?? (folder == "." ? Self.manifestName : folder.path(of: Self.manifestName))
        named = first == nil && FileStatus(at: manifest) == nil ? try Self.plans(in: folder) : others
        try check()
        if named.isEmpty, FileStatus(at: manifest) == nil {
            throw Failure(
                .missingInput, "there is no plan in this folder, and no manifest",
                remedy: "name the plans, such as: tilewright open plans.pdf")
        }
    }

    private static func notFile(_ path: String) -> Failure {
        Failure(
            .missingInput, cannot: "open '\(path)'",
            FileStatus(at: path) == nil ? "there is no such file" : "it is not a file",
            remedy: "name PDF, SVG or image files, or a manifest")
    }

    /// Refuses a manifest that the guide cannot change.
    private func check() throws {
        guard FileStatus(at: manifest) != nil else { return }
        if !InputFile.isRegular(manifest) { throw Self.notFile(manifest) }
        if case .campus = try Manifest(contentsOf: manifest) {
            throw Failure(
                .usage, cannot: "open '\(manifest)'", "it lists several buildings",
                remedy: "open the manifest of one of them")
        }
    }

    /// The plans in a folder, by name. Pictures count only if there is no document.
    private static func plans(in folder: String) throws -> [String] {
        guard let directory = try Directory.open(folder) else { return [] }
        let names = try directory.names().filter { !$0.hasPrefix(".") }.sorted()
        func files(_ endings: [String]) -> [String] {
            names.filter { name in endings.contains { name.hasEnding($0) } && InputFile.isRegular(name) }
        }
        let documents = files([".pdf", ".svg"])
        return documents.isEmpty
            ? files([".png", ".jpg", ".jpeg", ".tif", ".tiff", ".webp", ".heic", ".avif"]) : documents
    }

    /// Makes a change while no other one is made.
    func exclusively<Result>(_ change: () throws -> Result) rethrows -> Result {
        try changing.withLock { _ in try change() }
    }

    /// The folder of the manifest.
    package var folder: String { manifest.splitPath.directory }

    /// The path of a file, as the manifest writes it.
    func written(_ path: String) -> String {
        let way = RelativePath.components(from: folder, to: path)
        return way.first == ".."
            ? "/" + CanonicalPath(path).components.joined(separator: "/")
            : way.joined(separator: "/")
    }

    /// The path, from the working folder, of a file that the manifest names.
    func resolved(_ text: String) -> String {
        text.hasPrefix("/") || folder == "." ? text : folder.path(of: text)
    }

    /// The bytes of the manifest; nil if there is none yet.
    func manifestBytes() throws -> [UInt8]? {
        try WholeFile.found(manifest, atMost: ManifestFile.largest)
    }

    /// The building of the manifest; nil if there is no manifest yet.
    func building() throws -> BuildingRequest? {
        guard FileStatus(at: manifest) != nil else { return nil }
        // Opening a pipe would wait for a writer.
        if !InputFile.isRegular(manifest) { throw Self.notFile(manifest) }
        guard case .building(let building) = try Manifest(contentsOf: manifest) else { return nil }
        return building
    }

    /// The state of the manifest, which changes with each change of it.
    static func revision(of bytes: [UInt8]?) -> String { bytes.map { ContentHash(of: $0).hex } ?? "" }
}

// The plans

extension PlanProject {
    /// A plan, with its pages.
    struct PlanFile {
        let path: String
        /// The file of its password, if it was given.
        let passwordFile: String?
        let sheets: Result<SheetFile, Failure>
        /// The state of the file and its password when it was read.
        let stamps: [FileStamp?]
    }

    /// A page of a plan.
    package struct Sheet: Sendable {
        /// Its name in addresses: numbers of the file and the page.
        package let id: String
        /// The request for its picture.
        package let image: ImageRequest
        let page: SheetFile.Page
    }

    /// The plans of the manifest and those that were named. A file is read again only if it has changed.
    func files() throws -> [PlanFile] {
        let images = try building()?.floors.flatMap(\.build.images) ?? []
        let names = (named + images.map(\.path)).map { (path: $0, name: CanonicalPath($0).components) }
        var seen: Set<[String]> = []
        let plans = names.filter { seen.insert($0.name).inserted }
        let used = Dictionary(zip(names.dropFirst(named.count).map(\.name), images)) { first, _ in first }
        let known = Dictionary(state.withLock { $0.files }.map { ($0.path, $0) }) { first, _ in first }
        let files = plans.map { path, name in
            let password = used[name]?.passwordFile ?? ownPassword(of: path)
            let stamps = [FileStamp(path), password.flatMap { FileStamp($0) }]
            if let old = known[path], old.stamps == stamps { return old }
            let sheets = Result<SheetFile, Failure>.ofFloor { try SheetFile(path, passwordFile: password) }
            return PlanFile(path: path, passwordFile: password, sheets: sheets, stamps: stamps)
        }
        state.withLock { $0.files = files }
        return files
    }

    /// The file in which the guide keeps the password of a plan, if there is one.
    private func ownPassword(of path: String) -> String? {
        let file = Self.passwordPath(of: path)
        return InputFile.isRegular(file) ? file : nil
    }

    static func passwordPath(of plan: String) -> String { plan + ".password" }

    /// The pages of a plan.
    func sheets(of file: PlanFile, number: Int) -> [Sheet] {
        guard let sheets = try? file.sheets.get() else { return [] }
        return sheets.pages.filter { $0.width > 0 && $0.height > 0 }.map { page in
            var image = ImageRequest(file.path)
            image.page = page.number > 1 ? page.number : nil
            image.passwordFile = file.passwordFile
            // Points of the guide, and so crops, count pixels as the file stores them.
            image.position.source = .pointsFile(commonPoints)
            return Sheet(id: "\(number)-\(page.number)", image: image, page: page)
        }
    }

    /// The pages of all plans that can be read.
    func sheets() throws -> [Sheet] {
        try files().enumerated().flatMap { sheets(of: $1, number: $0) }
    }

    /// A page by its name in addresses; nil if there is none.
    package func sheet(_ id: String) throws -> Sheet? {
        let files = state.withLock { $0.files }
        guard let number = Int(id.prefix { $0 != "-" }) else { return nil }
        let all = files.isEmpty ? try self.files() : files
        return all.indices.contains(number)
            ? sheets(of: all[number], number: number).first { $0.id == id } : nil
    }
}
