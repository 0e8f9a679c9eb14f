/// A run that was stopped by a signal.
package struct Interruption: Error {
    /// The signal's number.
    package var signal: Int32

    /// What the user does now; nil if that is nothing.
    var advice: String?

    /// The status that shells give to a program stopped by the signal: 130 for SIGINT, 143 for
    /// SIGTERM, 129 for SIGHUP.
    package var status: Int32 { 128 + signal }
}
