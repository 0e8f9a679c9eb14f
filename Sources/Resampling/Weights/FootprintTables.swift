internal import Synchronization

/// The footprint tables that were computed, for all workers: what one has computed, the others need too.
package final class FootprintTables: Sendable {
    /// How exact they are.
    let precision: FootprintPrecision
    private let tables = Mutex<[Jacobian: FootprintTable]>([:])

    /// Tables that are kept before all are dropped; a mapping of a building needs a handful.
    private static let keptTables = 256

    /// Starts without a table.
    package init(_ precision: FootprintPrecision) { self.precision = precision }

    /// The table of a Jacobian. Two workers that need the same one at the same time may both compute it.
    func table(_ jacobian: Jacobian) -> FootprintTable {
        if let table = tables.withLock({ $0[jacobian] }) { return table }
        let table = FootprintTable(jacobian, precision)
        tables.withLock { tables in
            if tables.count >= Self.keptTables { tables.removeAll() }
            tables[jacobian] = table
        }
        return table
    }
}
