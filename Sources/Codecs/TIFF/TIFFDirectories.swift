import CCodec
import Diagnostics

/// Which directories of a TIFF file belong to its first image.
struct TIFFDirectories {
    /// The image in full.
    let main: cc_tiff_directory
    /// The offset of the mask's directory; nil if there is none.
    let mask: UInt64?
    /// Smaller versions of the image, the largest first, from the file or from the `.ovr` file beside
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
        /// The offset of its mask's directory; nil if there is none.
        var mask: UInt64?
    }

    /// The most directories that are read; any further ones are ignored.
    private static let mostDirectories = 1024

    /// Reads the directories of a file.
    init(path: String) throws {
        let all = try Self.list(path)
        // Baseline TIFF: the first image is the main one, unless it says that it is not.
        let first = all.firstIndex { $0.isPage } ?? 0
        let main = all[first]
        let next = all[(first + 1)...].firstIndex { $0.isPage } ?? all.endIndex
        let own = all[(first + 1)..<next]
        self.main = main
        pageCount = max(1, all.lazy.filter(\.isPage).count)
        let mask = own.first { $0.isMask && !$0.isReduced && $0.hasSize(of: main) }?.offset
        self.mask = mask
        let beside = try Self.listBeside(path)
        overviews =
            (Self.overviews(in: Array(own), of: main, path: path)
            + Self.overviews(in: beside, of: main, path: path + Self.overviewExtension))
            .filter { ($0.mask == nil) == (mask == nil) }
            .sorted { $0.factor < $1.factor }
    }

    /// The suffix that a file of overviews adds to the image's name.
    static let overviewExtension = ".ovr"

    /// The directories of the file of overviews; none if there is no such file, or if it is damaged,
    /// since the image can be read without it.
    private static func listBeside(_ path: String) throws -> [cc_tiff_directory] {
        let overviews = path + overviewExtension
        do {
            _ = try FileHead(path: overviews)
            return try list(overviews)
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
                    mask: directories.first { $0.isMask && $0.hasSize(of: small) }?.offset)
            }
        }
    }

    /// The directories of a file, in their order, at least one.
    private static func list(_ path: String) throws -> [cc_tiff_directory] {
        var message = cc_message()
        var status = CC_OK
        let list = [cc_tiff_directory](unsafeUninitializedCapacity: mostDirectories) {
            status = cc_tiff_list(path, $0.baseAddress, $0.count, &$1, &message)
        }
        try status.check("cannot read '\(path)'", message)
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
