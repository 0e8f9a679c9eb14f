import Platform
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

    /// Corners of walls cannot be told apart in a smaller picture.
    static let smallestEdge = 1024

    /// Reads the images.
    ///
    /// - Parameters:
    ///   - longestEdge: the longer edge of a picture, at most; nil for one with which the page does not become
    ///     too large.
    ///   - mostBytes: what the pictures may take together then. A page that is larger takes long to open on a
    ///     phone.
    /// - Throws: `CancellationError` if the task was cancelled.
    init(_ requests: [ImageRequest], longestEdge: Int?, mostBytes: Int = 20_000_000) async throws {
        let edge = longestEdge ?? PlacingRequest.standardEdge
        images = try await Self.sideBySide(requests) { request in
            Result.ofFloor { try PlannedImage(request, longestEdge: edge) }
        }
        if longestEdge == nil { try await reduce(to: mostBytes) }
    }

    /// The images that could be read.
    var readable: [PlannedImage] { images.compactMap { try? $0.get() } }

    /// Makes the pictures smaller that take more than their share, until all of them are few enough bytes.
    private mutating func reduce(to mostBytes: Int) async throws {
        var smallest: Int?
        while true {
            let total = readable.reduce(0) { $0 + $1.pictureBytes }
            let share = mostBytes / max(readable.count, 1)
            let largest = readable.filter { $0.pictureBytes > share }.map(\.pictureEdge).max() ?? 0
            guard total > mostBytes, largest > Self.smallestEdge else { break }
            // At least by a tenth, so that this comes to an end soon.
            let factor = min(0.9, (Double(mostBytes) / Double(total)).squareRoot())
            let edge = max(Self.smallestEdge, Int(Double(largest) * factor))
            images = try await Self.sideBySide(images) { image in
                guard case .success(var image) = image, image.pictureBytes > share else { return image }
                return Result.ofFloor {
                    try image.reduce(toEdge: edge)
                    return image
                }
            }
            smallest = edge
        }
        guard let smallest else { return }
        warnings.append(
            "pictures in the page are reduced to \(smallest) pixels, so that a phone can open it; "
                + "--preview \(PlacingRequest.standardEdge) keeps more, --floor makes a page for one floor")
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
