import Synchronization

/// What happens while CAD drawings are read, which may take minutes.
public enum CADReading: Sendable {
    /// A drawing is going to be read.
    ///
    /// - Parameters:
    ///   - path: its path.
    ///   - bytes: its size; that of the DXF if a DWG was converted.
    ///   - seconds: an estimate of the time that it takes.
    case began(path: String, bytes: Int, seconds: Double)
    /// A part of a stage is done.
    ///
    /// - Parameter share: from 0 to 1.
    case progressed(path: String, stage: CADStage, share: Double)
    /// It has been read, or cannot be read.
    case ended(path: String)

    private static let observer = Mutex<(@Sendable (CADReading) -> Void)?>(nil)

    /// Sets the function that is told; at first there is none. One drawing is read at a time.
    public static func observe(_ observer: (@Sendable (CADReading) -> Void)?) {
        self.observer.withLock { $0 = observer }
    }

    /// Tells that a drawing is going to be read.
    ///
    /// - Returns: a function that tells of the end.
    static func begin(_ path: String, bytes: Int) -> () -> Void {
        tell(.began(path: path, bytes: bytes, seconds: CADLimits.estimate(bytes: bytes)))
        return { tell(.ended(path: path)) }
    }

    /// Tells that a part of a stage is done.
    static func report(_ path: String, _ stage: CADStage, _ share: Double) {
        tell(.progressed(path: path, stage: stage, share: share))
    }

    private static func tell(_ event: CADReading) { observer.withLock { $0 }?(event) }
}
