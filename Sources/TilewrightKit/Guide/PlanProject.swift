import Platform
import Publishing
import Synchronization
import Tilesets

/// A building that is made step by step: the plans, the manifest beside them, and what the manifest names.
///
/// Everything is in these files, so a project can be closed at any time, and changed by other programs. Safe
/// to share; methods read and write files, and may take as long as a renderer needs to open a document.
package final class PlanProject: Sendable {
    private struct State {
        /// The plans that were seen, in the order of the numbers in the names of their pages. A plan that the
        /// manifest names no more stays, so that its pages keep their names, and can be chosen again.
        var plans: [Plan] = []
        /// The files of plans, by path.
        var files: [String: PlanFile] = [:]
    }

    /// A path to a plan, and its file's only name.
    private struct Plan {
        let path: String
        let name: [String]
    }

    /// The path of the manifest.
    package let manifest: String
    /// Plans that the user named, beside those of the manifest.
    private let named: [String]
    /// Whether the user named the manifest.
    let isTyped: Bool
    let heads = ImageHeads()
    private let state = Mutex(State())
    private let changing = Mutex(())

    /// The name of a manifest that a project begins.
    private static let manifestName = "building.yaml"

    /// Opens a project.
    ///
    /// - Parameter plans: PDF, SVG, CAD or image files; or a manifest, which may have plans after it; or nothing: then
    ///   the working folder's manifest, and all plans in that folder if the guide begins or began the manifest.
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
        isTyped = !manifests.isEmpty
        let first = manifests.first ?? others.first
        let folder = first.map { $0.splitPath.directory } ?? "."
        manifest = manifests.first ?? (folder == "." ? Self.manifestName : folder.path(of: Self.manifestName))
        named = try first == nil && Self.offersFolder(manifest) ? Self.plans(in: folder) : others
        try check()
        if named.isEmpty, FileStatus(at: manifest) == nil {
            throw Failure(
                .missingInput, "there is no plan in this folder",
                remedy: "name the plans, such as: tilewright open plans.pdf")
        }
    }

    private static func notFile(_ path: String) -> Failure {
        Failure(
            .missingInput, cannot: "open '\(path)'",
            FileStatus(at: path) == nil ? "there is no such file" : "it is not a file",
            remedy: "name PDF, SVG, CAD or image files, or a manifest")
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

    /// Whether the plans of a manifest's folder are offered, too: if there is no manifest yet, or the guide began
    /// it. Otherwise a plan that was left out once could not be chosen later.
    private static func offersFolder(_ manifest: String) throws -> Bool {
        if FileStatus(at: manifest) == nil { return true }
        guard InputFile.isRegular(manifest),
            let bytes = try WholeFile.found(manifest, atMost: ManifestFile.largest)
        else { return false }
        return bytes.starts(with: "# \(comments[0])\n".utf8)
    }

    /// The plans in a folder, by name: documents, then pictures, such as scans.
    private static func plans(in folder: String) throws -> [String] {
        guard let directory = try Directory.open(folder) else { return [] }
        let names = try directory.names().filter { !$0.hasPrefix(".") }.sorted()
        func files(_ endings: [String]) -> [String] {
            names.filter { name in endings.contains { name.hasEnding($0) } && InputFile.isRegular(name) }
        }
        return files([".pdf", ".svg", ".dxf", ".dwg"])
            + files([".png", ".jpg", ".jpeg", ".tif", ".tiff", ".webp", ".heic", ".avif"])
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
            ? Self.absolute(path)
            : way.joined(separator: "/")
    }

    static func absolute(_ path: String) -> String {
        "/" + CanonicalPath(path).components.joined(separator: "/")
    }

    /// The path, from the working folder, of a file that the manifest names.
    func resolved(_ text: String) -> String {
        text.hasPrefix("/") || folder == "." ? text : folder.path(of: text)
    }

    /// Whether the guide may write to a path, or remove a file there: only below the folders of the manifest
    /// and of the plans that the user has named. Somebody else may have written the manifest.
    func mayWrite(_ path: String) -> Bool {
        ([folder] + named.map(\.parentDirectory)).contains { OutputFile.isInside(path, $0) }
    }

    /// Refuses a path to which the guide may not write.
    func checkMayWrite(_ path: String, remedy: String) throws {
        if mayWrite(path) { return }
        throw Failure(
            .outputRefused, cannot: "write '\(path)'", "it is outside of the folder of '\(manifest)'",
            remedy: remedy)
    }

    /// The way out for a file next to a plan that the user has not named.
    func naming(_ plan: String) -> String {
        "name the plan, too: tilewright open \(ShellWord.quoted(manifest)) \(ShellWord.quoted(plan))"
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
        let files = building.floors.flatMap { floor in
            floor.build.images.flatMap { $0.namedFiles + [$0.passwordFile].compactMap(\.self) }
                + floor.build.pyramid.files
        }
        // The pages ask again and again: each time, a pipe would hold a thread.
        for path in files where FileStatus(at: path)?.kind == .other {
            throw Failure(
                .missingInput, cannot: "read '\(path)'", SystemError.notRegular.text,
                remedy: "name a file in '\(manifest)'")
        }
        return building
    }

    /// The state of the manifest and of the list of plans, which changes with each change of them.
    func revision(of bytes: [UInt8]?, _ files: [PlanFile]) -> String {
        let names = files.map { written($0.path) + "\0" }.joined()
        return ContentHash(of: (bytes ?? []) + Array(names.utf8)).hex
    }
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

        /// Whether the result is that of the file, and not of a renderer that could not start, for example.
        var isKnown: Bool { sheets.failure.map { $0.kind == .badInput } ?? true }
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
        let found = (named + images.map(\.path)).map { Plan(path: $0, name: CanonicalPath($0).components) }
        let (plans, known) = state.withLock { state in
            var seen = Set(state.plans.map(\.name))
            state.plans += found.filter { seen.insert($0.name).inserted }
            return (state.plans, state.files)
        }
        let used = Dictionary(images.map { (CanonicalPath($0.path).components, $0) }) { first, _ in first }
        let files = try plans.map { plan in
            let path = plan.path, password = used[plan.name]?.passwordFile ?? ownPassword(of: path)
            let stamps = [FileStamp(path), password.flatMap { FileStamp($0) }]
            if let old = known[path], old.stamps == stamps, old.isKnown { return old }
            let sheets = Result<SheetFile, Failure>.ofFloor {
                // Opening a pipe would wait for a writer.
                if !InputFile.isRegular(path) { throw Self.notFile(path) }
                return try SheetFile(path, passwordFile: password)
            }
            try Task.checkCancellation()
            return PlanFile(path: path, passwordFile: password, sheets: sheets, stamps: stamps)
        }
        state.withLock { state in for file in files { state.files[file.path] = file } }
        return files
    }

    /// Whether a floor has a position.
    func isPlaced(_ floor: FloorRequest) -> Bool {
        floor.build.images.allSatisfy { $0.position.source != .files || heads.hasPosition($0) }
    }

    /// Reads side by side what `shown` and other methods read image by image.
    ///
    /// - Throws: a `Failure` if the manifest cannot be read.
    package func prepare() async throws {
        let images = try building()?.floors.flatMap(\.build.images).filter { $0.position.source == .files }
        _ = await (images ?? []).concurrentMap(atMost: BuildResources().effectiveJobs) { [heads] in
            heads.hasPosition($0)
        }
    }

    /// Reads whether a page has its own position before all floors are asked at once.
    package func prepare(_ sheet: Sheet) {
        var image = sheet.image
        image.position = PositionRequest()
        _ = heads.hasPosition(image)
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
        guard let number = Int(id.prefix { $0 != "-" }), number >= 0 else { return nil }
        let known = state.withLock { state in
            number < state.plans.count ? state.files[state.plans[number].path] : nil
        }
        let file = try known ?? files().dropFirst(number).first
        return file.flatMap { file in sheets(of: file, number: number).first { $0.id == id } }
    }
}
