/// What a build tells while it runs.
public enum BuildEvent: Sendable {
    /// What is done to all tiles, one after another.
    public enum Phase: Sendable {
        /// Colours are counted, for a palette.
        case colors
        /// Tiles are written.
        case tiles
    }

    /// A phase begins; there are so many tiles at most.
    case began(Phase, tileCount: Int)
    /// The number of the phase's tiles that are done.
    case progressed(tilesDone: Int)
    /// The phase has ended, well or not.
    case ended
    /// What is not an error, and what the user should know.
    case warning(String)
}

/// Takes the events of a build, on the task that runs it.
public typealias BuildEventHandler = (BuildEvent) -> Void
