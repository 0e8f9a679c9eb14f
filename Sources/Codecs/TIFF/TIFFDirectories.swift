import CCodec
import Diagnostics

/// Which directories of a TIFF file belong to its first image.
struct TIFFDirectories {
    /// The image in full.
    let main: cc_tiff_directory
    /// Where the mask's directory stands, if there is one.
    let mask: UInt64?
    /// Smaller versions of the image, the largest first: of the file, or of the one beside it whose
    /// name is longer by `.ovr`. Where the image has a mask, so have they.
    let overviews: [Overview]
    /// Images in full that the file holds.
    let pageCount: Int

    /// A smaller version of an image.
    struct Overview {
        /// How many pixels, along an edge, are one of its pixels.
        var factor: Int
        /// The file that holds it.
        var path: String
        /// Where its directory stands.
        var offset: UInt64
        /// Where the directory of its mask stands.
        var mask: UInt64?
    }

    /// Pages that are looked through; more are as good as none.
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

    /// What the name of a file of overviews adds to that of the image.
    static let overviewExtension = ".ovr"

    /// The directories of the file of overviews; none where there is no such file, or it is damaged,
    /// for nobody needs it.
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

    /// The smaller versions of an image among some directories.
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

    /// The directories of a file, in their order.
    private static func list(_ path: String) throws -> [cc_tiff_directory] {
        var message = cc_message()
        var status = CC_OK
        let list = [cc_tiff_directory](unsafeUninitializedCapacity: mostDirectories) {
            status = cc_tiff_list(path, $0.baseAddress, $0.count, &$1, &message)
        }
        try status.check("cannot read '\(path)'", message)
        guard !list.isEmpty else {
            preconditionFailure("cc_tiff_list found nothing to complain of")
        }
        return list
    }

    /// The whole number by which an image was reduced to another, both edges rounded up.
    private static func factor(
        of small: cc_tiff_directory, in main: cc_tiff_directory
    ) -> Int? {
        let (width, height) = (Int(main.width), Int(main.height))
        guard small.width > 0, small.height > 0 else { return nil }
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
    /// Whether it is an image in full of the file's chain.
    fileprivate var isPage: Bool { !isReduced && !isMask && !is_child }

    fileprivate func hasSize(of other: cc_tiff_directory) -> Bool {
        width == other.width && height == other.height
    }

    fileprivate func isLike(_ other: cc_tiff_directory) -> Bool {
        samples == other.samples && bits == other.bits && photometric == other.photometric
    }
}
