/// A run that was stopped by a signal.
struct Interruption: Error {
    /// The signal's number.
    var signal: Int32

    /// The status that shells give to a program stopped by the signal: 130 for SIGINT, 143 for
    /// SIGTERM, 129 for SIGHUP.
    var status: Int32 { 128 + signal }
}
