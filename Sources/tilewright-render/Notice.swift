import CDocuments
import RenderProtocol

/// What the program says to a person.
enum Notice {
    /// What it is.
    static var help: String {
        """
        tilewright-render draws pages of PDF and SVG documents for tilewright, which starts it and speaks to it
        through pipes. It does nothing by itself.

          --version   says which protocol it speaks, and which libraries draw
          --check     says what this system keeps it from doing while it draws

        \(license)
        """
    }

    /// Which it is.
    static var version: String {
        """
        tilewright-render, protocol \(Frame.version), \(String(cString: cd_libraries()))
        \(license)
        """
    }

    private static let license = """
        Its own code is under the MIT license, as tilewright is. It links poppler, which is under the GNU General
        Public License, version 2 or 3: who passes this program on does so under that license.
        """

    /// Confines this process as it does before a document is read, and tries what a document must not do.
    ///
    /// - Returns: false if anything but reading of other files succeeded, or if threads failed; and what came of it.
    static func check() -> (isConfined: Bool, text: String) {
        cd_confine(Frame.documentDescriptor)
        let forbidden: [(String, cd_attempt)] = [
            ("network", CD_ATTEMPT_NETWORK), ("writing files", CD_ATTEMPT_WRITING),
            ("other programs", CD_ATTEMPT_PROGRAM), ("other processes", CD_ATTEMPT_PROCESS),
        ]
        let succeeding = forbidden.map { ($0, cd_try($1)) }
        let readsOthers = cd_try(CD_ATTEMPT_OTHER_FILE)
        let hasThreads = cd_try(CD_ATTEMPT_THREAD)
        let lines =
            (succeeding + [("reading other files", readsOthers)]).map {
                "\($0): \($1 ? "allowed" : "forbidden")"
            } + ["threads: \(hasThreads ? "work" : "fail")"]
        return (hasThreads && !succeeding.contains(where: \.1), lines.joined(separator: "\n"))
    }
}
