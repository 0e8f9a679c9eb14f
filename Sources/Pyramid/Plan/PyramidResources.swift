/// What a build may use of the machine. The tiles' bytes do not depend on it.
package struct PyramidResources: Sendable {
    /// How many units of work run at once.
    package var jobs: Int
    /// Bytes of rows to keep in memory; what does not fit goes to a scratch file.
    package var memory: Int
    /// Where scratch files go.
    package var scratchDirectory: String
    /// Bytes that an encoder takes; each job has one.
    package var encoderBytes: Int
    /// Tiles side by side in a unit of work, or nil for a number that suits the image.
    package var tilesPerUnit: Int?

    /// Makes a set of resources.
    package init(
        jobs: Int, memory: Int, scratchDirectory: String, encoderBytes: Int = 0,
        tilesPerUnit: Int? = nil
    ) {
        self.jobs = jobs
        self.memory = memory
        self.scratchDirectory = scratchDirectory
        self.encoderBytes = encoderBytes
        self.tilesPerUnit = tilesPerUnit
    }
}
