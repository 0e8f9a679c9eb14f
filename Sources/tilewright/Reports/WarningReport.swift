import TilewrightKit

/// What is not an error, for programs.
struct WarningReport: Encodable {
    /// What kind it is: lower case, with hyphens.
    var name: String
    /// A line for people.
    var text: String

    /// The reports of some warnings; nil if there are none.
    static func list(_ warnings: [Warning]) -> [WarningReport]? {
        warnings.isEmpty ? nil : warnings.map { WarningReport(name: $0.name, text: $0.text) }
    }
}
