import Diagnostics
import Publishing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The images of several floors as a page holds them, made side by side.
struct PlannedFloors {
    /// The images in their order, or what is wrong with them.
    private(set) var images: [Result<PlannedImage, Failure>]
    /// What is not an error, and what the user should know: a line each.
    private(set) var warnings: [String] = []

    /// Each picture takes some ten bytes of memory for each of its pixels.
    private static let mostAtOnce = 4

    /// A page that is larger takes long to open on a phone.
    private static let mostBytes = 20_000_000

    /// Corners of walls cannot be told apart in a smaller picture.
    private static let smallestEdge = 1024

    /// Reads the images.
    ///
    /// - Parameter longestEdge: the longer edge of a picture, at most; nil for one with which the page does not
    ///   become too large.
    /// - Throws: `CancellationError` if the task was cancelled.
    init(_ requests: [ImageRequest], longestEdge: Int?) async throws {
        let edge = longestEdge ?? PlacingRequest.standardEdge
        images = try await Self.sideBySide(requests) { request in
            Result.ofFloor { try PlannedImage(request, longestEdge: edge) }
        }
        if longestEdge == nil { try await reduce(from: edge) }
    }

    /// The images that could be read.
    var readable: [PlannedImage] { images.compactMap { try? $0.get() } }

    private mutating func reduce(from standard: Int) async throws {
        var edge = standard
        while true {
            let sizes = readable.map(\.pictureBytes)
            let total = sizes.reduce(0, +)
            guard total > Self.mostBytes, edge > Self.smallestEdge else { break }
            let share = (Double(Self.mostBytes) / Double(total)).squareRoot()
            edge = max(Self.smallestEdge, Int(Double(edge) * share))
            let (smaller, most) = (edge, Self.mostBytes / sizes.count)
            images = try await Self.sideBySide(images) { image in
                guard case .success(var image) = image, image.pictureBytes > most else { return image }
                return Result.ofFloor {
                    try image.reduce(toEdge: smaller)
                    return image
                }
            }
        }
        guard edge < standard else { return }
        warnings.append(
            "the pictures in the page are reduced to \(edge) pixels, so that it is not too large for a "
                + "phone; --preview \(standard) keeps more, and --floor makes a page for one floor")
    }

    private static func sideBySide<Input: Sendable, Output: Sendable>(
        _ inputs: [Input], _ make: @escaping @Sendable (Input) -> Output
    ) async throws -> [Output] {
        let width = min(mostAtOnce, ProcessInfo.processInfo.activeProcessorCount)
        var outputs: [Int: Output] = [:]
        try await withThrowingTaskGroup(of: (Int, Output).self) { group in
            for (index, input) in inputs.enumerated() {
                if index >= width, let (done, output) = try await group.next() { outputs[done] = output }
                try Task.checkCancellation()
                group.addTask { (index, make(input)) }
            }
            for try await (done, output) in group { outputs[done] = output }
        }
        return inputs.indices.compactMap { outputs[$0] }
    }
}
