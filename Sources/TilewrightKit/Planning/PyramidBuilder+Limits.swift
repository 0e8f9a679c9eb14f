import Platform
import Pyramid
import Raster

extension PyramidBuilder {
    /// Bytes that a decoder may take whatever the budget: a strip of the largest size that is decoded
    /// whole.
    private static let smallDecoder = 64 << 20

    /// Fails if decoders need more than the budget. What a decoder keeps cannot go to a scratch file, and
    /// a file of a few kilobytes can ask for any amount of it.
    ///
    /// - Parameter memory: the bytes that `--memory` says.
    /// - Throws: `.usage`.
    func checkDecoders(memory: Int) throws {
        guard decoderBytes > max(memory, Self.smallDecoder) else { return }
        throw Failure(
            .usage,
            "decoding takes \(decoderBytes.byteText) of memory, and --memory allows " + memory.byteText,
            remedy: "raise --memory, or store the image as PNG without interlacing, as baseline "
                + "JPEG, or as TIFF in smaller blocks")
    }

    /// Fails if the system would not grant the memory of a build. A scratch file takes addresses
    /// too, which `ulimit -v` counts.
    ///
    /// - Throws: `.systemLimit`.
    func checkMemory(in group: CgroupMemory = .own) throws {
        let resident = residentBytes + BuildResources.baseBytes
        if let bound = group.memory, resident > bound {
            throw Failure(
                .systemLimit,
                "cannot build in \(bound.byteText) of memory, which is all that the control group of "
                    + "this process has: \(resident.byteText) are needed",
                remedy: "allow the container more, or ask for fewer --jobs and a lower --zoom")
        }
        try MappedMemory.checkMemory(resident + scratchBytes)
    }
}
