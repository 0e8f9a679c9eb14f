import CKernels
import Codecs

/// Measures parts of the program on one thread.
///
///     tilewright-benchmarks [kernels [NAME...]]
///     tilewright-benchmarks encoders TREE
///     tilewright-benchmarks floor SOURCE TREE [--quality N]
///     tilewright-benchmarks containers DIR [NAME [TILES]]
///     tilewright-benchmarks instructions
///     tilewright-benchmarks render upright|turned TIMES
///
/// `kernels` prints gigabytes per second, read and written, of the C kernels, next to those of a copy of the
/// same number of bytes; NAME chooses all kernels whose names contain it. `containers` writes up to a million
/// tiles below DIR into each container: 5.5 GB, which are removed afterwards. `instructions` does a fixed
/// amount of each work, and prints the works' names; `render` builds a pyramid whose tiles are discarded.
/// instructions.py counts the instructions of both.
@main
struct Main {
    static func main() async throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        switch (arguments.first, arguments.count) {
        case (nil, _), ("kernels", _):
            kernels(wanted: arguments.dropFirst())
        case ("encoders", 2):
            try CodecBenchmark.encoders(tree: arguments[1])
        case ("floor", 3):
            try CodecBenchmark.floor(
                source: arguments[1], tree: arguments[2], encoder: PNGTileEncoder())
        case ("floor", 5) where arguments[3] == "--quality":
            try CodecBenchmark.floor(
                source: arguments[1], tree: arguments[2],
                encoder: JPEGTileEncoder(quality: Int(arguments[4]) ?? 85))
        case ("containers", 2...4):
            let counts = arguments.count > 3 ? [Int(arguments[3]) ?? 0] : ContainerBenchmark.counts
            try containers(folder: arguments[1], name: arguments.dropFirst(2).first, counts)
        case ("instructions", 1):
            try InstructionBenchmark.run()
        case ("render", 3):
            try await RenderBenchmark.run(arguments[1], times: Int(arguments[2]) ?? 1)
        default:
            fatalError(
                "kernels [NAME...], encoders TREE, floor SOURCE TREE [--quality N], "
                    + "containers DIR [NAME [TILES]], instructions, or render upright|turned TIMES")
        }
    }

    private static func containers(folder: String, name: String?, _ counts: [Int]) throws {
        print(ContainerBenchmark.head)
        for count in counts {
            for container in ContainerBenchmark.all where name ?? container.name == container.name {
                try container.run(tiles: count, in: folder)
            }
        }
    }

    private static func kernels(wanted: ArraySlice<String>) {
        let levels = (0..<UInt32(CR_LEVEL_COUNT)).compactMap {
            cr_kernels_at(cr_level(rawValue: $0))?.pointee
        }
        print(line("GB/s", levels.map { String(cString: $0.name) } + ["memcpy"]))
        for benchmark in KernelBenchmark.all
        where wanted.isEmpty || wanted.contains(where: { benchmark.name.contains($0) }) {
            let rates = levels.map { kernels in
                rate(bytes: benchmark.bytes) { benchmark.run(kernels) }
            }
            let copy = Copy(bytes: benchmark.bytes / 2)
            let copied = rate(bytes: benchmark.bytes) { copy.run() }
            print(line(benchmark.name, (rates + [copied]).map(inTenths)))
        }
    }

    /// Bytes per nanosecond in the fastest of several runs of at least ten milliseconds each.
    private static func rate(bytes: Int, of body: () -> Void) -> Double {
        let clock = ContinuousClock()
        var repetitions = 1
        var fastest = Duration.seconds(1_000_000)
        var runs = 0
        while runs < 5 {
            let time = clock.measure {
                for _ in 0..<repetitions { body() }
            }
            if time < .milliseconds(10) {
                repetitions *= 2
            } else {
                fastest = min(fastest, time / repetitions)
                runs += 1
            }
        }
        return Double(bytes) / (fastest / .nanoseconds(1))
    }

    private static func inTenths(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }

    private static func line(_ name: String, _ columns: [String]) -> String {
        func padding(_ text: String, _ width: Int) -> String {
            String(repeating: " ", count: max(0, width - text.count))
        }
        return name + padding(name, 26) + columns.map { padding($0, 10) + $0 }.joined()
    }
}
