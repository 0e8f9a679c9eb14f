import Platform
import Raster
import Synchronization

/// What the files of images tell before their pixels are read. A file is read again only if it, or one next to
/// it, has changed: each page of a document needs a renderer for that. Safe to share.
final class ImageHeads: Sendable {
    private struct Seen<Value: Sendable>: Sendable {
        let value: Value
        let stamps: [String: FileStamp?]
    }

    private struct State: Sendable {
        var infos: [ImageRequest: Seen<RasterInfo>] = [:]
        var positions: [ImageRequest: Seen<Bool>] = [:]
    }

    private let state = Mutex(State())

    /// The image as its file holds it.
    ///
    /// - Throws: a `Failure` if it cannot be read.
    func info(of image: ImageRequest) throws -> RasterInfo {
        var image = image
        image.crop = nil
        // Positions do not change it.
        let dpi = image.position.dpi
        image.position = PositionRequest()
        image.position.dpi = dpi
        let stamps = Self.stamps(nextTo: image.path)
        if let seen = state.withLock({ $0.infos[image] }), seen.stamps == stamps { return seen.value }
        let info = try image.fileInfo()
        state.withLock { $0.infos[image] = Seen(value: info, stamps: stamps) }
        return info
    }

    /// Whether the file of an image, or one next to it, has a position.
    func hasPosition(_ image: ImageRequest) -> Bool {
        var image = image
        image.crop = nil
        let stamps = Self.stamps(nextTo: image.path)
        if let seen = state.withLock({ $0.positions[image] }), seen.stamps == stamps { return seen.value }
        var isFound = true
        do { _ = try PlacedImage(image) } catch {
            isFound = false
            // If the request was cancelled, or no renderer could start, the next one asks again.
            guard let failure = error as? Failure, [.missingInput, .badInput].contains(failure.kind) else {
                return false
            }
        }
        state.withLock { $0.positions[image] = Seen(value: isFound, stamps: stamps) }
        return isFound
    }

    /// The state of a file, and of those whose names begin like its own.
    private static func stamps(nextTo path: String) -> [String: FileStamp?] {
        let (folder, name) = path.splitPath
        let stem = name.splitExtension.stem
        let names = (try? Directory.open(folder)?.names()) ?? []
        return Dictionary(
            uniqueKeysWithValues: names.filter { $0.hasPrefix(stem) }
                .map { ($0, FileStamp(folder.path(of: $0))) })
    }
}
