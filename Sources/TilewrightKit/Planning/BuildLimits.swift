import Georeferencing
import Platform
import Raster
import Rendering
import Tiling

/// The limit on the pixels that a build reads and renders.
struct PixelLimits {
    private let limit: Int
    private let isAdjustable: Bool

    /// - Parameter isAdjustable: whether the user can raise the limit.
    init(_ limit: Int, isAdjustable: Bool = true) {
        (self.limit, self.isAdjustable) = (limit, isAdjustable)
    }

    /// Refuses an image with more pixels than the limit.
    func check(width: Int, height: Int) throws {
        try check(Double(width) * Double(height), of: "the image has")
    }

    /// Refuses images that have more pixels than the limit, or would have more at the maximum zoom.
    func check(_ images: [PlacedImage], at matrix: TileMatrix) throws {
        let pixels = images.reduce(0) { $0 + Double($1.fileInfo.width) * Double($1.fileInfo.height) }
        try check(pixels, of: images.count == 1 ? "the image has" : "the images have")
        for image in images { try check(image.mapping, at: matrix) }
    }

    /// Refuses a part of a pyramid if the whole pyramid would have more pixels at its finest zoom.
    func check(_ whole: WholePyramid) throws {
        // The box around the images was rounded outwards.
        let (width, height) = (max(0, whole.window.width - 4), max(0, whole.window.height - 4))
        try check(Double(width) * Double(height), of: "the whole pyramid has")
    }

    /// Refuses more pixels.
    ///
    /// - Parameter subject: the subject and the verb of the message.
    func check(_ pixels: Double, of subject: String) throws {
        if !isAdjustable, pixels > Double(limit) {
            throw Failure(
                .usage,
                "\(subject) \(pixels.countText) pixels, but at most \(Count(limit)) are read",
                remedy: "cut it into parts, and build each into its own OUTPUT")
        }
        try check(
            pixels, "\(subject) \(pixels.countText) pixels", remedy: "raise --max-pixels if you need them all"
        )
    }

    private func check(_ pixels: Double, _ problem: @autoclosure () -> String, remedy: String) throws {
        guard pixels > Double(limit) else { return }
        throw Failure(.usage, "\(problem()), but --max-pixels allows \(Count(limit))", remedy: remedy)
    }

    private func check(_ mapping: ImageMapping, at matrix: TileMatrix) throws {
        guard let box = BoundingBox(around: mapping.outline) else { return }
        let native = "that of zoom " + mapping.nativeZoom(tileSize: matrix.tileSize).text(decimals: 1)
        // Such a zoom is a mistake. Kernels, which grow as the image shrinks, would be unbounded.
        if max(box.width, box.height) < matrix.cellSize {
            throw Failure(
                .usage, "the image is smaller than a pixel at zoom \(matrix.zoom)",
                remedy: "its own resolution is \(native): ask for a higher --zoom, or check its position")
        }
        let pixels = box.width * box.height / (matrix.cellSize * matrix.cellSize)
        let tiles = (pixels / Double(matrix.tileSize * matrix.tileSize)).countText
        try check(
            pixels, "zoom \(matrix.zoom) would have \(pixels.countText) pixels in about \(tiles) tiles",
            remedy: "the image's own resolution is \(native): ask for a lower --zoom, or raise --max-pixels")
    }

    /// Refuses a pyramid whose finest zoom has more pixels than the limit. At a zoom that is rendered near
    /// the image's own scale, the whole box around the images counts. Around a long, thin and turned image,
    /// or around several images, this box is far larger than the images.
    func check(_ pyramid: PyramidPlan) throws {
        guard let finest = pyramid.levels.first, !finest.isWritten || pyramid.layers.count > 1
        else { return }
        let pixels = Double(finest.window.width) * Double(finest.window.height)
        try check(
            pixels,
            "zoom \(pyramid.options.zooms.upperBound) is made from zoom \(finest.matrix.zoom), which would "
                + "have \(pixels.countText) pixels",
            remedy: pyramid.layers.count > 1
                ? "build images that are far apart into separate tilesets, or raise --max-pixels"
                : "cut the image into parts with --crop, or raise --max-pixels")
    }
}

extension BuildSequence {
    /// Fails if the system would not grant the memory; see `PyramidBuilder.checkMemory`.
    func checkMemory(in group: CgroupMemory = .own) throws {
        for builder in builders { try builder.checkMemory(in: group) }
    }
}

extension PyramidBuilder {
    /// Bytes that a decoder may take with any budget: a strip of the largest size that is decoded whole.
    private static let smallDecoder = 64 << 20

    /// Fails if decoders need more than the budget. The data of a decoder cannot go to a scratch file, and a
    /// file of a few kilobytes can ask for any amount of memory.
    ///
    /// - Parameter memory: the bytes of `--memory`.
    /// - Throws: `.usage`.
    func checkDecoders(memory: Int) throws {
        guard decoderBytes > max(memory, Self.smallDecoder) else { return }
        throw Failure(
            .usage,
            "decoding takes \(decoderBytes.byteText) of memory, but --memory allows " + memory.byteText,
            remedy: "raise --memory, or store the image as PNG without interlacing, as baseline "
                + "JPEG, or as TIFF in smaller blocks")
    }

    /// Fails if the system would not grant the memory of a build. The scratch file counts, too, since it
    /// takes virtual memory, which `ulimit -v` limits.
    ///
    /// - Throws: `.systemLimit`.
    func checkMemory(in group: CgroupMemory = .own) throws {
        let resident = residentBytes + BuildResources.baseBytes
        if let bound = group.memory, resident > bound {
            throw Failure(
                .systemLimit,
                "cannot build in \(bound.byteText) of memory, the limit of this process's control group: "
                    + "\(resident.byteText) are needed",
                remedy: "allow the container more, or ask for fewer --jobs and a lower --zoom")
        }
        try MappedMemory.checkMemory(resident + scratchBytes)
    }
}

/// The memory limit that a container or a service manager sets for a group of processes; cgroups(7).
package struct CgroupMemory {
    /// The bytes of memory that the group's processes may use together; nil without a limit.
    package let memory: Int?

    /// The group of this process.
    package static let own = CgroupMemory(
        memberships: lines(of: "/proc/self/cgroup"), root: "/sys/fs/cgroup")

    /// Looks for the smallest limit of a group and its parent groups.
    ///
    /// - Parameters:
    ///   - memberships: lines of `/proc/self/cgroup`: `0::/a/b`, or `4:memory:/a/b` of version 1.
    ///   - root: the folder at which the groups are mounted. In a container, the names below it may differ
    ///     from those in the lines; the container's own limits are then at the root.
    package init(memberships: [String], root: String) {
        memory = memberships.flatMap { Self.files(of: $0, root: root) }
            .compactMap { Self.lines(of: $0).first.flatMap { Int($0) } }
            // Version 1 writes the largest number of whole pages if there is no limit.
            .filter { $0 < 1 << 60 }.min()
    }

    /// The files with the limits of a group and its parents.
    private static func files(of line: String, root: String) -> [String] {
        let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
        guard fields.count == 3 else { return [] }
        let (folder, name): (String, String)
        if fields[0] == "0" {
            (folder, name) = (root, "memory.max")
        } else if fields[1].split(separator: ",").contains("memory") {
            (folder, name) = ("\(root)/memory", "memory.limit_in_bytes")
        } else {
            return []
        }
        let steps = fields[2].split(separator: "/")
        return (0...steps.count).map { count in
            ([folder] + steps.prefix(count).map(String.init) + [name]).joined(separator: "/")
        }
    }

    /// The lines of a small file; no lines if it cannot be read.
    private static func lines(of path: String) -> [String] {
        let bytes = (try? InputFile.bytes(of: path, atMost: 1 << 16)) ?? []
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }
}
