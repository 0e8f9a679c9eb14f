import Pyramid
import Tiling
import Raster

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Rough guesses at what a build will take, from what builds of the benchmark's images took.
enum Estimator {
    /// Bytes of a tileset's tiles.
    ///
    /// A flat plan takes about 1.8 times its own bytes per pixel, because resampling softens its
    /// edges (0.067 and 0.12 bytes per pixel for the benchmark's plan); a photograph as PNG takes
    /// 2.2 bytes per pixel, as JPEG of quality 85 0.3.
    static func bytes(_ plan: TilesetPlan, path: String, format: TileFormat) -> Int {
        let info = plan.image.fileInfo
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        // The number's type differs between Foundation and FoundationEssentials.
        let size = (attributes?[.size] as? any BinaryInteger).map { Int($0) } ?? 0
        let sourceRate = Double(size) / Double(info.width * info.height)
        let isPhotograph = info.summary.hasPrefix("JPEG") || sourceRate > 0.8
        let rate: Double =
            switch format {
            case .jpeg: isPhotograph ? 0.3 : 0.15
            case .png: isPhotograph ? 2.2 : 1.8 * sourceRate
            }
        // 100 bytes are the least that a PNG takes.
        return Int(rate * pixels(plan)) + 100 * plan.pyramid.tileCount
    }

    /// Wall seconds: 4 ns to decode a pixel, half of that where it is read smaller, 16 to render and
    /// encode one.
    static func seconds(_ plan: TilesetPlan, jobs: Int) -> Double {
        let info = plan.image.fileInfo
        let nanoseconds = plan.reductionFactor > 1 ? 2.0 : 4
        let decode = Double(info.width * info.height) * nanoseconds * 1e-9
        return max(decode, (decode + pixels(plan) * 16e-9) / Double(jobs))
    }

    /// Pixels of the zooms that are written.
    private static func pixels(_ plan: TilesetPlan) -> Double {
        plan.pyramid.levels.filter(\.isWritten).reduce(0) {
            $0 + Double($1.window.width) * Double($1.window.height)
        }
    }
}
