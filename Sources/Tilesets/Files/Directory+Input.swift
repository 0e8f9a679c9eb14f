import Diagnostics

/// Does something with files that are an input: what cannot be opened is a missing input then, and
/// no refused output.
func reading<Result>(_ body: () throws -> Result) throws -> Result {
    do { return try body() } catch var failure as Failure where failure.kind == .outputRefused {
        failure.kind = .missingInput
        throw failure
    }
}
