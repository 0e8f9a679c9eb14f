extension Optional {
    /// The value of an optional that is never nil here; a bug traps.
    ///
    /// - Parameter reason: why it is not.
    package func unwrapped(_ reason: StaticString) -> Wrapped {
        guard let self else { preconditionFailure("\(reason)") }
        return self
    }
}
