import CCodec
import Platform

/// The directories of a TIFF file that belong to one of its pages: a full image of the file's chain, and the
/// overviews and masks that follow it.
struct TIFFDirectories {
    /// The image in full.
    let main: cc_tiff_directory
    /// The mask of transparent pixels; nil if there is none.
    let mask: Mask?
    /// Smaller versions of the image, the largest first, from the file or from the `.ovr` file next to
    /// it. If the image has a mask, so has each of them.
    let overviews: [Overview]
    /// The number of full images in the file.
    let pageCount: Int

    /// A smaller version of an image.
    struct Overview {
        /// The number of image pixels, along an edge, per pixel of the overview.
        var factor: Int
        /// The file that holds it.
        var path: String
        /// The offset of its directory.
        var offset: UInt64
        /// Its mask; nil if there is none.
        var mask: Mask?
    }

    /// A directory whose one sample says which pixels are transparent.
    struct Mask {
        /// The file that holds it; nil for the one that holds the image.
        var path: String?
        /// The offset of its directory.
        var offset: UInt64
        /// The least value that is opaque; 0 for the largest of the samples' type.
        var opaque = 0
    }

    /// The maximum number of directories that are read; any further ones are ignored.
    private static let mostDirectories = 1024

    /// Reads the directories of a file.
    ///
    /// - Parameter isMasked: whether to look for a mask in a file next to it.
    /// - Throws: a `Failure` if the file cannot be read or there is no such page.
    init(_ image: ImageReference, isMasked: Bool = true) throws {
        let path = image.path
        let all = try Self.list(path, title: "'\(image.fileName)'")
        // Baseline TIFF: the first image is the main one, unless it says that it is not.
        let pages = Self.pages(among: all)
        pageCount = pages.count
        guard pages.indices.contains(image.page - 1) else { throw Self.missing(image, of: pages.count) }
        let main = all[pages[image.page - 1]]
        let own = Self.directories(following: image.page - 1, of: pages, among: all)
        self.main = main
        let inside = own.first { $0.isMask && !$0.isReduced && $0.hasSize(of: main) }
            .map { Mask(offset: $0.offset) }
        // GDAL, too, prefers the one inside.
        let maskFile = inside == nil && isMasked ? try MaskFile(nextTo: image) : nil
        try maskFile?.check(width: main.width, height: main.height)
        let mask = inside ?? maskFile?.mask
        self.mask = mask
        // The file of overviews belongs to the first page.
        let others = image.page == 1 ? try Self.listOverviewFile(path) : []
        overviews =
            (Self.overviews(in: own, of: main, path: path)
            + Self.overviews(in: others, of: main, path: path + Self.overviewExtension))
            .map { maskFile?.masking($0) ?? $0 }
            .filter { ($0.mask == nil) == (mask == nil) }
            .sorted { $0.factor < $1.factor }
    }

    /// The indices of the pages among the directories of a file, at least one.
    private static func pages(among all: [cc_tiff_directory]) -> [Int] {
        let pages = all.indices.filter { all[$0].isPage }
        return pages.isEmpty ? [0] : pages
    }

    /// The directories between a page and the next one.
    ///
    /// GDAL appends its overviews of the first page after all pages. So overviews after the last page are not
    /// the last page's, unless the pages before it have some, too.
    private static func directories(
        following page: Int, of pages: [Int], among all: [cc_tiff_directory]
    ) -> [cc_tiff_directory] {
        let isLast = page == pages.count - 1
        let isAppended = isLast && page > 0 && pages[page] == pages[0] + page
        if isAppended { return all[(pages[page] + 1)...].prefix(while: \.is_child).map(\.self) }
        return Array(all[(pages[page] + 1)..<(isLast ? all.endIndex : pages[page + 1])])
    }

    private static func missing(_ image: ImageReference, of count: Int) -> Failure {
        let pages = count == 1 ? "one page" : "\(count) pages"
        return Failure(
            .badInput, cannot: "read \(image.title)", "the file has \(pages)",
            remedy: count == 1 ? "leave --page out" : "ask for one of them with --page")
    }

    /// The suffix that a file of overviews adds to the image's name.
    static let overviewExtension = ".ovr"

    /// The file of overviews next to a file; none if it cannot be read.
    static func overviewFiles(of path: String) throws -> [String] {
        let overviews = path + overviewExtension
        do { _ = try FileHead(path: overviews) } catch let failure as Failure {
            if failure.isOfSystem { throw failure }
            return []
        }
        return [overviews]
    }

    /// The directories of the file of overviews; none if it is damaged, too: the image can be read without
    /// it.
    private static func listOverviewFile(_ path: String) throws -> [cc_tiff_directory] {
        do {
            return try overviewFiles(of: path).flatMap { try list($0, title: "'\($0)'") }
        } catch let failure as Failure {
            if failure.isOfSystem { throw failure }
            return []
        }
    }

    /// The overviews of an image among some directories.
    private static func overviews(
        in directories: [cc_tiff_directory], of main: cc_tiff_directory, path: String
    ) -> [Overview] {
        directories.filter { !$0.isMask && $0.isLike(main) }.compactMap { small in
            factor(of: small, in: main).map { factor in
                Overview(
                    factor: factor, path: path, offset: small.offset,
                    mask: directories.first { $0.isMask && $0.hasSize(of: small) }
                        .map { Mask(offset: $0.offset) })
            }
        }
    }

    /// The directories of a file, in their order, at least one.
    private static func list(_ path: String, title: String) throws -> [cc_tiff_directory] {
        let file = try TIFFFile(path)
        var message = cc_message()
        var status = CC_OK
        let list = [cc_tiff_directory](unsafeUninitializedCapacity: mostDirectories) {
            status = cc_tiff_list(file.path, file.log?.handle, $0.baseAddress, $0.count, &$1, &message)
        }
        try file.reporting { try status.check("cannot read \(title)", message) }
        return list
    }

    /// The whole number by which the image was reduced, both edges rounded up; nil if there is none.
    private static func factor(
        of small: cc_tiff_directory, in main: cc_tiff_directory
    ) -> Int? {
        let (width, height) = (Int(main.width), Int(main.height))
        // The longer edge tells the factor best.
        let ratio =
            width >= height
            ? Double(width) / Double(small.width) : Double(height) / Double(small.height)
        return [Int(ratio.rounded()), Int(ratio.rounded()) + 1, Int(ratio.rounded()) - 1].first {
            $0 >= 2 && (width + $0 - 1) / $0 == small.width
                && (height + $0 - 1) / $0 == small.height
        }
    }
}

extension cc_tiff_directory {
    fileprivate var isReduced: Bool { subfile_type & 1 != 0 }
    fileprivate var isMask: Bool { subfile_type & 4 != 0 }
    /// Whether it is a full image in the file's main chain.
    fileprivate var isPage: Bool { !isReduced && !isMask && !is_child }

    fileprivate func hasSize(of other: cc_tiff_directory) -> Bool {
        width == other.width && height == other.height
    }

    fileprivate func isLike(_ other: cc_tiff_directory) -> Bool {
        samples == other.samples && bits == other.bits && photometric == other.photometric
    }
}
