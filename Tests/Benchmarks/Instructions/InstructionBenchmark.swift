import CKernels
import Codecs
import FoundationEssentials
import Raster

/// The work that `make bench-instructions` counts: kernels, encoders and decoders on one thread, always
/// on the same pixels.
enum InstructionBenchmark {
    /// Does all work in a fixed order.
    static func run() throws {
        for work in kernels() + encoders() { try work.count() }
        try withDecoders { for work in $0 { try work.count() } }
    }

    /// Each C kernel at each level of this machine. Valgrind emulates at most AVX2.
    private static func kernels() -> [CountedWork] {
        (0..<UInt32(CR_LEVEL_COUNT)).compactMap { cr_kernels_at(cr_level(rawValue: $0))?.pointee }
            .flatMap { kernels in
                KernelBenchmark.all.map { benchmark in
                    CountedWork(name: "\(String(cString: kernels.name)): \(benchmark.name)", repetitions: 4) {
                        benchmark.run(kernels)
                    }
                }
            }
    }

    private static func encoders() -> [CountedWork] {
        let (plan, softPlan, photograph) = (DrawnTile.plan, DrawnTile.softPlan, DrawnTile.photograph)
        func work(
            _ name: String, _ tile: DrawnTile, _ encoder: any TileEncoder, repetitions: Int = 4
        ) -> CountedWork {
            CountedWork(name: "encode \(name): \(tile.name)", repetitions: repetitions) {
                _ = try tile.encode(with: encoder)
            }
        }
        return PNGLevel.allCases.flatMap { level in
            [plan, softPlan, photograph].map { tile in
                work(
                    "PNG, \(level.rawValue)", tile, PNGTileEncoder(level: level),
                    repetitions: level == .small ? 1 : 4)
            }
        }
            + [plan, photograph].map { work("JPEG", $0, JPEGTileEncoder(quality: 85)) }
            + [
                work("WebP", photograph, WebPTileEncoder(quality: 85), repetitions: 1),
                work("WebP, lossless", plan, WebPTileEncoder(quality: nil), repetitions: 1),
            ]
    }

    /// Decoders of the encoders' files, which must be on disk.
    private static func withDecoders(_ body: ([CountedWork]) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.path + "/\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        func work(_ format: String, _ tile: DrawnTile, _ encoder: any TileEncoder) throws -> CountedWork {
            let path = "\(folder)/\(format) \(tile.name)"
            let bytes = try tile.encode(with: encoder)
            guard FileManager.default.createFile(atPath: path, contents: Data(bytes)) else {
                throw CocoaError(.fileWriteUnknown)
            }
            return CountedWork(name: "decode \(format): \(tile.name)", repetitions: 4) {
                try CodecBenchmark.decode(path: path)
            }
        }
        try body(
            [DrawnTile.plan, .softPlan, .photograph].map { try work("PNG", $0, PNGTileEncoder()) }
                + [work("JPEG", .photograph, JPEGTileEncoder(quality: 85))])
    }
}
