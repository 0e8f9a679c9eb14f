import Codecs
import Georeferencing
import Platform
import Stores
import Synchronization

/// Images on other machines: their names are addresses.
package enum FarSources {
    /// The queries of addresses, which may be secrets, by the addresses without them. Messages, reports and
    /// files only ever have these names.
    private static let queries = Mutex<[String: StoreAddress]>([:])
    /// The folder of scratch files.
    private static let scratch = Mutex<String?>(nil)
    /// The bytes of a file that are fetched to learn its size and version: those in which the directories of
    /// most TIFFs are.
    private static let headSize = 1 << 16

    /// The name of a source: of an address, without the query, which is remembered.
    package static func name(_ source: String) -> String {
        guard FarFiles.isAddress(source), let address = StoreAddress(source) else { return source }
        // An address that is refused is kept with what its name leaves out, so that it still is when it is opened.
        let isRefused = (try? address.check()) == nil
        if address.hasQuery || isRefused { queries.withLock { $0[address.title] = address } }
        return address.title
    }

    /// Whether the address of a source had a query: other processes cannot read it by its name.
    package static func hasQuery(_ name: String) -> Bool { queries.withLock { $0[name] != nil } }

    /// Sets the folder of scratch files, for files that are opened from now on.
    static func useScratch(in folder: String?) {
        scratch.withLock { $0 = folder ?? ImageContent.temporaryDirectory }
    }

    /// Opens the images that are on other machines, and looks for the files next to them. After that, their
    /// addresses are paths like any other.
    ///
    /// - Throws: `.usage` for an address that is refused; `.missingInput`, `.badInput`, `.inputOutput`.
    static func open(_ images: [ImageRequest]) throws {
        let far = images.filter { FarFiles.isAddress($0.path) }
        if far.isEmpty { return }
        for image in far { try address(of: image.path).check() }
        FarFiles.use { path, isOptional in try file(at: path, isOptional: isOptional) }
        FarFiles.look(for: far.map(\.path), and: far.flatMap(neighbours))
        for image in far {
            do throws(SystemError) { _ = try FarFiles.open(image.path) } catch {
                throw InputFile.unreadable(image.path, error)
            }
        }
        try Task.checkCancellation()
    }

    /// The files next to an image that may describe it. Of names that differ by case, one is looked for.
    private static func neighbours(of image: ImageRequest) -> [String] {
        let path = image.path
        let (stem, fileExtension) = path.splitExtension
        let isUpper = fileExtension == fileExtension.uppercased()
        let worldFiles = WorldFile.candidates(nextTo: path).filter {
            let ending = $0.splitExtension.fileExtension
            return ending == (isUpper ? ending.uppercased() : ending.lowercased())
        }
        return worldFiles + [stem + (isUpper ? ".PRJ" : ".prj"), path + ".aux.xml"]
            + Set([1, image.pageNumber]).map { QGISPoints.path(nextTo: path, page: $0) } + [stem + ".points"]
            + ImageFile.neighbours(of: path)
    }

    private static func address(of path: String) -> StoreAddress {
        queries.withLock { $0[path] } ?? StoreAddress(path).unwrapped("it is an address")
    }

    private static func file(at path: String, isOptional: Bool) throws -> (any FarFile)? {
        let address = address(of: path)
        try address.check()
        let store = try Store.shared()
        guard let opened = try store.open(address, first: headSize, isOptional: isOptional) else {
            return nil
        }
        let copy = try makeCopy()
        let version = opened.version
        guard opened.supportsRanges, version.isKnown else {
            let whole = try store.download(address, atMost: FarFiles.largestWhole, to: copy.file)
            return StoreFile(whole: copy, size: whole.size, version: whole.isKnown ? whole.text : nil)
        }
        return try StoreFile(size: version.size, head: opened.head, version: version.text, scratch: copy) {
            try store.read($0, of: address, version: version, into: $1)
        }
    }

    private static func makeCopy() throws -> ReadableScratchFile {
        let folder = scratch.withLock { $0 } ?? ImageContent.temporaryDirectory
        do throws(SystemError) { return try ReadableScratchFile(in: folder) } catch {
            throw error.failure("make a scratch file in '\(folder)'")
        }
    }
}
