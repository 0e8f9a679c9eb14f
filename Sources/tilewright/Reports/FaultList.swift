import CommandSupport
import Tilesets

/// Prints the first faults, and counts the rest.
final class FaultList {
    /// More than one who reads them wants, less than a terminal forgets.
    private static let most = 100

    /// The number of faults.
    private(set) var count = 0
    private var error: (any Error)?

    /// Takes a fault, and prints it if it is one of the first.
    func add(_ fault: TilesetFault) {
        count += 1
        guard count <= Self.most, error == nil else { return }
        do { try Console.result(fault.description) } catch { self.error = error }
    }

    /// Prints how many there are beyond those that were printed.
    ///
    /// - Throws: `.inputOutput` if the list did not arrive whole.
    func finish() throws {
        if let error { throw error }
        if count > Self.most { try Console.result("and \(count - Self.most) more") }
    }
}
