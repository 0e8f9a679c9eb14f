import Codecs
import Pyramid

/// What pixels of tiles cost, in seconds.
enum EncodingCost {
    /// To render and halve a pixel and to write its part of a file, on one core: what remained of the time of builds of
    /// seventeen pictures beside decoding and encoding.
    static let renderSeconds = 14e-9
    /// The same of an image that is turned or bent.
    private static let warpSeconds = 24e-9
    /// To begin and to end.
    private static let fixedSeconds = 0.01

    /// The wall time of a build: decoding goes on beside the rest, on one core.
    static func seconds(of plan: TilesetPlan, _ sampled: SampledEstimate) -> Double {
        let passes = plan.request.encoding.palette == nil ? 1.0 : 2
        let decoding = passes * sampled.decodingSeconds
        let rendering = passes * plan.renderedPixels * (plan.isUpright ? renderSeconds : warpSeconds)
        let encoding = sampled.zooms.reduce(0) { $0 + $1.seconds }
        let jobs = Double(plan.resources.effectiveJobs)
        return fixedSeconds + max(decoding, (decoding + rendering + encoding) / jobs)
    }
}

extension TilesetPlan {
    /// Whether rows and columns of all images are those of the tiles.
    fileprivate var isUpright: Bool {
        pyramid.layers.allSatisfy { if case .separable = $0.mapping.shape { true } else { false } }
    }

    /// Pixels of all zooms, also of those that are only halved.
    fileprivate var renderedPixels: Double {
        pyramid.levels.reduce(0) { $0 + Double($1.window.width) * Double($1.window.height) }
    }
}

extension TileEncoding {
    /// To encode a pixel; a small JPEG file takes ten times as long as another.
    var secondsPerPixel: Double {
        switch format {
        case .png, .auto: 11e-9
        case .jpeg: effectiveJPEGLevel == .small ? 60e-9 : 6e-9
        case .webp: lossless ? 120e-9 : 90e-9
        }
    }
}
